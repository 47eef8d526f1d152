"""Line numbers in the margin: those that stand alone, and those that the file sets as the first or last word of their line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite_plugins.extractors.pdf.model import Row, Style, Word, around

LEAST = 8
"""Numbers in one upright line from which they count lines."""

DIGITS = 5
"""Digits of a line number, at most."""

STEADY = 0.9
"""Share of the steps between them that are the same."""

RUNNING = 0.3
"""Share of the numbered lines that go on in lower case (or in a script without case): a table of contents has hardly any."""


def line_numbers(pieces: list[Row]) -> list[Row]:
    """Takes line numbers that are words of their lines out of them, in place; gives all line numbers as pieces of `pieces`."""
    out: list[Row] = []
    alone = [(p.words[0], p) for p in pieces if len(p.words) == 1 and _is_number(p.words[0])]
    for at in (0, -1):
        held = [(p.words[at], p) for p in pieces if len(p.words) > 1 and _is_number(p.words[at])]
        for group in _counting([*alone, *held]):
            if not _running(_lines(group, pieces, at)):
                continue
            for word, piece in group:
                number = piece if len(piece.words) == 1 else _taken(pieces, piece, word)
                if not any(other is number for other in out):
                    out.append(number)
    return out


def _taken(pieces: list[Row], piece: Row, word: Word) -> Row:
    """The number of a line as a piece of its own; the rest of the line takes the line's place."""
    rest = [other for other in piece.words if other is not word]
    rest[0].glued = word.glued = False
    number = _part(piece, [word])
    place = next(at for at, other in enumerate(pieces) if other is piece)
    pieces[place : place + 1] = [number, _part(piece, rest)]
    return number


def _lines(group: Sequence[tuple[Word, Row]], pieces: Sequence[Row], at: int) -> list[Word]:
    """The first word of each line that is numbered: of the number's own piece, else of the first piece beside it."""
    out = []
    for word, piece in group:
        if len(piece.words) > 1:
            out.append(piece.words[1 if at == 0 else 0])
            continue
        level = [
            p for p in pieces if p is not piece and abs(p.baseline - piece.baseline) < 0.35 * max(p.size, piece.size)
        ]
        beside = [p for p in level if p.box[0] > word.box[0]] or level
        if beside:
            out.append(min(beside, key=lambda p: p.box[0]).words[0])
    return out


def _counting(numbers: Iterable[tuple[Word, Row]]) -> list[list[tuple[Word, Row]]]:
    """Numbers by the place of their right edge, where they count on from the top down."""
    groups: dict[int, list[tuple[Word, Row]]] = defaultdict(list)
    for word, piece in numbers:
        groups[round(word.box[2] / 6)].append((word, piece))
    out = []
    for group in groups.values():
        if len(group) < LEAST:
            continue
        group.sort(key=lambda pair: pair[0].box[1])
        steps = [int(b.text) - int(a.text) for (a, _), (b, _) in pairwise(group)]
        if min(steps) > 0 and sum(step == steps[0] for step in steps) >= STEADY * len(steps):
            out.append(group)
    return out


def _is_number(word: Word) -> bool:
    return word.text.isdecimal() and len(word.text) <= DIGITS


def _running(words: Iterable[Word]) -> bool:
    """Whether many lines begin in the middle of a sentence. Numbers with nothing beside them may count lines all the same."""
    begins = [word.text.lstrip("\"'“‘«([")[:1] for word in words]
    return sum(char.isalpha() and not char.isupper() for char in begins) >= RUNNING * len(begins)


def _part(piece: Row, words: list[Word]) -> Row:
    """Some words of a piece as one of their own. Its style is the piece's, by the share of its characters."""
    count = sum(len(word.text) for word in words)
    whole = max(1, piece.style.characters)
    share = min(1.0, count / whole)
    style = Style(count, *(round(share * part) for part in _counts(piece.style)), {piece.size: count})
    return Row(words, around(word.box for word in words), style, piece.page, piece.baseline, piece.turn)


def _counts(style: Style) -> tuple[int, int, int, int]:
    return style.bold, style.italic, style.mono, style.math
