"""Lines to paste into an assistant's configuration."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any

CLIENTS: Mapping[str, str] = {
    "claude": "into claude_desktop_config.json of Claude Desktop (Settings, Developer), or .mcp.json of a project of Claude Code",
    "cursor": "into ~/.cursor/mcp.json, or .cursor/mcp.json of a project",
    "generic": "wherever your assistant keeps its MCP servers",
}
"""Client → where its lines go."""

KEPT = ("PINCITE_HOME", "PINCITE_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""Variables that a client does not hand on by itself, and that say where things are."""


def over_stdio(client: str, arguments: Sequence[str]) -> dict[str, Any]:
    """The entry of a server that the client starts. `arguments`: those of ``pincite mcp``."""
    command = _command()
    entry: dict[str, Any] = {"command": command[0], "args": [*command[1:], "mcp", *arguments]}
    kept = {name: os.environ[name] for name in KEPT if os.environ.get(name)}
    if kept:
        entry["env"] = kept
    return _named(client, {"type": "stdio", **entry} if client == "cursor" else entry)


def over_http(client: str, url: str, token: str) -> dict[str, Any]:
    """The entry of a server that is running."""
    headers = {"Authorization": f"Bearer {token}"}
    entry: dict[str, Any] = {"url": url, "headers": headers}
    return _named(client, {"type": "http", **entry} if client != "cursor" else entry)


def text(found: Mapping[str, Any]) -> str:
    """As it is pasted."""
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _named(client: str, entry: dict[str, Any]) -> dict[str, Any]:
    return entry if client == "generic" else {"mcpServers": {"pincite": entry}}


def _command() -> list[str]:
    """This very pincite, by its path: an assistant's PATH is seldom the person's."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "pincite")
    for found in (beside, shutil.which("pincite") or ""):
        if found and os.access(found, os.X_OK):
            return [os.path.abspath(found)]
    return [sys.executable, "-m", "pincite.cli.main"]
