"""Maximal marginal relevance: each place goes to the work that is relevant and unlike those above it.

Carbonell, Goldstein: The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries, SIGIR 1998,
https://doi.org/10.1145/290941.291025.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.errors import Cancelled
from pincite.spec import Cancel, Embedder, Store
from pincite.values.query import Query

PASSAGES = 64
"""Passages of a work whose vectors stand for it; of a longer one as many, evenly spread."""

Floats = npt.NDArray[np.float32]


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
        alike = likeness(self._vectors(items))
        order = chosen(alike, self.relevance)
        return [(items[at], 1.0 - place / len(items)) for place, at in enumerate(order)]

    def _vectors(self, items: Sequence[int]) -> list[Floats | None]:
        if self.store is None or self.embedder is None:
            return [None] * len(items)
        store, model = self.store(), self.embedder().facts.id
        found: list[Floats | None] = []
        for item in items:
            rows = store.rows_of_item(item)
            if len(rows) > PASSAGES:
                rows = rows[np.linspace(0, len(rows) - 1, PASSAGES).round().astype(np.intp)]
            _, raw = store.vectors(model, np.sort(rows))
            found.append(raw.astype(np.float32).mean(axis=0) if len(raw) else None)
        return found


def likeness(vectors: Sequence[Floats | None]) -> Floats:
    """Cosines (n, n) of what sets works apart: their vectors less the mean of all, since all are about the query. Below 0 counts as 0."""
    alike = np.zeros((len(vectors), len(vectors)), np.float32)
    known = [at for at, vector in enumerate(vectors) if vector is not None]
    if len(known) > 2:
        rows = np.array([vectors[at] for at in known], np.float32)
        rows -= rows.mean(axis=0)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        alike[np.ix_(known, known)] = np.clip(rows @ rows.T, 0.0, 1.0)
    return alike


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
