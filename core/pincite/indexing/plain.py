"""A pack for a text that the library itself holds: a note, or a body given inline."""

from __future__ import annotations

import re

from pincite.values.pack import Block, Pack

_PARAGRAPH = re.compile(r"\S(?:.*?\S)??(?=\s*\Z|[ \t\r]*\n[ \t\r]*\n)", re.S)


def plain_pack(text: str, title: str = "") -> Pack:
    """Paragraphs are told by empty lines; offsets are those of `text`."""
    blocks = tuple(Block(found.start(), found.end()) for found in _PARAGRAPH.finditer(text))
    return Pack(format="text", text=text, blocks=blocks, metadata={"title": title} if title else {})
