"""Pieces of printed lines that stand side by side → rows."""

from __future__ import annotations

from pincite_plugins.extractors.pdf.model import Row, Style, Word, around, joint
from pincite_plugins.extractors.pdf.pieces import WIDE_GAP

_TOUCH = 0.5
"""Ems between pieces of a script without spaces that are one text (vertical print comes character by character)."""
_BACK = 4
"""A piece is compared with so many rows above it."""


def rows_of(pieces: list[Row]) -> list[Row]:
    """The rows from the top down."""
    return [joined(group) for group in groups_of(pieces)]


def groups_of(pieces: list[Row]) -> list[list[Row]]:
    """Pieces side by side, each group from left to right, groups from the top down."""
    groups: list[tuple[Row, list[Row]]] = []
    for piece in sorted(pieces, key=lambda p: (p.baseline - 0.3 * p.size, p.box[0])):
        top, baseline, size = piece.box[1], piece.baseline, piece.size
        for at in range(len(groups) - 1, max(-1, len(groups) - 1 - _BACK), -1):
            main, members = groups[at]
            apart = top > main.box[3] and abs(main.baseline - baseline) >= 0.35 * max(main.size, size)
            if not apart and _beside(main, piece, members):
                members.append(piece)
                if piece.width > main.width:
                    groups[at] = (piece, members)
                break
        else:
            groups.append((piece, [piece]))
    for _, members in groups:
        members.sort(key=lambda piece: piece.box[0])
    return [members for _, members in groups]


def _beside(main: Row, piece: Row, members: list[Row]) -> bool:
    level = abs(main.baseline - piece.baseline) < 0.35 * max(main.size, piece.size)
    overlap = min(main.box[3], piece.box[3]) - max(main.box[1], piece.box[1])
    if not level and overlap < 0.6 * min(main.height, piece.height):
        return False
    return all(piece.box[0] >= m.box[2] - 1.5 or piece.box[2] <= m.box[0] + 1.5 for m in members)


def joined(group: list[Row]) -> Row:
    """One row of the pieces of a group."""
    if len(group) == 1:
        return group[0]
    main = max(group, key=lambda piece: piece.width)
    style = Style()
    words: list[Word] = []
    gaps = 0
    for at, piece in enumerate(group):
        gap = piece.box[0] - group[at - 1].box[2] if at else 0.0
        if words and gap < _TOUCH * piece.size and not joint(words[-1].text, piece.words[0].text):
            piece.words[0].glued = True
        style.add(piece.style)
        words += piece.words
        gaps += gap > WIDE_GAP * max(piece.size, 1)
    box = around(piece.box for piece in group)
    return Row(words, box, style, main.page, main.baseline, main.turn, gaps)
