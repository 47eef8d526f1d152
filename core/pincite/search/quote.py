"""The line of a passage that is worth reading, and its marks (specs/19-sentences.md)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from pincite.search.labels import CAPTIONED, caption_of
from pincite.search.worth import Candidate
from pincite.spec import Picker
from pincite.text.marks import marks
from pincite.text.scripts import THAI_LIKE
from pincite.text.sentences import sentences
from pincite.values.query import Query
from pincite.values.search import Quotable, Sought

LONGEST = 300
"""Characters of a sentence that is shown; a longer one is windowed."""

LEAST_WORDS = 4
"""Words with a letter that a sentence needs to be picked where others have them: fragments tell nothing alone."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_MAIL = re.compile(r"\w\s?@\s?[\w-]+\.\w")

_NO_STOPS = re.compile(f"[{THAI_LIKE}]{{8}}")

Span = tuple[int, int]


def quoted(
    query: Query, candidates: Sequence[Candidate], pickers: Sequence[Picker], sought: tuple[Sought, ...] = ()
) -> list[Span]:
    """For each passage the span of its line: of a caption or table its caption, else what the first picker that picks one picks, else the
    first sentence. Best passages first: a picker with a limit of time spends it in this order."""
    found: list[Span | None] = [_caption(one) for one in candidates]
    offered: dict[int, Quotable] = {}
    for at, one in enumerate(candidates):
        if found[at] is None:
            offered[at] = _offered(one, sought)
    for picker in pickers:
        open_ones = [at for at in offered if found[at] is None]
        for at, chosen in zip(open_ones, _picked(picker, query, [offered[at] for at in open_ones]), strict=True):
            found[at] = chosen
    spans = []
    for at, one in enumerate(candidates):
        start, end = found[at] or offered[at].sentences[0]
        spans.append(windowed(query, one.text, (int(start), int(end)), one.chunk.language))
    return spans


def ordered(
    query: Query, candidates: Sequence[Candidate], pickers: Sequence[Picker], most: int, sought: tuple[Sought, ...] = ()
) -> list[Candidate]:
    """The passages of one work, the first `most` in the order that the first picker with a say in it gives them; as they are where a label
    was asked for."""
    order = next((found for one in pickers if (found := getattr(one, "order", None)) is not None), None)
    if order is None or len(candidates) < 2 or any(one.gained for one in candidates):
        return list(candidates)
    first = order(query, tuple(_offered(one, sought) for one in candidates[:most]))
    return [*(candidates[at] for at in first), *candidates[most:]]


def _offered(one: Candidate, sought: tuple[Sought, ...]) -> Quotable:
    return Quotable(one.text, worth_picking(one.text), one.own, one.chunk.language, one.sought or sought, one.worth)


@lru_cache(64)
def worth_picking(text: str) -> tuple[Span, ...]:
    """The sentences of a text without fragments, as long as any is left; never empty."""
    spans = tuple(span for span in sentences(text) if span[1] > span[0])
    if _NO_STOPS.search(text):
        spans = _stretches(text, spans)
    whole = tuple(span for span in spans if _counts(text[span[0] : span[1]]))
    return whole or spans or ((0, len(text)),)


def _stretches(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Thai, Lao, Burmese and Khmer write no full stop: what the sentence rules cut at a space by length is put together, from each such
    space on, up to what can be shown. The stretches overlap, and one that is the end of the one before is left out."""
    out: list[Span] = []
    for at, (start, end) in enumerate(spans):
        for low, high in spans[at + 1 :]:
            if high - start > LONGEST or "\n\n" in text[end:low]:
                break
            end = high
        if not out or end > out[-1][1]:
            out.append((start, end))
    return tuple(out)


def windowed(query: Query, text: str, span: Span, language: str = "") -> Span:
    """At most `LONGEST` characters of a long sentence, where most of the query's words stand; never half a word."""
    start, end = span
    if end - start <= LONGEST:
        return span
    marked = marks(query, text[start:end], language=language)
    return _window(text, start, end, [start + low for low, _ in marked])


def _window(text: str, start: int, end: int, marked: Sequence[int]) -> Span:
    best, at = 0, start
    for number, first in enumerate(marked):
        held = bisect_left(marked, first + LONGEST * 3 // 4) - number
        if held > best:
            best, at = held, first
    low = max(start, min(at - LONGEST // 4, end - LONGEST))
    high = min(end, low + LONGEST)
    if low > start and not text[low - 1].isspace():
        space = _space_after(text, low, at)
        low = low if space < 0 else space + 1
    if high < end and not text[high].isspace():
        space = _space_before(text, max(low + 1, at + 1), high)
        high = high if space < 0 else space
    while high > low and text[high - 1].isspace():
        high -= 1
    return low, high


def _space_after(text: str, low: int, high: int) -> int:
    return next((at for at in range(low, high) if text[at].isspace()), -1)


def _space_before(text: str, low: int, high: int) -> int:
    return next((at for at in range(high - 1, low - 1, -1) if text[at].isspace()), -1)


def _counts(sentence: str) -> bool:
    if "@" in sentence and _MAIL.search(sentence):
        return False
    enough = next(islice(_WORD.finditer(sentence), LEAST_WORDS - 1, None), None)
    return enough is not None or sum(char > "\u2e80" for char in sentence) >= 6


def _caption(candidate: Candidate) -> Span | None:
    """A caption is quoted from its beginning: its label, and as many whole sentences as there is room for."""
    text = candidate.text
    if candidate.chunk.kind not in CAPTIONED or caption_of(text[:80]) is None:
        return None
    spans = sentences(text)
    if not spans:
        return None
    start, end = spans[0]
    for _, following in spans[1:]:
        if following - start > LONGEST or _counts(text[start:end]):
            break
        end = following
    return start, end


def _picked(picker: Picker, query: Query, passages: Sequence[Quotable]) -> list[Span | None]:
    if not passages:
        return []
    together = getattr(picker, "pick_all", None)
    if together is None:
        return [picker.pick(query, one.text, one.sentences) for one in passages]
    return list(together(query, tuple(passages)))
