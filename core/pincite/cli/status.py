"""``pincite status``."""

from __future__ import annotations

import sys
import time
from typing import Any

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, opened, print_json


def status(library: LibraryOption = None, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Say what is indexed, what is not, and why."""
    with opened(library, config) as lib:
        found = lib.status()
    if as_json:
        print_json(found)
    else:
        sys.stdout.write("\n".join(_lines(found)) + "\n")


def _lines(found: dict[str, Any]) -> list[str]:
    totals, model = found["totals"], found["model"]
    lines = [
        f"library   {found['library']['path']} ({found['library']['source']})",
        f"index     {found['index']['folder']} ({found['index']['bytes'] / 1e6:,.1f} MB)",
        f"items     {totals['items']:,} with {totals['notes']:,} notes and {totals['annotations']:,} annotations",
        f"files     {totals['files']:,}: {totals['indexed']:,} indexed, {totals['skipped']:,} skipped"
        + (f" ({totals['waiting']:,} still waiting)" if totals["waiting"] else "")
        + f", {totals['failed']:,} failed",
        f"passages  {totals['passages']:,}",
    ]
    if found["pages"]:
        lines.append("pages     " + ", ".join(f"{count:,} {health}" for health, count in found["pages"].items()))
    lines.append(f"model     {model.get('name') or model.get('error')}")
    for one in model.get("endpoints", ()):
        lines.append(f"endpoint  {one['url']} ({one['format']}): {one['verdict']}")
    used = model.get("usage")
    if used and used["requests"]:
        cost = f", cost {used['cost']:,.2f}" if used["cost"] else ""
        lines.append(f"used      {used['tokens']:,} tokens in {used['requests']:,} requests{cost}")
    for name, ranker in found["rankers"].items():
        lines.append(f"{name:<9} {ranker['degraded'] or 'complete'} ({ranker['rows']:,} rows)")
    last = found["last_run"]
    lines.append(
        "last run  " + (time.strftime("%Y-%m-%d %H:%M", time.localtime(last)) if last else "never: run `pincite index`")
    )
    for label in ("failed", "skipped"):
        for entry in found[label]:
            lines.append(f"{label:<9} {entry['path']}: {entry['verdict']}: {entry['reason']}")
    return lines
