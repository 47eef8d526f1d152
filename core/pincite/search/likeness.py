"""How alike works are, by the vectors of their passages: for what puts the works of one answer in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite.search.products import products
from pincite.spec import Store

Floats = npt.NDArray[np.float32]


def vectors_of_works(store: Store, model: str, items: Sequence[int], passages: int) -> list[Floats | None]:
    """For each item the mean of its passages' vectors, (width,); of a longer work `passages` of them, evenly spread. None without any."""
    none = np.zeros(0, np.int64)
    rows_of = store.rows_of_items(items)
    chosen = [_spread(rows_of.get(item, none), passages) for item in items]
    every = np.concatenate([none, *chosen])
    owner = np.repeat(np.arange(len(items)), [len(rows) for rows in chosen])
    order = np.argsort(every)
    rows, raw = store.vectors(model, every[order])
    at = owner[order][np.searchsorted(every, rows, sorter=order)]
    sums = np.zeros((len(items), raw.shape[1]), np.float32)
    np.add.at(sums, at, raw)
    counts = np.bincount(at, minlength=len(items))
    return [total / count if count else None for total, count in zip(sums, counts, strict=True)]


def likeness(vectors: Sequence[Floats | None]) -> Floats:
    """Cosines (n, n) of what sets works apart: their vectors less the mean of all, since all are about the query. Below 0 counts as 0."""
    alike = np.zeros((len(vectors), len(vectors)), np.float32)
    known = [at for at, vector in enumerate(vectors) if vector is not None]
    if len(known) > 2:
        rows = np.array([vectors[at] for at in known], np.float32)
        rows -= rows.mean(axis=0)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        alike[np.ix_(known, known)] = np.clip(products(rows, rows), 0.0, 1.0)
    return alike


def _spread(rows: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    return rows if len(rows) <= count else rows[np.linspace(0, len(rows) - 1, count).round().astype(np.intp)]
