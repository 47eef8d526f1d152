"""How the index keeps up with the store: what is put and gone since the last time, or everything anew."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator, Mapping

import apsw
import numpy as np

from pincite.errors import Cancelled
from pincite.spec import Cancel, Store
from pincite.values.search import Op
from pincite_plugins.rankers.fts5 import batches
from pincite_plugins.rankers.fts5.database import Database, about, set_about, version_of
from pincite_plugins.rankers.fts5.documents import bury, gone_of
from pincite_plugins.rankers.fts5.lexicon import Lexicon
from pincite_plugins.rankers.fts5.writer import Batch

ROWS = 2_000
"""Rows whose words are taken from the store at a time."""

CHANGES = 20_000
"""Changes taken at a time."""

REBUILD_AT = 0.3
"""Share of rows that are gone above which the index is made anew: frequencies still count them."""


@contextlib.contextmanager
def _nothing_collected() -> Iterator[None]:
    """Keeps the collector from looking through a batch's many rows: nothing among them refers back to itself."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Updater:
    """Writes the index. `weights` of columns; `stems`: whether a word finds its other forms."""

    def __init__(self, store: Store, database: Database, weights: Mapping[str, float], stems: bool) -> None:
        self._store = store
        self._database = database
        self._weights = weights
        self._stems = stems
        self._lexicon: Lexicon | None = None
        self._lexicon_is_of: object = None  # the state of the index that it knows

    def catch_up(
        self, progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = lambda: False
    ) -> None:
        """Takes in what the store has gained and lost since the last time."""
        connection = self._database.write()
        if self._lexicon_is_of != (connection, version_of(connection)):
            self._lexicon = None
        self._lexicon_is_of = None  # nor if this fails: what it holds is not in the index then
        applied, target = about(connection, "applied"), about(connection, "rebuilding")
        last = self._store.last_change()
        if target or not self._store.first_change() <= applied <= last or (applied == 0 and last):
            self._rebuild(connection, target, progress, cancelled)
            applied = about(connection, "applied")
        while applied < last:
            applied = self._apply(connection, applied, cancelled)
            progress(applied, last)
        gone, count = gone_of(connection)
        if count > 1_000 and gone > REBUILD_AT * count:
            self._rebuild(connection, 0, progress, cancelled)
        self._database.written()
        self._lexicon_is_of = (connection, version_of(connection))

    def compact(self) -> None:
        """Makes the index anew where rows are gone, and gives the room that is free back."""
        connection = self._database.write()
        if gone_of(connection)[0]:
            self._rebuild(connection, 0, lambda done, total: None, lambda: False)
        self._lexicon_is_of = None
        self._database.written()
        self._database.shrink()

    def _apply(self, connection: apsw.Connection, applied: int, cancelled: Cancel) -> int:
        """The next stretch of changes, in one transaction."""
        changes = self._store.changes(applied, CHANGES)
        until = changes[-1].seq if changes else self._store.last_change()
        last_op = {change.row: change.op for change in changes if change.op is not Op.VECTOR}
        put = sorted(row for row, op in last_op.items() if op is Op.PUT)
        with connection:
            # a row that comes again has other words now (its item's title): it takes the place of what is held
            again = self._held(connection, put)
            _take_out(connection, sorted([*again, *(row for row, op in last_op.items() if op is Op.GONE)]))
            self._add(connection, put, cancelled)
            set_about(connection, "applied", until)
        return until

    def _held(self, connection: apsw.Connection, rows: list[int]) -> list[int]:
        """Those of `rows` that the index has."""
        if not rows:
            return []
        asked = np.array(rows, np.int64)
        return asked[np.isin(asked, batches.rows(connection))].tolist()

    def _add(self, connection: apsw.Connection, rows: list[int], cancelled: Cancel) -> None:
        batch = self._batch(connection)
        with _nothing_collected():
            for at in range(0, len(rows), ROWS):
                if cancelled():
                    raise Cancelled("stopped")
                for text in self._store.words(rows[at : at + ROWS]):
                    batch.add(text)
                if batch.full:
                    batch.write(connection)
                    batch = self._batch(connection)
            batch.write(connection)

    def _batch(self, connection: apsw.Connection) -> Batch:
        if self._lexicon is None or self._lexicon.full:
            self._lexicon = Lexicon(connection)
        return Batch(self._lexicon, self._weights, self._stems)

    def _rebuild(
        self, connection: apsw.Connection, target: int, progress: Callable[[int, int], None], cancelled: Cancel
    ) -> None:
        """Every row from the store, a transaction for each stretch: an interrupted one goes on where it was."""
        if not target:
            self._database.reset()
            self._lexicon = None
            # at least 1, so that a rebuild of an empty store is told from none
            target = max(1, self._store.last_change())
            set_about(connection, "rebuilding", target)
        rows = self._store.all_rows()
        held = batches.rows(connection)
        wanted = rows[~np.isin(rows, held)].tolist()
        step = 16 * ROWS
        for at in range(0, len(wanted), step):
            with connection:
                self._add(connection, wanted[at : at + step], cancelled)
            progress(len(rows) - len(wanted) + at, len(rows))
        with connection:
            _take_out(connection, held[~np.isin(held, rows)].tolist())
            set_about(connection, "applied", target if self._store.last_change() else 0)
            connection.execute("DELETE FROM about WHERE key = 'rebuilding'")


def _take_out(connection: apsw.Connection, rows: list[int]) -> None:
    """Rows are not found any more."""
    if rows:
        bury(connection, np.array(rows, np.int64))
        connection.executemany("DELETE FROM words WHERE rowid = ?", ((row,) for row in rows))
