"""Reciprocal Rank Fusion: the sum of 1 / (k + rank) over the lists that hold an item.

Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods, SIGIR 2009,
https://doi.org/10.1145/1571941.1572114 (k = 60 is theirs). Ranks are dense: equal scores share one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.search.fusing import added_up
from pincite.values.query import Query
from pincite.values.search import Fused, Ranked


@dataclass(frozen=True)
class ReciprocalRankFusion:
    """Implements `pincite.spec.Fuser`."""

    k: float = 60.0
    name: str = "rrf"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item."""
        return added_up(lists, lambda ranker, entry: 1.0 / (self.k + entry.rank))
