"""Reciprocal rank fusion weighted by coverage: how many of the query's words the best matches by words hold between them.

Where a question is in another language than the library, its words are not there: what matches are names, numbers and words that only
look alike, and a list made of those, taken as an equal, pulls down a good one (Cormack, Clarke, Büttcher 2009 assume lists of like
quality). The share of words found tells this case from the rest without knowing any language. What was tried: specs/18-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.search.fusing import Coverage, added_up
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.search import Fused, Ranked


@dataclass(frozen=True)
class CoverageFusion(Coverage):
    """Implements `pincite.spec.Fuser`."""

    k: float = 60.0
    name: str = "coverage"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item."""
        weights = self.weights(query, lists)
        return added_up(lists, lambda ranker, entry: weights[ranker] / (self.k + entry.rank))
