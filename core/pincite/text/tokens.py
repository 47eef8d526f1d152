"""The tokeniser: what index, query, highlight and quote location take for a word. specs/14-text.md.

A **run** is what stands between separators: letters, digits and marks, joined by single ``- _ . / : + #``. A
run gives its parts, one position each, and, where it has several, the whole besides: "gpt-4" gives gpt, 4 and
gpt4. Scripts without spaces give overlapping 2-grams. Greek letters and mathematical symbols go by their names.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from pincite.text.normalise import fold, normalise
from pincite.text.runs import ABBREVIATIONS, JOINERS, LONGEST, STRETCHES, Kind, cjk_parts, pieces, plain, spellings
from pincite.text.scripts import CJK, GREEK, THAI_LIKE, holds_cjk, spaceless

VERSION = 3
"""Rises whenever the same text would give other tokens: an index made by another version is made again."""

STOP = "."
"""Stands in an indexed text where a sentence ends, so that no phrase matches across."""

STOP_CJK = "。"
"""The one stop that folding leaves inside a stretch."""

_STRETCH = re.compile(r"\S+")
_GREEK = re.compile(f"[{GREEK}]")
_JOINERS = re.compile(f"[{re.escape(JOINERS)}]")
_LINE_END = re.compile("[-\u2010\u2011\u00ad](?:[ \t]|<[^<>\n]*>)*\r?\n")


@functools.cache
def _letters() -> re.Pattern[str]:
    return re.compile(f"[^\\W\\d_{CJK}{THAI_LIKE}{GREEK}]+")


@functools.cache
def _segments() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]+|。|[^{CJK}。]+")


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
        while low and _in_half(folded[low - 1], folded[at - 1]):
            low -= 1
        while high < len(folded) and _in_half(folded[high], folded[at]):
            high += 1
        halves += [(folded[a:b][:LONGEST], a, b) for a, b in ((low, at), (at, high)) if b > a]
    return halves


def _in_half(char: str, first: str) -> bool:
    """Whether a half goes on: scripts without spaces are tokens of their own, and so are Greek letters beside others."""
    return char.isalnum() and not spaceless(char) and bool(_GREEK.match(char)) == bool(_GREEK.match(first))


Indexed = tuple[str, str]
"""A stretch as the index takes it: its parts and stops, and besides them the wholes of its compounds; both joined by spaces."""


def indexed(stretch: str) -> Indexed:
    """The tokens of a stretch without CJK characters; the same as `pieces`, quicker for the plain ones that most are."""
    if plain(stretch) or _letters().fullmatch(stretch):
        return stretch[:LONGEST], ""
    stopped = stretch[-1] in ".!?"
    body = stretch[:-1] if stopped else stretch
    parts = _JOINERS.split(body)
    last = parts[-1]
    if (
        len(body) <= LONGEST
        and ((body.isascii() and all(map(str.isalnum, parts))) or _letters().fullmatch(body))
        and not (stopped and (len(last) == 1 or last in ABBREVIATIONS))
    ):
        whole = ""
        if len(parts) > 1:
            bare = body.replace("-", "")
            whole = bare if bare.isalnum() and not bare.isdigit() else body
        return " ".join([*parts, STOP] if stopped else parts), whole
    found: tuple[list[str], list[str]] = ([], [])
    for piece in pieces(stretch):
        found[piece.kind is Kind.WHOLE].append(piece.text)
    return " ".join(found[0]), " ".join(found[1])


def mixed(stretch: str) -> list[tuple[Kind, str]]:
    """The spellings of a stretch with CJK characters; the same as `spellings`, quicker for clauses, years and plain words."""
    found: list[tuple[Kind, str]] = []
    before = ""
    for segment in _segments().findall(stretch):
        if segment == STOP_CJK:
            found.append((Kind.STOP, STOP))
        elif segment.isascii():
            if not segment.isalnum():
                return list(spellings(stretch))
            found.append((Kind.PART, segment[:LONGEST]))
        elif holds_cjk(segment):
            if before.isdecimal():
                found.append((Kind.WHOLE, before[:LONGEST] + segment[0]))
            found.append((Kind.CJK, segment))
        else:
            return list(spellings(stretch))
        before = segment
    return found


class _Kept(dict[str, Indexed]):
    """Stretch → its tokens. A cache: prose repeats its words."""

    def __missing__(self, stretch: str) -> Indexed:
        value = indexed(stretch)
        if len(stretch) <= LONGEST:
            if len(self) >= 100_000:
                self.clear()
            self[stretch] = value
        return value


INDEXED = _Kept()
"""`indexed`, with what was asked lately."""


def folded(text: str) -> tuple[str, Sequence[str]]:
    """A text folded, and the halves of words that were broken at a line end."""
    if "\n" in text and _LINE_END.search(text) and (breaks := (normalised := normalise(text)).breaks):
        return normalised.text, [half for half, _, _ in _halves(normalised.text, breaks)]
    return fold(text), ()


def index_text(text: str) -> str:
    """A text as the index takes it: tokens joined by spaces, `STOP` where a sentence ends, and, after one more
    `STOP`, the wholes, which would stand between their neighbours otherwise."""
    plain, halves = folded(text)
    stretches = plain.translate(STRETCHES).split()
    parts: list[str] = []
    besides: list[str] = []
    if not holds_cjk(plain):
        tokens = list(map(INDEXED.__getitem__, stretches))
        parts = [ours for ours, _ in tokens if ours]
        besides = [wholes for _, wholes in tokens if wholes]
        stretches = []
    for stretch in stretches:
        if holds_cjk(stretch):
            for kind, spelling in mixed(stretch):
                if kind is Kind.CJK:
                    parts.append(cjk_parts(spelling))
                    besides += spelling[:-1]
                else:
                    (besides if kind is Kind.WHOLE else parts).append(spelling)
        else:
            ours, wholes = INDEXED[stretch]
            if ours:
                parts.append(ours)
            if wholes:
                besides.append(wholes)
    besides += halves
    return f"{' '.join(parts)} {STOP} {' '.join(besides)}" if besides else " ".join(parts)
