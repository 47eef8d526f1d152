"""What is kept of each indexed row besides its postings: an array each, in the order of indexing (the **ordinal**)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import apsw
import numpy as np
import numpy.typing as npt

from pincite.values.search import ChunkKind, Rows, RowSet

DOC = np.dtype([("row", "<i8"), ("length", "<f4"), ("kind", "u1"), ("live", "u1")])
"""One document as stored in a batch: chunk row, weighted length in tokens, index into `KINDS`, whether it still is."""

KINDS = tuple(ChunkKind)
ITEM = KINDS.index(ChunkKind.ITEM)

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Documents:
    """All documents. `norm` is K of BM25 for each: k1·(1 − b + b·length/mean length of its kind)."""

    docs: npt.NDArray[np.void]
    live: Mask
    norm: Floats
    items: int
    texts: int
    rows: Rows
    order: Rows | None

    def __len__(self) -> int:
        return len(self.docs)

    @cached_property
    def dead(self) -> tuple[Rows, Rows]:
        """The ordinals of rows that are gone: of items, and of all other kinds."""
        gone = np.flatnonzero(~self.live)
        item = self.docs["kind"][gone] == ITEM
        return gone[item], gone[~item]

    @property
    def count(self) -> int:
        """How many rows are indexed and not gone."""
        return self.items + self.texts

    def ordinals(self, rows: Rows) -> Rows:
        """The ordinals of those of `rows` that are indexed."""
        if not len(self.rows):
            return np.empty(0, np.int64)
        at = np.searchsorted(self.rows, rows)
        at[at == len(self.rows)] = 0
        found = at[self.rows[at] == rows]
        return found if self.order is None else self.order[found]

    def admitted(self, rows: RowSet | None) -> Mask | None:
        """Which ordinals may answer, or None where all may."""
        if rows is None:
            return None if self.count == len(self) else self.live
        mask = np.zeros(len(self), np.bool_)
        mask[self.ordinals(rows.rows)] = True
        return mask & self.live


def load(connection: apsw.Connection, k1: float, b: float) -> Documents:
    """Reads every batch."""
    parts = [np.frombuffer(data, DOC) for (data,) in connection.execute("SELECT docs FROM batch ORDER BY base")]
    docs = np.concatenate(parts) if parts else np.empty(0, DOC)
    live = docs["live"].astype(np.bool_)
    kinds, lengths = docs["kind"].copy(), docs["length"].copy()
    living = kinds if live.all() else kinds[live]
    counts = np.bincount(living, minlength=len(KINDS))
    sums = np.bincount(kinds, weights=lengths * live, minlength=len(KINDS))
    means = np.maximum(1, sums / np.maximum(1, counts)).astype(np.float32)
    norm = np.float32(k1) * (np.float32(1 - b) + np.float32(b) * lengths / means[kinds])
    rows = docs["row"].astype(np.int64)
    order = None
    if len(rows) > 1 and not np.all(rows[1:] > rows[:-1]):
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
    items = int(counts[ITEM])
    return Documents(docs, live, norm, items, int(counts.sum()) - items, rows, order)


def gone_of(connection: apsw.Connection) -> tuple[int, int]:
    """How many rows are gone, and how many there are with them; nothing of what a search needs is worked out."""
    live = count = 0
    for (data,) in connection.execute("SELECT docs FROM batch"):
        docs = np.frombuffer(data, DOC)
        live += int(np.count_nonzero(docs["live"]))
        count += len(docs)
    return count - live, count


def bury(connection: apsw.Connection, rows: Rows) -> None:
    """Marks rows as gone."""
    wanted = np.unique(rows)
    for base, data in connection.execute("SELECT base, docs FROM batch").fetchall():
        docs = np.frombuffer(data, DOC).copy()
        gone = np.isin(docs["row"], wanted) & (docs["live"] == 1)
        if gone.any():
            docs["live"][gone] = 0
            connection.execute("UPDATE batch SET docs = ? WHERE base = ?", (docs.tobytes(), base))
