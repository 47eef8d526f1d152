"""Works like one of the library's: by all their passages, not by their titles alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from pincite.errors import NotReady, UsageError
from pincite.search.found import item_row
from pincite.spec import Cancel, Vectors
from pincite.values.library import Item
from pincite.values.search import RowSet

if TYPE_CHECKING:
    from pincite.library import Library

PASSAGES = 64
"""Passages of a work that are compared; of a longer one as many, evenly spread."""

DEPTH = 200
"""Passages of others that each is compared with."""


@dataclass(frozen=True, slots=True)
class Similar:
    """A work, how similar it is (a mean of cosines, -1 to 1), and the nearest pair: (own passage id, the other's passage id)."""

    item: Item
    score: float
    pair: tuple[str, str]


class Near(Protocol):
    """What a ranker by vectors offers besides ranking."""

    def near(
        self, vectors: Vectors, rows: RowSet | None, limit: int, cancelled: Cancel = ...
    ) -> list[list[tuple[int, float]]]:
        """For each vector the nearest passages: (chunk row, cosine), best first."""
        ...


def similar(library: Library, id: str, limit: int, cancelled: Cancel = lambda: False) -> list[Similar]:
    """The works most like item `id`, best first, itself left out.

    Each passage of the work is compared with its nearest passages of every other work. A work's score is the mean, over the passages,
    of its best cosine with each; where it is not among the nearest of one, the least of those stands in. Raises `UsageError` for an
    item that there is not or whose texts are too short for vectors, `NotReady` where they are still to be made.
    """
    store = library.store
    item = item_row(store, id)
    own = store.rows_of_item(item)
    rows, raw = store.vectors(library.embedder.facts.id, own)
    if not len(rows):
        have, wanted = store.coverage(library.embedder.facts.id)
        if have == wanted:
            raise UsageError(f"{id}: it holds too few words to tell what is like it; name another work")
        raise NotReady(f"{id}: none of its passages has a vector yet; run `pincite index`")
    if len(rows) > PASSAGES:
        chosen = np.linspace(0, len(rows) - 1, PASSAGES).round().astype(np.intp)
        rows, raw = rows[chosen], raw[chosen]
    every = store.all_rows()
    others = RowSet(every[~np.isin(every, own)])
    ranker = cast(Near, library.ranker("vector"))
    found = ranker.near(raw.astype(np.float32), others, DEPTH, cancelled)
    return _gathered(library, rows.tolist(), found, limit)


def _gathered(
    library: Library, rows: Sequence[int], found: Sequence[Sequence[tuple[int, float]]], limit: int
) -> list[Similar]:
    store = library.store
    seen = np.unique(np.array([row for nearest in found for row, _ in nearest], np.int64))
    item_of = dict(zip(seen.tolist(), store.items_of(seen).tolist(), strict=True))
    gains: dict[int, float] = {}
    pairs: dict[int, tuple[float, int, int]] = {}
    least = 0.0
    for mine, nearest in zip(rows, found, strict=True):
        low = nearest[-1][1] if nearest else 0.0
        least += low
        best: dict[int, float] = {}
        for row, cosine in nearest:  # best first: the first of an item is its best
            item = item_of[row]
            if item not in best:
                best[item] = cosine
                pairs[item] = max(pairs.get(item, (-2.0, 0, 0)), (cosine, mine, row))
        for item, cosine in best.items():
            gains[item] = gains.get(item, 0.0) + cosine - low
    order = sorted((item for item in gains if item >= 0), key=lambda item: (-gains[item], item))[:limit]
    records = store.records(order)
    chunks = store.chunks([row for item in order for row in pairs[item][1:]])
    return [
        Similar(
            records[item].item,
            (least + gains[item]) / max(1, len(rows)),
            (chunks[pairs[item][1]].id, chunks[pairs[item][2]].id),
        )
        for item in order
        if item in records
    ]
