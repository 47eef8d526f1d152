"""``pincite plugins``."""

from __future__ import annotations

import sys

from pincite.cli.options import ConfigOption, JsonOption, print_json, resolved


def plugins(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List every plugin by kind, and those that failed to load with the reason."""
    from pincite.library import plugins_of
    from pincite.spec import CONTRACT, KINDS

    found = plugins_of(resolved(config))
    found.load_everything()
    kinds: dict[str, list[dict[str, str]]] = {}
    for kind in KINDS:
        entries = []
        for name in found.names(kind):
            try:
                entry = found.find(kind, name)
                entries.append({"name": name, "plugin": entry.plugin, "from": entry.factory.__module__})
            except Exception as error:
                entries.append({"name": name, "error": str(error)})
        kinds[kind] = entries
    failures = [{"plugin": failure.plugin, "reason": failure.reason} for failure in found.failures]
    if as_json:
        print_json({"schema": 1, "contract": CONTRACT, "kinds": kinds, "failures": failures})
    else:
        lines = []
        for kind, entries in kinds.items():
            for one in entries:
                lines.append(f"{kind:<10} {one['name']:<14} {one.get('from') or one['error']}")
            if not entries:
                lines.append(f"{kind:<10} -")
        lines += [f"FAILED     {failure['plugin']}: {failure['reason']}" for failure in failures]
        sys.stdout.write("\n".join(lines) + "\n")
    if failures:
        sys.exit(1)
