"""The pack file: the structured text of one attachment, on disk (specs/04-packs.md).

Loaded when it is first asked for: a search that shows no page of a file needs none of it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.packs.layout import PackDamaged, PackError, PackTooNew
    from pincite.packs.parts import PackFacts, read_facts, read_text
    from pincite.packs.read import read_pack
    from pincite.packs.write import write_pack

__all__ = [
    "PackDamaged",
    "PackError",
    "PackFacts",
    "PackTooNew",
    "read_facts",
    "read_pack",
    "read_text",
    "write_pack",
]

_HOMES = {
    **dict.fromkeys(("PackDamaged", "PackError", "PackTooNew"), "layout"),
    **dict.fromkeys(("PackFacts", "read_facts", "read_text"), "parts"),
    "read_pack": "read",
    "write_pack": "write",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"pincite.packs.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'pincite.packs' has no attribute {name!r}")
