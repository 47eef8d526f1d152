"""Passages that say the same: overlapping chunks, and the same words in two places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pincite.search.worth import Candidate, least_worth
from pincite.values.search import ChunkKind

SAME_WORDS = 0.85
"""Share of the shorter one's words that the other one has, too, from which on only one is shown."""

OVERLAP = 0.4
"""Share of the shorter one's characters that stand in both, from which on only one is shown."""


def same(one: Candidate, other: Candidate) -> bool:
    """Whether showing both would tell a person nothing more."""
    if one.chunk.child and one.chunk.child == other.chunk.child:
        shorter = min(_length(one), _length(other))
        shared = sum(
            max(0, min(end, last) - max(start, first))
            for start, end in one.chunk.spans
            for first, last in other.chunk.spans
        )
        if shorter and shared >= OVERLAP * shorter:
            return True
    mine, theirs = _words(one.text), _words(other.text)
    fewer = min(len(mine), len(theirs))
    return len(mine & theirs) >= SAME_WORDS * max(1, fewer)


def distinct(candidates: Sequence[Candidate], most: int = 0) -> list[Candidate]:
    """Best first, each thing said once (with its page, where one of the two has one): all that may be shown, or up to `most`."""
    ordered = sorted(candidates, key=lambda one: (-one.worth, one.chunk.row))
    least = least_worth(ordered[:1])
    kept: list[Candidate] = []
    for one in ordered:
        if len(kept) >= most and one.worth < least:
            break
        twin = next((at for at, other in enumerate(kept) if same(one, other)), None)
        if twin is None:
            kept.append(one)
        elif kept[twin].chunk.page is None and one.chunk.page is not None and kept[twin].chunk.kind is ChunkKind.ITEM:
            kept[twin] = replace(one, worth=kept[twin].worth)
    return kept


def _length(candidate: Candidate) -> int:
    return sum(end - start for start, end in candidate.chunk.spans)


@lru_cache(256)
def _words(text: str) -> frozenset[str]:
    words = text.split()
    if len(words) < 8:  # a script without spaces: pairs of characters stand for words
        flat = "".join(words)
        return frozenset(flat[at : at + 2] for at in range(max(1, len(flat) - 1)))
    return frozenset(words)
