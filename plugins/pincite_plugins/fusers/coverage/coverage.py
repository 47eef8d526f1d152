"""Reciprocal rank fusion weighted by coverage: how many of the query's words the best matches by words hold between them.

Where a question is in another language than the library, its words are not there: what matches are names, numbers and words that only
look alike, and a list made of those, taken as an equal, pulls down a good one (Cormack, Clarke, Büttcher 2009 assume lists of like
quality). The share of words found tells this case from the rest without knowing any language. What was tried: specs/18-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.search.covered import by_words, covered
from pincite.values.query import Query
from pincite.values.search import Fused, Ranked


@dataclass(frozen=True)
class CoverageFusion:
    """Implements `pincite.spec.Fuser`. A list whose items name no terms met goes by meaning, and always counts fully."""

    k: float = 60.0
    none: float = 0.6
    full: float = 0.8
    name: str = "coverage"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item. One list alone, and lists by words alone, count fully."""
        wordy = by_words(lists)
        alone = len(wordy) == sum(1 for ranking in lists.values() if ranking)
        parts: dict[int, dict[str, float]] = {}
        relevance: dict[int, float] = {}
        order: dict[int, int] = {}
        for ranker, ranking in lists.items():
            weight = 1.0 if alone or ranker not in wordy else self.weight(covered(query, ranking))
            for entry in ranking:
                parts.setdefault(entry.item, {})[ranker] = weight / (self.k + entry.rank)
                relevance[entry.item] = max(relevance.get(entry.item, 0.0), entry.fraction)
                order[entry.item] = min(order.get(entry.item, entry.rank), entry.rank)
        fused = [Fused(item, sum(part.values()), relevance[item], part) for item, part in parts.items()]
        return sorted(fused, key=lambda one: (-one.score, order[one.item] if not one.score else 0, one.item))

    def weight(self, share: float) -> float:
        """What a list by words counts where this share of the query's words is found."""
        return min(1.0, max(0.0, (share - self.none) / max(1e-9, self.full - self.none)))
