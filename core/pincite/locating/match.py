"""The places of a quotation in one text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pincite.anchors.runs import joined
from pincite.locating.across import Across
from pincite.locating.aside import aside_in
from pincite.locating.letters import Letters, widened

Span = tuple[int, int]
Spans = tuple[Span, ...]

ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:…|\.\s?\.\s?\.(?:\s?\.)?|⋯)\s*[\])]?\s*")
"""What a quotation leaves out: … or three dots, in brackets or not."""

LEFT_OUT = 20_000
"""Characters that an ellipsis may stand for, at most."""


@dataclass(frozen=True, eq=False)
class Quotation:
    """A quotation, read once. `parts` are those that an ellipsis divides it into; one where there is none."""

    text: str

    @cached_property
    def letters(self) -> Letters:
        """Its letters."""
        return Letters(self.text)

    @cached_property
    def bare(self) -> Letters | None:
        """Its letters without citations by number, which it may have from another edition; None where it has none."""
        spans = aside_in(self.text)
        return self.letters.without(spans) if spans else None

    @cached_property
    def parts(self) -> tuple[Quotation, ...]:
        """Itself, or what stands before, between and after its ellipses."""
        found = [part for part in ELLIPSIS.split(self.text) if any(map(str.isalnum, part))]
        return tuple(map(Quotation, found)) if len(found) > 1 else (self,)


@dataclass(frozen=True, eq=False)
class Readings:
    """A text in the ways that a quotation may have read it. `beside`: spans of blocks that interrupt the body (footnotes, captions,
    running heads); `excluded` those of them that are not text of the work at all; `raised`: numbers that are known to be marks of notes
    and citations."""

    text: str
    beside: Sequence[Span] = ()
    excluded: Sequence[Span] = ()
    raised: Sequence[Span] = ()

    @cached_property
    def plain(self) -> Letters:
        """As it is."""
        return Letters(self.text)

    @cached_property
    def without_numbers(self) -> Letters | None:
        """Without line numbers and citations by number; None where there are none."""
        return self.plain.without(self._aside) if self._aside else None

    @cached_property
    def body(self) -> Letters | None:
        """Without what interrupts the body, either; None where nothing does."""
        return self.plain.without([*self.beside, *self._aside]) if self.beside else None

    @cached_property
    def _aside(self) -> list[Span]:
        return sorted([*self.raised, *aside_in(self.text)])

    @cached_property
    def across(self) -> Across:
        """In pieces."""
        return Across(self.without_numbers or self.plain)


def places_in(readings: Readings, quotation: Quotation) -> list[Spans]:
    """Each place of the quotation in a text, by the spans [start, end) of `readings.text` that say it, in the order of the text.

    Words as they stand count first; then without line numbers, citations and what interrupts the body; then in pieces; then the parts
    around an ellipsis. Running heads and the like count only where nothing else says it.
    """
    if not len(quotation.letters):
        return []
    found = _whole(readings, quotation)
    if not found and len(quotation.parts) > 1:
        found = _around_ellipses(readings, quotation)
    inside = [spans for spans in found if not _within(spans, readings.excluded)]
    return inside or found


def _whole(readings: Readings, quotation: Quotation) -> list[Spans]:
    if not readings.plain.may_say(quotation.letters):
        return []
    found = _plainly(readings, quotation, quotation.letters)
    if not found and quotation.bare is not None and len(quotation.bare):
        found = _plainly(readings, quotation, quotation.bare)
    if not found:
        letters = readings.without_numbers or readings.plain
        for pieces in readings.across.find(quotation.letters):
            spans = [letters.span(first, last) for first, last in pieces]
            spans[-1] = widened(readings.text, *spans[-1], quotation.text)
            _add(found, tuple(joined(spans)))
    return sorted(found)


def _plainly(readings: Readings, quotation: Quotation, wanted: Letters) -> list[Spans]:
    found: list[Spans] = []
    for letters in (readings.plain, readings.without_numbers, readings.body):
        if letters is None:
            continue
        for first, last in letters.find(wanted):
            span = widened(readings.text, *letters.span(first, last), quotation.text)
            beside = readings.beside if letters is readings.body else ()
            _add(found, _without(readings.text, span, beside))
    return found


def _around_ellipses(readings: Readings, quotation: Quotation) -> list[Spans]:
    """Every part in order: for each place of the last, the nearest of those before it. So a part that stands in many places is told
    by one that stands in one."""
    chains: list[Spans] = []
    for number, part in enumerate(quotation.parts):
        places = _whole(readings, part)
        if not number:
            chains = places
            continue
        chains = [chain for spans in places if (chain := _before(chains, spans)) is not None]
        chains = _nearest_ends(chains)
        if not chains:
            return []
    return chains


def _before(chains: Sequence[Spans], spans: Spans) -> Spans | None:
    """The chain that ends the nearest before `spans`, with them."""
    near = [chain for chain in chains if 0 <= spans[0][0] - chain[-1][1] <= LEFT_OUT]
    return (*max(near, key=lambda chain: chain[-1][1]), *spans) if near else None


def _nearest_ends(chains: Sequence[Spans]) -> list[Spans]:
    """Of chains with one beginning, the one that ends first."""
    best: dict[int, Spans] = {}
    for chain in chains:
        held = best.get(chain[0][0])
        if held is None or chain[-1][1] < held[-1][1]:
            best[chain[0][0]] = chain
    return sorted(best.values())


def _add(found: list[Spans], spans: Spans) -> None:
    """Adds a place that does not overlap one that is held."""
    if spans and not any(spans[0][0] < other[-1][1] and other[0][0] < spans[-1][1] for other in found):
        found.append(spans)


def _without(text: str, span: Span, beside: Iterable[Span]) -> Spans:
    """A span without the blocks that interrupt it; one where they do not."""
    start, end = span
    out: list[Span] = []
    for low, high in sorted(beside):
        if start < low and high < end:
            out.append((start, low))
            start = high
    out.append((start, end))
    return tuple(trimmed for part in out if (trimmed := _trimmed(text, *part))[0] < trimmed[1])


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _within(spans: Spans, blocks: Sequence[Span]) -> bool:
    """Whether a place lies in blocks alone. `blocks` are in the order of the text."""
    starts = [start for start, _ in blocks]
    for start, end in spans:
        at = bisect_right(starts, start) - 1
        if at < 0 or end > blocks[at][1]:
            return False
    return True
