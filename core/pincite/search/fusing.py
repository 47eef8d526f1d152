"""What fusers share: parts of every list added up, and lists by words weighed by how many of the query's words were found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pincite.search.covered import by_words, covered
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.search import Fused, Ranked

Part = Callable[[str, Ranked], float]
"""What a list (its ranker's name) gives an item that it holds."""


def added_up(lists: Mapping[str, Sequence[Ranked]], part: Part) -> list[Fused]:
    """The union of the lists by the sum of their parts, best first; equal scores by item, those of no score in the order of the lists.
    An item's relevance is the best fraction that a list gives it."""
    parts: dict[int, dict[str, float]] = {}
    relevance: dict[int, float] = {}
    order: dict[int, int] = {}
    for ranker, ranking in lists.items():
        for entry in ranking:
            parts.setdefault(entry.item, {})[ranker] = part(ranker, entry)
            relevance[entry.item] = max(relevance.get(entry.item, 0.0), entry.fraction)
            order[entry.item] = min(order.get(entry.item, entry.rank), entry.rank)
    fused = [Fused(item, sum(part.values()), relevance[item], part) for item, part in parts.items()]
    return sorted(fused, key=lambda one: (-one.score, order[one.item] if not one.score else 0, one.item))


@dataclass(frozen=True)
class Coverage:
    """How far lists by words count: not at all where `none` of the query's words (a share) are found or fewer, fully from `full` on."""

    none: float = 0.6
    full: float = 0.8

    def weight(self, share: float) -> float:
        """What a list by words counts where this share of the query's words is found."""
        return min(1.0, max(0.0, (share - self.none) / max(1e-9, self.full - self.none)))

    def weights(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> dict[str, float]:
        """Of each list. One whose items name no terms met goes by meaning, and counts fully; so do one list alone, and lists by words
        alone."""
        wordy = by_words(lists)
        alone = len(wordy) == sum(1 for ranking in lists.values() if ranking)
        return {
            ranker: 1.0 if alone or ranker not in wordy else self.weight(covered(query, ranking))
            for ranker, ranking in lists.items()
        }
