"""Z-score fusion: the sum of how far an item's score stands out in each list that holds it.

Ranks forget how sure a ranker is: a passage far above all others and one barely above them are both first. Scores of different rankers
cannot be added, but their distance from each ranker's own background can: z = (score - mean) / deviation (Savoy 2004, Combining
multiple strategies for effective monolingual and cross-language retrieval, https://doi.org/10.1023/B:INRT.0000009443.51912.e7).
Here it is counted as ln(1 + e^z): z itself where it is large, next to nothing far below the mean, and always more than not being listed.
A list by words counts as far as the library has the query's words (`pincite.search.fusing`). What was tried: specs/18-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.search.fusing import Coverage, added_up
from pincite.search.lists import background
from pincite.values.query import Query
from pincite.values.search import Fused, Ranked


@dataclass(frozen=True)
class StandingFusion(Coverage):
    """Implements `pincite.spec.Fuser`."""

    name: str = "zscore"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item."""
        weights = self.weights(query, lists)
        own = {ranker: background([entry.score for entry in ranking]) for ranker, ranking in lists.items()}

        def part(ranker: str, entry: Ranked) -> float:
            standing = own[ranker].standing(entry.score) if entry.standing is None else entry.standing
            return weights[ranker] * float(np.logaddexp(0.0, standing))

        return added_up(lists, part)
