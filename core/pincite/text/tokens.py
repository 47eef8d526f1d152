"""The tokeniser: what index, query, highlight and quote location take for a word. specs/14-text.md.

A **run** is what stands between separators: letters, digits and marks, joined by single ``- _ . / : + #``. A
run gives its parts, one position each, and, where it has several, the whole besides: "gpt-4" gives gpt, 4 and
gpt4. Scripts without spaces give overlapping 2-grams. Greek letters and mathematical symbols go by their names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.text.fold import ODD
from pincite.text.normalise import fold, normalise
from pincite.text.runs import LONGEST, STRETCHES, Kind, pieces
from pincite.text.scripts import CJK, THAI_LIKE

VERSION = 2
"""Rises whenever the same text would give other tokens: an index made by another version is made again."""

STOP = "."
"""Stands in an indexed text where a sentence ends, so that no phrase matches across."""

_STRETCH = re.compile(r"\S+")
_UNSPACED = re.compile(f"[{CJK}{THAI_LIKE}]")


class Token(NamedTuple):
    """A token and the source span [start, end) it stands for.

    `position` counts parts from 0; a `whole` (a compound, or half of a word broken at a line end) has the
    position of a part.
    """

    text: str
    start: int
    end: int
    position: int = 0
    whole: bool = False


def tokens(text: str) -> list[Token]:
    """The tokens of a text, on offsets of the source, in order of position."""
    normalised = normalise(text)
    span = normalised.source_span
    found: list[Token] = []
    position = 0
    for stretch in _STRETCH.finditer(normalised.text.translate(STRETCHES)):
        at = stretch.start()
        for piece in pieces(stretch[0]):
            if piece.kind is Kind.PART:
                found.append(Token(piece.text, *span(at + piece.start, at + piece.end), position))
                position += 1
            elif piece.kind is Kind.WHOLE:
                found.append(Token(piece.text, *span(at + piece.start, at + piece.end), position - piece.parts, True))
    if normalised.breaks:
        found += _broken(
            found, [(half, span(low, high)) for half, low, high in _halves(normalised.text, normalised.breaks)]
        )
        found.sort(key=lambda token: (token.position, token.whole))
    return found


def _broken(found: list[Token], halves: list[tuple[str, tuple[int, int]]]) -> list[Token]:
    """The halves of words broken at a line end, at the position of the joined word."""
    result = []
    for text, (start, end) in halves:
        holder = next((token for token in found if token.start <= start and end <= token.end), None)
        if holder is not None:
            result.append(Token(text, start, end, holder.position, True))
    return result


def _halves(folded: str, breaks: tuple[int, ...]) -> list[tuple[str, int, int]]:
    """The halves of words that were joined at a line end: the hyphen may have been a true one."""
    halves = []
    for at in breaks:
        low, high = at, at
        while low and _in_half(folded[low - 1]):
            low -= 1
        while high < len(folded) and _in_half(folded[high]):
            high += 1
        halves += [(folded[a:b][:LONGEST], a, b) for a, b in ((low, at), (at, high)) if b > a]
    return halves


def _in_half(char: str) -> bool:
    """Whether a half goes on: scripts without spaces are tokens of their own."""
    return char.isalnum() and not _UNSPACED.match(char)


class _Indexed(dict[str, str]):
    """Stretch → its tokens as they stand in an indexed text, wholes after `ODD`. A cache: prose repeats its words."""

    def __missing__(self, stretch: str) -> str:
        value = ""
        for piece in pieces(stretch):
            if piece.kind is Kind.WHOLE:
                value += ODD + piece.text
            else:
                value += f" {piece.text}" if value else piece.text
        if len(stretch) <= LONGEST:
            if len(self) >= 300_000:
                self.clear()
            self[stretch] = value
        return value


_INDEXED = _Indexed()
_WHOLES = re.compile(f"{ODD}([^ {ODD}]*)")


def index_text(text: str) -> str:
    """A text as the index takes it: tokens joined by spaces, `STOP` where a sentence ends, and, after one more
    `STOP`, the wholes, which would stand between their neighbours otherwise."""
    extra: list[str] = []
    if "\n" in text and (breaks := (normalised := normalise(text)).breaks):
        folded = normalised.text
        extra = [half for half, _, _ in _halves(folded, breaks)]
    else:
        folded = fold(text)
    indexed = _INDEXED
    joined = " ".join([indexed[stretch] for stretch in folded.translate(STRETCHES).split()])
    if "  " in joined:  # a stretch without any token
        joined = " ".join(joined.split())
    if ODD in joined:
        extra = _WHOLES.findall(joined) + extra
        joined = _WHOLES.sub("", joined)
    return f"{joined} {STOP} {' '.join(extra)}" if extra else joined
