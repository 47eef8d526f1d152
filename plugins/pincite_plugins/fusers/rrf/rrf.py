"""Reciprocal Rank Fusion: the sum of 1 / (k + rank) over the lists that hold an item.

Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods, SIGIR 2009,
https://doi.org/10.1145/1571941.1572114 (k = 60 is theirs). Ranks are dense: equal scores share one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.values.query import Query
from pincite.values.search import Fused, Ranked


@dataclass(frozen=True)
class ReciprocalRankFusion:
    """Implements `pincite.spec.Fuser`."""

    k: float = 60.0
    name: str = "rrf"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item."""
        parts: dict[int, dict[str, float]] = {}
        relevance: dict[int, float] = {}
        for ranker, ranking in lists.items():
            for entry in ranking:
                parts.setdefault(entry.item, {})[ranker] = 1.0 / (self.k + entry.rank)
                relevance[entry.item] = max(relevance.get(entry.item, 0.0), entry.fraction)
        fused = [Fused(item, sum(part.values()), relevance[item], part) for item, part in parts.items()]
        return sorted(fused, key=lambda one: (-one.score, one.item))
