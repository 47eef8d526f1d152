"""A pack for a text that the library itself holds: a note, or a body given inline in place of a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.values.pack import Block, Pack

if TYPE_CHECKING:
    from pincite.spec import Store
    from pincite.values.library import Attachment

_PARAGRAPH = re.compile(r"\S(?:.*?\S)??(?=\s*\Z|[ \t\r]*\n[ \t\r]*\n)", re.S)


def plain_pack(text: str, title: str = "") -> Pack:
    """Paragraphs are told by empty lines; offsets are those of `text`."""
    blocks = tuple(Block(found.start(), found.end()) for found in _PARAGRAPH.finditer(text))
    return Pack(format="text", text=text, blocks=blocks, metadata={"title": title} if title else {})


def pack_of(store: Store, attachment: Attachment | None) -> Pack | None:
    """The structured text of a file, or of a text that the library holds in its place; None where there is none."""
    if attachment is None:
        return None
    return store.pack(attachment.id) if attachment.text is None else plain_pack(attachment.text, attachment.title)
