"""``pincite config``."""

import sys
from typing import Any

from pincite.cli.options import ConfigOption, JsonOption, print_json, resolved


def config(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Print the one resolved configuration, and where each value came from."""
    from pincite.plugin.making import plugins_of
    from pincite.plugin.sections import check_sections

    found = resolved(config)
    check_sections(found, plugins_of(found))
    values = _flat(_plain(found.settings))
    rows = [(key, value, found.origins.get(key, "default")) for key, value in values.items()]
    if as_json:
        print_json(
            {
                "schema": 1,
                "file": str(found.file),
                "file_exists": found.file.is_file(),
                "home": str(found.home),
                "values": {key: {"value": value, "from": origin} for key, value, origin in rows},
            }
        )
        return
    out = [f"# file: {found.file}" + ("" if found.file.is_file() else " (there is none)"), f"# data: {found.home}"]
    width = max(len(key) for key, _, _ in rows)
    out += [f"{key:<{width}} = {_toml(value):<30} # {origin}" for key, value, origin in rows]
    sys.stdout.write("\n".join(out) + "\n")


def _plain(settings: Any) -> dict[str, Any]:
    """The configuration as it would stand in a file: the keys of a plugin beside the one that names it."""
    from pydantic_core import to_jsonable_python

    values: dict[str, Any] = to_jsonable_python(settings)
    return {
        key: {**value, **value.pop("own")} if isinstance(value, dict) and "own" in value else value
        for key, value in values.items()
    }


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict) and value:
            out |= _flat(value, f"{prefix}{key}.")
        elif not isinstance(value, dict):
            out[prefix + key] = "…" if value and "passwords" in (*prefix.split("."), key) else value
    return out


def _toml(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
