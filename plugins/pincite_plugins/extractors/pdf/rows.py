"""Pieces of printed lines → the rows of a column: what stands side by side becomes one row."""

from __future__ import annotations

from pincite_plugins.extractors.pdf.glyphs import WIDE_GAP
from pincite_plugins.extractors.pdf.model import Row, Style, around


def rows_of(pieces: list[Row]) -> list[Row]:
    """The rows from the top down, each with its pieces from left to right."""
    groups: list[tuple[Row, list[Row]]] = []
    for piece in sorted(pieces, key=lambda p: (p.box[1] + p.box[3], p.box[0])):
        for at in range(len(groups) - 1, max(-1, len(groups) - 4), -1):
            main, members = groups[at]
            if _beside(main, piece, members):
                members.append(piece)
                if piece.width > main.width:
                    groups[at] = (piece, members)
                break
        else:
            groups.append((piece, [piece]))
    return [_joined(main, members) for main, members in groups]


def _beside(main: Row, piece: Row, members: list[Row]) -> bool:
    overlap = min(main.box[3], piece.box[3]) - max(main.box[1], piece.box[1])
    if overlap < 0.5 * min(main.height, piece.height):
        return False
    return all(piece.box[0] >= m.box[2] - 1.5 or piece.box[2] <= m.box[0] + 1.5 for m in members)


def _joined(main: Row, members: list[Row]) -> Row:
    if len(members) == 1:
        return main
    members.sort(key=lambda piece: piece.box[0])
    style = Style()
    words = []
    gaps = 0
    for at, piece in enumerate(members):
        style.add(piece.style)
        words += piece.words
        gaps += at > 0 and piece.box[0] - members[at - 1].box[2] > WIDE_GAP * max(piece.size, 1)
    return Row(words, around(piece.box for piece in members), style, main.page, main.turn, len(members), gaps)
