"""The part of a store that a lexical ranker reads, in memory: for tests of rankers alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pincite.values.ledger import Totals
from pincite.values.search import Change, ChunkKind, ChunkText, Op, Rows


class MemoryStore:
    """Rows with their words, and the sequence of changes. `forget` drops old changes, as a store may."""

    identity = "memory"

    def __init__(self) -> None:
        self.held: dict[int, ChunkText] = {}
        self.sequence: list[Change] = []
        self._next_row = 1
        self._first = 0

    def put(self, kind: ChunkKind = ChunkKind.BODY, item: int = 1, language: str = "en", **columns: str) -> int:
        """A new row with words by column; returns it."""
        row = self._next_row
        self._next_row += 1
        self.held[row] = ChunkText(row, item, kind, language, {name: text for name, text in columns.items() if text})
        self.sequence.append(Change(self.last_change() + 1, Op.PUT, row))
        return row

    def renew(self, row: int, **columns: str) -> None:
        """The row has other words now."""
        old = self.held[row]
        self.held[row] = ChunkText(row, old.item, old.kind, old.language, columns)
        self.sequence.append(Change(self.last_change() + 1, Op.PUT, row))

    def remove(self, row: int) -> None:
        """The row is gone."""
        del self.held[row]
        self.sequence.append(Change(self.last_change() + 1, Op.GONE, row))

    def vector(self, row: int) -> None:
        """The row got a vector, which is nothing to a lexical ranker."""
        self.sequence.append(Change(self.last_change() + 1, Op.VECTOR, row))

    def forget(self) -> None:
        """No change so far can be asked for any more."""
        self._first = self.last_change()
        self.sequence = [Change(self._first, Op.VECTOR, 0)]

    def last_change(self) -> int:
        return self.sequence[-1].seq if self.sequence else 0

    def first_change(self) -> int:
        return self._first

    def changes(self, since: int, limit: int = 10_000) -> list[Change]:
        return [change for change in self.sequence if change.seq > since][:limit]

    def all_rows(self) -> Rows:
        return np.array(sorted(self.held), np.int64)

    def totals(self) -> Totals:
        return Totals(chunks=len(self.held))

    def words(self, rows: Iterable[int]) -> Iterator[ChunkText]:
        for row in rows:
            if row in self.held:
                yield self.held[row]
