"""Works that are alike answer alike: each score moves towards those of the works nearest to it.

The cluster hypothesis, used as Diaz 2005 does (Regularizing ad hoc retrieval scores, https://doi.org/10.1145/1099554.1099722): a work that
stands among works which answer is more likely to answer than its own score says, and one that stands alone among strangers less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pincite.search.likeness import likeness, vectors_of_works
from pincite.spec import Embedder, Store
from pincite.values.search import Fused

Floats = npt.NDArray[np.floating]

HEAD = 100
"""Works at the top of a ranking that are compared; below it their order hardly matters."""

NEAREST = 10
"""Works that each is compared with."""

PASSAGES = 16
"""Passages of a work whose mean stands for it."""


class Likeness:
    """Cosines of works, from the vectors that the store has of the configured model."""

    def __init__(self, store: Callable[[], Store], embedder: Callable[[], Embedder]) -> None:
        self._store = store
        self._embedder = embedder

    def __call__(self, items: Sequence[int]) -> Floats:
        """(n, n), from 0 to 1; a work without vectors is like no other."""
        return likeness(vectors_of_works(self._store(), self._embedder().facts.id, items, PASSAGES))


def moved(fused: Sequence[Fused], alike: Callable[[Sequence[int]], Floats], share: float) -> list[Fused]:
    """The ranking with its head in the order of the moved scores; what each work gained or lost is its part `neighbours`.

    Every new score is a mean of old ones of the head, so that none falls below what comes after it.
    """
    head = fused[:HEAD]
    old = np.array([one.score for one in head], np.float64)
    new = averaged(old, alike([one.item for one in head]), share)
    found = [
        replace(one, score=float(score), parts={**one.parts, "neighbours": float(score - one.score)})
        for one, score in zip(head, new, strict=True)
    ]
    return [*sorted(found, key=lambda one: (-one.score, one.item if one.score else 0)), *fused[HEAD:]]


def averaged(scores: Floats, alike: Floats, share: float) -> Floats:
    """Each of `scores` (n,) averaged with those of its nearest works, which count `share` of their likeness (n, n) to it; its own counts 1.
    Alone among strangers, a score stays as it is."""
    near = np.array(alike, np.float64)
    np.fill_diagonal(near, 0.0)
    if len(near) > NEAREST:
        least = -np.partition(-near, NEAREST - 1, axis=1)[:, NEAREST - 1 : NEAREST]
        near[near < least] = 0.0
    return np.asarray((scores + share * (near @ scores)) / (1 + share * near.sum(axis=1)))
