"""Source `jsonl`: one JSON object a line, with title, abstract and text (specs/16-sources.md)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.spec import Context, Register, hookimpl

if TYPE_CHECKING:
    from pincite_plugins.sources.jsonl.source import JsonlSource

PINCITE_CONTRACT = 1
DOCUMENTS = "docs.jsonl"


@dataclass(frozen=True)
class JsonlSettings:
    """Section ``[source.jsonl]``: nothing to set."""


def recognises(path: Path) -> float:
    """0.9 for a ``.jsonl`` file or a folder that holds docs.jsonl."""
    path = path.expanduser()
    if os.path.isdir(path):
        return 0.9 if os.path.isfile(path / DOCUMENTS) else 0.0
    return 0.9 if path.suffix.lower() in (".jsonl", ".ndjson") else 0.0


def open_jsonl(settings: JsonlSettings, context: Context) -> JsonlSource:
    """The source for `context.library`. Raises `UsageError` where there is no such file."""
    if context.library is None:
        raise UsageError(f"source jsonl: no library is given; give a .jsonl file or a folder with {DOCUMENTS}")
    path = context.library.expanduser()
    if os.path.isdir(path):
        path = path / DOCUMENTS
    if not os.path.isfile(path):
        raise UsageError(f"{path}: no such file; give a .jsonl file or a folder with {DOCUMENTS}")
    from pincite_plugins.sources.jsonl.source import JsonlSource

    return JsonlSource(path)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `jsonl`."""
    register("jsonl", open_jsonl, settings=JsonlSettings, recognises=recognises)
