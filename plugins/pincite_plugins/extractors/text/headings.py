"""Which stretches of a plain text are headings: underlined, numbered, named, or set in capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.markup.headings import numbering
from pincite.packs.landmarks import heading_role
from pincite.values.pack import BlockKind
from pincite_plugins.extractors.text.paragraphs import Stretch

LONGEST = 100
"""Characters of a heading."""

_UNDERLINES = {"=": 1, "#": 1, "*": 1, "-": 2, "~": 3, "^": 3, '"': 4, "'": 4, "+": 4, ".": 4, "_": 2}
_DRAWN = re.compile(
    r"^(?:([=#*\-~^\"'+._])\1{2,}[ \t]*\r?\n)?[ \t]*(\S[^\r\n]*?)[ \t]*\r?\n[ \t]*([=#*\-~^\"'+._])\3{2,}$"
)
_NAMED_LEVEL = 1
_CAPITALS_LEVEL = 1


def headings(text: str, found: Sequence[Stretch]) -> dict[int, tuple[int, int, int]]:
    """Index of a stretch → the span of its title, and its level from 1."""
    out: dict[int, tuple[int, int, int]] = {}
    for at, stretch in enumerate(found):
        if not stretch.apart or stretch.lines > 3 or at == len(found) - 1:
            continue
        drawn = _underlined(text, stretch)
        if drawn is not None:
            out[at] = drawn
        elif (level := _level(text, stretch)) is not None:
            if at - 1 in out and numbering(text[stretch.start : stretch.end]) is None:
                level = max(level, out[at - 1][2] + 1)  # CHAPTER IV, and below it its name
            out[at] = (stretch.start, stretch.end, level)
    return {at: heading for at, heading in out.items() if not _in_a_list(found, out, at)}


def _underlined(text: str, stretch: Stretch) -> tuple[int, int, int] | None:
    """A line with a rule below it at least half as long (and perhaps one above)."""
    piece = text[stretch.start : stretch.end]
    drawn = _DRAWN.match(piece) if stretch.lines > 1 else None
    if drawn is None or len(drawn[2]) > LONGEST:
        return None
    rule = len(piece) - drawn.start(3)
    if rule * 2 < len(drawn[2]) or not any(map(str.isalnum, drawn[2])):
        return None
    return stretch.start + drawn.start(2), stretch.start + drawn.end(2), _UNDERLINES[drawn[3]]


def _level(text: str, stretch: Stretch) -> int | None:
    title = " ".join(text[stretch.start : stretch.end].split())
    if len(title) > LONGEST or stretch.kind is BlockKind.TABLE:
        return None
    if heading_role(title):
        number = numbering(title)
        return number[0] if number else _NAMED_LEVEL
    if title.endswith((".", ",", ";", ":", "。", "，", "；", "!", "?")) and not re.match(r"\S+\s+[\dIVXLC]+\.$", title):
        return None
    number = numbering(title + " x") if re.fullmatch(r"\S+\s+[\w.]+", title) else numbering(title)
    if number is not None and stretch.lines == 1 and _titled(title[number[1] :]):
        return number[0]
    letters = [char for char in title if char.isalpha()]
    words = title.split()
    if len(letters) >= 4 and len(words) <= 12 and stretch.lines <= 2 and all(char.isupper() for char in letters):
        return _CAPITALS_LEVEL
    return None


def _titled(rest: str) -> bool:
    """Whether what follows a number reads like a title: short, and not begun in lower case."""
    first = next((char for char in rest if char.isalpha()), "")
    if not first:
        return not rest.strip()
    return not first.islower() and len(rest.split()) <= 14


def _in_a_list(found: Sequence[Stretch], out: dict[int, tuple[int, int, int]], at: int) -> bool:
    """Whether a numbered "heading" is an item of a list: a neighbour has a number of the same level, with no text
    between."""
    if found[at].kind is not BlockKind.LIST:
        return False
    level = out[at][2]
    beside = (near for near in (at - 1, at + 1) if near in out)
    return any(out[near][2] == level and found[near].kind is BlockKind.LIST for near in beside)
