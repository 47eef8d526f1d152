"""``pincite status``."""

import time
from typing import Annotated, Any

import typer

from pincite.cli.oneline import counted
from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, opened, print_json
from pincite.cli.render import paged
from pincite.text.readable import visible

LANGUAGES = 8
"""Languages that are shown, most passages first."""


def status(
    library: LibraryOption = None,
    diagnostics: Annotated[
        bool, typer.Option("--diagnostics", help="Also how the last run went: speed, memory, sizes.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Say what is indexed, what is not, and why."""
    with opened(library, config) as lib:
        found = lib.status(diagnostics)
    if as_json:
        print_json(found)
        return
    lines = _lines(found)
    if diagnostics:
        lines += _diagnostics(found.get("diagnostics") or {})
    with paged() as console:
        for line in lines:
            console.print(visible(line), markup=False, soft_wrap=True)


def _lines(found: dict[str, Any]) -> list[str]:
    totals, model = found["totals"], found["model"]
    lines = [
        f"library   {found['library']['path']} ({found['library']['source']})",
        f"index     {found['index']['folder']} ({found['index']['bytes'] / 1e6:,.1f} MB)",
        f"items     {totals['items']:,} with {counted(totals['notes'], 'note')} and {counted(totals['annotations'], 'annotation')}",
        f"files     {totals['files']:,}: {totals['indexed']:,} indexed, {totals['skipped']:,} skipped"
        + (f" ({totals['waiting']:,} still waiting)" if totals["waiting"] else "")
        + f", {totals['failed']:,} failed",
        f"passages  {totals['passages']:,}",
    ]
    if found["languages"]:
        shown = [f"{count:,} {code or 'unknown'}" for code, count in list(found["languages"].items())[:LANGUAGES]]
        more = len(found["languages"]) - LANGUAGES
        lines.append("languages " + ", ".join(shown) + (f" and {more} more" if more > 0 else ""))
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
    if found["paused"]:
        lines.append(f"paused    since {found['paused']}; `pincite resume` lets indexing go on")
    if found["running"]:
        lines.append(f"indexing  {found['running']} is at work")
    for label in ("failed", "skipped"):
        for entry in found[label]:
            parked = " (parked; `pincite retry` tries it again)" if entry["parked"] else ""
            lines.append(f"{label:<9} {entry['path']}: {entry['verdict']}: {entry['reason']}{parked}")
    lines += [f"problem   {one['where']}: {one['reason']}" for one in found["problems"]]
    return lines


def _diagnostics(found: dict[str, Any]) -> list[str]:
    run = found.get("run")
    lines = ["", "last run that did something"]
    if not run:
        lines.append("  none yet")
    else:
        steps = ", ".join(f"{name} {seconds:,.1f} s" for name, seconds in run["steps"].items())
        lines += [
            f"  time      {run['seconds']:,.1f} s: {steps}",
            f"  records   {_rate(run['records_per_second'])}",
            f"  files     {_rate(run['files_per_second'])}",
            f"  vectors   {_rate(run['passages_per_second'])}, {_rate(run['tokens_per_second'], 'tokens')}",
            f"  batches   {run['batches'] or 0:,} in {run['calls']:,} calls; {_share(run['padding_efficiency'])} of the slots held a token",
            f"  engine    {run['threads'] or 'unknown'} threads, {run['restarts']} restarts",
            f"  memory    {run['memory_peak'] / 2**20:,.0f} MiB at most, a worker {run['workers_memory_peak'] / 2**20:,.0f} MiB",
            f"  cpu       {run['cpu']:.2f} cores, workers aside",
        ]
    sizes = {int(size): count for size, count in found.get("chunk_tokens", {}).items()}
    if sizes:
        lines += ["", "tokens of a chunk"]
        most = max(sizes.values())
        for size, count in sorted(sizes.items()):
            lines.append(f"  {size:>4}-{size + 31:<4} {count:>8,} {'▇' * max(1, round(30 * count / most))}")
    return lines


def _rate(value: float | None, unit: str = "") -> str:
    return "none" if value is None else f"{value:,.1f} {unit}".rstrip() + " a second"


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.1%}"
