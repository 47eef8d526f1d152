"""The body of a document as one stream: paragraphs that a column or page break cuts are made whole again, and what stands
in between (captions, notes, tables) comes after them."""

from __future__ import annotations

import re

from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.pdf.model import Para

_STOP = re.compile(r"[.!?:;。！？：…][\"'”’»)\]\d]*\s*$")
_HYPHEN = re.compile(r"[^\W\d_][-‐\u00ad]$")
_START_LOWER = re.compile(r"^[\"'“‘«(\[]*[a-zß-öø-ÿа-яёα-ω\d]")


def join(paras: list[Para]) -> list[Para]:
    """One list in the order of the text, paragraphs that go on joined."""
    out: list[Para] = []
    open_at: int | None = None
    for para in paras:
        if para.flow is not Flow.BODY or para.kind in (BlockKind.TABLE,):
            out.append(para)
            continue
        if open_at is not None and _goes_on(out[open_at], para):
            out[open_at].rows += para.rows
            continue
        out.append(para)
        open_at = len(out) - 1
    return out


def _goes_on(before: Para, para: Para) -> bool:
    """Whether `para`, the next of the body, is the rest of `before`."""
    a, b = before.rows[-1], para.rows[0]
    if a.page == b.page and a.column == b.column:
        return False
    if before.kind is not para.kind and not {before.kind, para.kind} <= {BlockKind.PARAGRAPH, BlockKind.LIST}:
        return False
    if before.kind in (BlockKind.HEADING, BlockKind.MATH) or para.kind in (BlockKind.HEADING, BlockKind.MATH):
        return False
    if para.kind is BlockKind.LIST or abs(a.size - b.size) > 0.09 * max(a.size, b.size):
        return False
    last, first = a.text, b.text
    if _HYPHEN.search(last) and _START_LOWER.match(first):
        return True
    if _STOP.search(last):
        # a full last line and a first line that is not indented: the same paragraph, with a new sentence
        return a.box[2] > a.right - 0.5 * a.size and b.box[0] < b.left + 0.5 * b.size and not _new_entry(first)
    return bool(_START_LOWER.match(first)) or a.box[2] > a.right - 0.15 * (a.right - a.left)


def _new_entry(text: str) -> bool:
    return bool(re.match(r"^\s*(?:\[\w+|\(?\d{1,3}[.)])", text))
