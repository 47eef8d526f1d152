"""Maximal marginal relevance: each place goes to the work that is relevant and unlike those above it.

Carbonell, Goldstein: The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries, SIGIR 1998,
https://doi.org/10.1145/290941.291025.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.errors import Cancelled
from pincite.search.likeness import Floats, likeness, vectors_of_works
from pincite.spec import Cancel, Embedder, Store
from pincite.values.query import Query

PASSAGES = 64
"""Passages of a work whose vectors stand for it; of a longer one as many, evenly spread."""


@dataclass(frozen=True)
class MarginalRelevance:
    """Implements `pincite.spec.Reranker`. `relevance` is λ; a work's relevance is its place in the ranking, from 1 down to 0."""

    relevance: float = 0.7
    store: Callable[[], Store] | None = None
    embedder: Callable[[], Embedder] | None = None
    name: str = "mmr"

    def rerank(
        self, query: Query, candidates: Sequence[tuple[int, str]], cancelled: Cancel = lambda: False
    ) -> list[tuple[int, float]]:
        """The same items, best first, with scores that only tell the order. A work without vectors is like no other."""
        if cancelled():
            raise Cancelled("stopped")
        items = [item for item, _ in candidates]
        if self.store is None or self.embedder is None:
            alike = likeness([None] * len(items))
        else:
            alike = likeness(vectors_of_works(self.store(), self.embedder().facts.id, items, PASSAGES))
        order = chosen(alike, self.relevance)
        return [(items[at], 1.0 - place / len(items)) for place, at in enumerate(order)]


def chosen(alike: Floats, relevance: float) -> list[int]:
    """The order in which places are filled; of equals the better ranked."""
    left = list(range(len(alike)))
    order: list[int] = []
    nearest = np.zeros(len(alike))
    while left:
        best = max(left, key=lambda at: (relevance * (1 - at / len(alike)) - (1 - relevance) * nearest[at], -at))
        left.remove(best)
        order.append(best)
        nearest = np.maximum(nearest, alike[best])
    return order
