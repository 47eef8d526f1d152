"""What is kept of each indexed row besides its postings: an array each, in the order of indexing (the **ordinal**)."""

from __future__ import annotations

from functools import cached_property

import apsw
import numpy as np
import numpy.typing as npt

from pincite.values.quick import dataclass
from pincite.values.search import Rows, RowSet
from pincite_plugins.rankers.fts5 import batches
from pincite_plugins.rankers.fts5.batches import ITEM

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Documents:
    """All documents. `norm` is K of BM25 for each: k1·(1 − b + b·length/mean length of its kind). `rows` are their `row`s, rising, and
    `order` says where each of them is, if the rows do not rise by themselves."""

    row: Rows
    length: Floats
    kind: npt.NDArray[np.uint8]
    live: Mask
    norm: Floats
    items: int
    texts: int
    rows: Rows
    order: Rows | None

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def dead(self) -> tuple[Rows, Rows]:
        """The ordinals of rows that are gone: of items, and of all other kinds."""
        gone = np.flatnonzero(~self.live)
        item = self.kind[gone] == ITEM
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
    fields = batches.read_all(connection)
    row, length, kind, live = fields["row"], fields["length"], fields["kind"], fields["live"]
    counts, lengths = batches.sums_of(connection)
    means = np.maximum(1, lengths / np.maximum(1, counts)).astype(np.float32)
    norm = np.float32(b) * length
    common = int(counts.argmax())
    others = np.flatnonzero(kind != common)
    of_others = norm[others] / means[kind[others]]
    norm /= means[common]
    norm[others] = of_others
    norm += np.float32(1 - b)
    norm *= np.float32(k1)
    rows, order = row, None
    if not np.all(row[1:] > row[:-1]):
        order = np.argsort(row, kind="stable")
        rows = row[order]
    items = int(counts[ITEM])
    return Documents(row, length, kind, live, norm, items, int(counts.sum()) - items, rows, order)


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
