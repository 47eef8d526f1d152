"""Reciprocal rank fusion weighted by coverage: how many of the query's words the best matches by words hold between them.

Where a question is in another language than the library, its words are not there: what matches are names, numbers and words that only
look alike, and a list made of those, taken as an equal, pulls down a good one (Cormack, Clarke, Büttcher 2009 assume lists of like
quality). The share of words found tells this case from the rest without knowing any language. What was tried: specs/18-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.values.query import Query, TermKind
from pincite.values.search import Fused, Ranked

BEST = 10
"""Items of a list whose words are put together."""


@dataclass(frozen=True)
class CoverageFusion:
    """Implements `pincite.spec.Fuser`. A list whose items name no terms met goes by meaning, and always counts fully."""

    k: float = 60.0
    none: float = 0.6
    full: float = 0.8
    name: str = "coverage"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item. One list alone, and lists by words alone, count fully."""
        by_words = {ranker for ranker, ranking in lists.items() if any(one.terms for one in ranking[:BEST])}
        alone = len(by_words) == sum(1 for ranking in lists.values() if ranking)
        parts: dict[int, dict[str, float]] = {}
        relevance: dict[int, float] = {}
        order: dict[int, int] = {}
        for ranker, ranking in lists.items():
            weight = 1.0 if alone or ranker not in by_words else self.weight(covered(query, ranking))
            for entry in ranking:
                parts.setdefault(entry.item, {})[ranker] = weight / (self.k + entry.rank)
                relevance[entry.item] = max(relevance.get(entry.item, 0.0), entry.fraction)
                order[entry.item] = min(order.get(entry.item, entry.rank), entry.rank)
        fused = [Fused(item, sum(part.values()), relevance[item], part) for item, part in parts.items()]
        return sorted(fused, key=lambda one: (-one.score, order[one.item] if not one.score else 0, one.item))

    def weight(self, share: float) -> float:
        """What a list by words counts where this share of the query's words is found."""
        return min(1.0, max(0.0, (share - self.none) / max(1e-9, self.full - self.none)))


def words_of(query: Query) -> frozenset[str]:
    """The distinct words that a query looks for: parts of a compound, characters of a run without spaces."""
    words: set[str] = set()
    for term in query.terms:
        if term.kind is TermKind.CJK:
            words.update(term.text)
        elif term.kind is TermKind.WORD:
            words.update(term.parts or (term.text,))
    return frozenset(words)


def covered(query: Query, ranking: Sequence[Ranked]) -> float:
    """The share of the query's words that the best items of a list hold between them; 1 where there are no words to judge by."""
    words = words_of(query)
    if not words:
        return 1.0
    met = {term for one in ranking[:BEST] for term in one.terms}
    for term in query.terms:
        if term.kind is TermKind.CJK:  # a pair that is met holds its two characters
            met.update("".join(met.intersection((*term.parts, *term.variants))))
    return len(words & met) / len(words)
