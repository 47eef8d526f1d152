"""Z-score fusion: the sum of how far an item's score stands out in each list that holds it.

Ranks forget how sure a ranker is: a passage far above all others and one barely above them are both first. Scores of different rankers
cannot be added, but their distance from each ranker's own background can: z = (score - mean) / deviation (Savoy 2004, Combining
multiple strategies for effective monolingual and cross-language retrieval, https://doi.org/10.1023/B:INRT.0000009443.51912.e7).
Here it is counted as ln(1 + e^z): z itself where it is large, next to nothing far below the mean, and always more than not being listed.
A list by words counts as far as the library has the query's words (`pincite.search.covered`). What was tried: specs/18-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.search.covered import by_words, covered
from pincite.search.lists import background
from pincite.values.query import Query
from pincite.values.search import Fused, Ranked


@dataclass(frozen=True)
class StandingFusion:
    """Implements `pincite.spec.Fuser`. A list whose items name no terms met goes by meaning, and always counts fully."""

    none: float = 0.6
    full: float = 0.8
    name: str = "zscore"

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """The union of the lists, best first; equal scores by item. One list alone, and lists by words alone, count fully."""
        wordy = by_words(lists)
        alone = len(wordy) == sum(1 for ranking in lists.values() if ranking)
        parts: dict[int, dict[str, float]] = {}
        relevance: dict[int, float] = {}
        order: dict[int, int] = {}
        for ranker, ranking in lists.items():
            weight = 1.0 if alone or ranker not in wordy else self.weight(covered(query, ranking))
            own = background([entry.score for entry in ranking])
            for entry in ranking:
                standing = own.standing(entry.score) if entry.standing is None else entry.standing
                parts.setdefault(entry.item, {})[ranker] = weight * float(np.logaddexp(0.0, standing))
                relevance[entry.item] = max(relevance.get(entry.item, 0.0), entry.fraction)
                order[entry.item] = min(order.get(entry.item, entry.rank), entry.rank)
        fused = [Fused(item, sum(part.values()), relevance[item], part) for item, part in parts.items()]
        return sorted(fused, key=lambda one: (-one.score, order[one.item] if not one.score else 0, one.item))

    def weight(self, share: float) -> float:
        """What a list by words counts where this share of the query's words is found."""
        return min(1.0, max(0.0, (share - self.none) / max(1e-9, self.full - self.none)))
