"""Z-score fusion: the sum of how far an item's score stands out in each list that holds it.

Ranks forget how sure a ranker is: a passage far above all others and one barely above them are both first. Scores of different rankers
cannot be added, but their distance from each ranker's own background can: z = (score - mean) / deviation (Savoy 2004, Combining
multiple strategies for effective monolingual and cross-language retrieval, https://doi.org/10.1023/B:INRT.0000009443.51912.e7).
Here it is counted as ln(1 + e^z): z itself where it is large, next to nothing far below the mean, and always more than not being listed.
A list by words counts as far as the library has the query's words (`pincite.search.fusing`). Where a list by meaning is there, too, works
that are alike lend each other some of their scores (`neighbours`). What was tried: specs/18-fusion.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pincite.search.covered import by_words
from pincite.search.fusing import Coverage, added_up
from pincite.search.lists import background
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.search import Fused, Ranked
from pincite_plugins.fusers.zscore.neighbours import Floats, moved


@dataclass(frozen=True)
class StandingFusion(Coverage):
    """Implements `pincite.spec.Fuser`. `alike`: item rows → how alike they are (n, n); without it scores stay as they are added up."""

    name: str = "zscore"
    neighbours: float = 0.2
    alike: Callable[[Sequence[int]], Floats] | None = None

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item."""
        weights = self.weights(query, lists)
        own = {ranker: background([entry.score for entry in ranking]) for ranker, ranking in lists.items()}

        def part(ranker: str, entry: Ranked) -> float:
            standing = own[ranker].standing(entry.score) if entry.standing is None else entry.standing
            return weights[ranker] * float(np.logaddexp(0.0, standing))

        fused = added_up(lists, part)
        several = sum(1 for ranking in lists.values() if ranking) > 1
        by_meaning = any(ranking for ranker, ranking in lists.items() if ranker not in by_words(lists))
        if self.alike is None or not self.neighbours or not (several and by_meaning):
            return fused
        return moved(fused, self.alike, self.neighbours)
