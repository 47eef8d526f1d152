"""Cutting a text that is over the budget: even pieces at sentence boundaries, with an overlap of whole sentences."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pincite.chunks import chunk_text, placed_parts
from pincite.spec import CountTokens
from pincite_plugins.chunkers.structural.layout import Paragraph, Spans, trimmed

Sentences = Callable[[str], Sequence[tuple[int, int]]]

CHARACTERS_PER_TOKEN = 16
"""No natural text has this many characters a token, so one longer than the budget times this is halved without
counting."""


@dataclass(frozen=True, slots=True)
class Atom:
    """What is not cut further: a sentence, or a part of one that was over the budget."""

    spans: Spans
    tokens: int


def atoms(
    text: str, paragraphs: Sequence[Paragraph], count: CountTokens, budget: int, sentences: Sentences
) -> list[Atom]:
    """The sentences of paragraphs, counted in one call; any over `budget` is halved until it fits."""
    parts: list[Spans] = []
    for paragraph in paragraphs:
        parts.extend(_sentence_spans(text, paragraph.spans, sentences))
    return _fitting(text, parts, count, budget)


def _sentence_spans(text: str, spans: Spans, sentences: Sentences) -> list[Spans]:
    joined, begins = placed_parts([text[start:end] for start, end in spans])
    starts = sorted({0, *(start for start, _ in sentences(joined))})
    ends = [*starts[1:], len(joined)]
    found = (_slice(joined, spans, begins, start, end) for start, end in zip(starts, ends, strict=True))
    return [part for part in found if part]


def _slice(joined: str, spans: Spans, begins: Sequence[int], start: int, end: int) -> Spans:
    """The stretch [start, end) of the joined text as spans of the pack's text, without white space at its ends."""
    start, end = trimmed(joined, start, end)
    out: list[tuple[int, int]] = []
    for (a, b), at in zip(spans, begins, strict=True):
        low, high = max(start, at), min(end, at + b - a)
        if low < high:
            out.append((a + low - at, a + high - at))
    return tuple(out)


def _fitting(text: str, parts: list[Spans], count: CountTokens, budget: int) -> list[Atom]:
    """Counts parts and halves those over the budget, all of one round in one call. The order stays."""
    limit = budget * CHARACTERS_PER_TOKEN
    placed: list[list[Atom]] = [[] for _ in parts]
    round_ = list(enumerate(parts))
    while round_:
        short = [spans for _, spans in round_ if _size(spans) <= limit]
        counts = iter(count([chunk_text(text, spans) for spans in short]) if short else ())
        halves: list[tuple[int, Spans]] = []
        for at, spans in round_:
            tokens = next(counts) if _size(spans) <= limit else None
            if tokens is not None and (tokens <= budget or _size(spans) < 2):
                placed[at].append(Atom(spans, tokens))
            else:
                halves.extend((at, part) for part in _divided(text, spans))
        round_ = halves
    return [atom for place in placed for atom in sorted(place, key=lambda atom: atom.spans)]


def _size(spans: Spans) -> int:
    return sum(end - start for start, end in spans)


_STOP = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。！？]")


def _divided(text: str, spans: Spans) -> list[Spans]:
    """A sentence over the budget at every full stop in it, whatever follows; one that has none, in halves."""
    if len(spans) == 1:
        start, end = spans[0]
        cuts = [found.end() for found in _STOP.finditer(text, start, end) if found.end() < end]
        if cuts:
            parts = (trimmed(text, a, b) for a, b in zip([start, *cuts], [*cuts, end], strict=True))
            return [(part,) for part in parts if part[0] < part[1]]
    return _halves(text, spans)


def _halves(text: str, spans: Spans) -> list[Spans]:
    """A part cut at the white space nearest its middle; without any, in the middle, but not before a combining mark."""
    if len(spans) > 1:
        middle = len(spans) // 2
        return [spans[:middle], spans[middle:]]
    start, end = spans[0]
    middle = (start + end) // 2
    cut = _white_space(text, start, middle, end)
    if cut is None:
        cut = middle
        while cut < end - 1 and unicodedata.combining(text[cut]):
            cut += 1
    halves = (trimmed(text, start, cut), trimmed(text, cut, end))
    return [(half,) for half in halves if half[0] < half[1]]


def _white_space(text: str, start: int, middle: int, end: int) -> int | None:
    for distance in range(1, max(middle - start, end - middle)):
        if middle - distance > start and text[middle - distance].isspace():
            return middle - distance
        if middle + distance < end - 1 and text[middle + distance].isspace():
            return middle + distance
    return None


def even_pieces(sizes: Sequence[int], budget: int, overlap: int) -> list[tuple[int, int]]:
    """Index ranges [start, end) of atoms: ceil(total / (budget - overlap)) pieces, or more only where the atoms do
    not allow it.

    Each piece ends at the boundary nearest an even share of what is left; whole trailing atoms of up to `overlap`
    tokens are repeated at the beginning of the next. `sizes` are token counts; no piece is over `budget` but one of a single atom that is
    (a character may be more tokens than a window of one).
    """
    before = [0, *accumulate(sizes)]
    total, n = before[-1], len(sizes)
    wanted = 1 if total <= budget else math.ceil(total / max(1, budget - overlap))
    pieces: list[tuple[int, int]] = []
    new = 0
    while new < n:
        left = total - before[new]
        first = new
        if pieces:
            while first - 1 > pieces[-1][0] and before[new] - before[first - 1] <= overlap:
                first -= 1
        wanted = max(wanted, 1)
        if wanted == 1 and total - before[first] > budget:
            if left > budget:
                wanted = 2
            while total - before[first] > budget and first < new:
                first += 1
        if wanted == 1:
            pieces.append((first, n))
            break
        end = _nearest(before, new, before[new] + left / wanted)
        while before[end] - before[first] > budget and first < new:
            first += 1  # rather less overlap than one piece more
        while before[end] - before[first] > budget and end > new + 1:
            end -= 1
        pieces.append((first, end))
        new = end
        wanted -= 1
    return pieces


def _nearest(before: Sequence[int], new: int, target: float) -> int:
    """The boundary after `new` whose prefix sum is nearest the target; the earlier of two as near."""
    at = bisect_left(before, target, new + 1, len(before) - 1)
    if at - 1 > new and target - before[at - 1] <= before[at] - target:
        return at - 1
    return at
