"""Convex combination: the weighted mean of what each ranker makes of an item, as a fraction of 1.

Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, ACM TOIS 2023, https://doi.org/10.1145/3596512. Their scores are
scaled by each query's extremes; here they come calibrated (`Evidence.fraction`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.search.fusing import added_up
from pincite.values.query import Query
from pincite.values.search import Fused, Ranked

TIE = 1e-9
"""Of a rank: fractions end at 0 and at 1, where the ranker's own order must still hold."""


@dataclass(frozen=True)
class ConvexFusion:
    """Implements `pincite.spec.Fuser`."""

    weights: Mapping[str, float] = field(default_factory=dict)
    name: str = "convex"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item. A list that does not hold an item gives it 0."""
        share = {ranker: max(0.0, self.weights.get(ranker, 1.0)) for ranker, ranking in lists.items() if ranking}
        whole = sum(share.values()) or 1.0
        return added_up(lists, lambda ranker, entry: share[ranker] / whole * entry.fraction + TIE / entry.rank)
