"""The pack file: the structured text of one attachment, on disk (specs/04-packs.md)."""

from pincite.packs.layout import PackDamaged, PackError, PackTooNew
from pincite.packs.read import PackFacts, read_facts, read_pack, read_text
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
