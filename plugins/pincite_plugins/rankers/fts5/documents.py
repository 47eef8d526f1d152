"""What is kept of each indexed row besides its postings: an array each, in the order of indexing (the **ordinal**)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from pincite.errors import NotReady
from pincite.values.quick import dataclass
from pincite.values.search import Rows, RowSet
from pincite_plugins.rankers.fts5 import batches
from pincite_plugins.rankers.fts5.batches import ITEM

TRIES = 10
"""How often the batches are read where others write to the index meanwhile."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Runs:
    """Which rows the documents that are not gone stand for: of each run its first ordinal, the row of that, and how many there are."""

    ordinal: Rows
    row: Rows
    count: Rows

    @cached_property
    def rising(self) -> Rows:
        """The runs in the order of their rows."""
        return np.argsort(self.row)

    def rows_of(self, ordinals: npt.NDArray[np.integer[Any]]) -> Rows:
        """The row of each document."""
        at = np.searchsorted(self.ordinal, ordinals, "right") - 1
        return self.row[at] + (ordinals - self.ordinal[at])

    def ordinals(self, rows: Rows) -> Rows:
        """The ordinals of those of `rows` that are indexed and not gone."""
        if not len(self.row):
            return np.empty(0, np.int64)
        at = self.rising[np.searchsorted(self.row, rows, "right", self.rising) - 1]
        after = rows - self.row[at]
        held = (after >= 0) & (after < self.count[at])
        return self.ordinal[at[held]] + after[held]


@dataclass(frozen=True, eq=False)
class Documents:
    """All documents. `norm` is K of BM25 for each: k1·(1 − b + b·length/mean length of its kind). `alive`: None where none is gone."""

    kind: npt.NDArray[np.uint8]
    norm: Floats
    alive: Mask | None
    items: int
    texts: int
    runs: Runs

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def dead(self) -> tuple[Rows, Rows]:
        """The ordinals of rows that are gone: of items, and of all other kinds."""
        gone = np.empty(0, np.int64) if self.alive is None else np.flatnonzero(~self.alive)
        item = self.kind[gone] == ITEM
        return gone[item], gone[~item]

    @cached_property
    def live(self) -> Mask:
        """Which are not gone."""
        return np.ones(len(self), np.bool_) if self.alive is None else self.alive

    @property
    def count(self) -> int:
        """How many rows are indexed and not gone."""
        return self.items + self.texts

    def admitted(self, rows: RowSet | None) -> Mask | None:
        """Which ordinals may answer, or None where all may."""
        if rows is None:
            return self.alive
        mask = np.zeros(len(self), np.bool_)
        mask[self.runs.ordinals(rows.rows)] = True
        return mask


def load(connection: apsw.Connection, k1: float, b: float) -> Documents:
    """Reads every batch. Raises `NotReady` where others have written to the index each time meanwhile."""
    for _ in range(TRIES):
        found = _loaded(connection, k1, b)
        if found is not None:
            return found
    raise NotReady("the index of words is being written; ask again")


def _loaded(connection: apsw.Connection, k1: float, b: float) -> Documents | None:
    """None where the batches are not those that were counted. Each is done with before the next is read: memory that was never touched
    costs more than what is done with it."""
    counts, lengths = batches.sums_of(connection)
    means = np.maximum(1, lengths / np.maximum(1, counts)).astype(np.float32)
    common, items, size = int(counts.argmax()), int(counts[ITEM]), batches.sum_of_counts(connection)
    kind, norm = np.empty(size, np.uint8), np.empty(size, np.float32)
    gone = counts.sum() < size
    alive = np.ones(size, np.bool_) if gone else None
    runs, at = [], 0
    for batch in batches.read_all(connection):
        here = slice(at, at + len(batch.kind))
        if here.stop > size:
            return None
        kind[here] = batch.kind
        norms = np.multiply(batch.length, np.float32(b), out=norm[here])
        others = np.flatnonzero(batch.kind != common)
        of_others = norms[others] / means[batch.kind[others]]
        norms /= means[common]
        norms[others] = of_others
        norms += np.float32(1 - b)
        norms *= np.float32(k1)
        if alive is not None and batch.live is not None:
            alive[here] = batch.live
        runs.append(batch.runs)
        at = here.stop
    if at < size:
        return None
    every = np.concatenate(runs) if runs else np.empty(0, batches.RUN)
    return Documents(kind, norm, alive, items, int(counts.sum()) - items, _runs(every, alive))


def _runs(runs: npt.NDArray[np.void], alive: Mask | None) -> Runs:
    if alive is None:
        count = runs["count"].astype(np.int64)
        return Runs(np.cumsum(count) - count, runs["row"].astype(np.int64), count)
    ordinal = np.flatnonzero(alive)
    row = batches.spread(runs)[ordinal]
    starts = np.flatnonzero((np.diff(ordinal, prepend=-2) != 1) | (np.diff(row, prepend=-2) != 1))
    return Runs(ordinal[starts], row[starts], np.diff(starts, append=len(row)))


def gone_of(connection: apsw.Connection) -> tuple[int, int]:
    """How many rows are gone, and how many there are with them."""
    count = batches.sum_of_counts(connection)
    return count - int(batches.sums_of(connection)[0].sum()), count


def bury(connection: apsw.Connection, rows: Rows) -> None:
    """Marks rows as gone."""
    wanted = np.unique(rows)
    for base in batches.bases(connection):
        docs = batches.read(connection, base)
        gone = np.isin(docs["row"], wanted) & (docs["live"] == 1)
        if gone.any():
            docs["live"][gone] = 0
            batches.update(connection, base, docs)
