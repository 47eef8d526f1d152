"""`SqliteStore`: opening, the sequence of changes, state, and what the parts share. The parts are mixed in by topic."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import numpy as np

from pincite.errors import Damaged, Locked, PinciteError
from pincite.indexing.lock import holds, writer_lock
from pincite.values.search import Change, Op, Rows
from pincite_plugins.stores.sqlite.filters import FilterPart
from pincite_plugins.stores.sqlite.ledger import LedgerPart
from pincite_plugins.stores.sqlite.opening import open_database
from pincite_plugins.stores.sqlite.reading import ReadingPart
from pincite_plugins.stores.sqlite.records import RecordsPart
from pincite_plugins.stores.sqlite.texts import TextsPart
from pincite_plugins.stores.sqlite.trouble import in_words, spoken
from pincite_plugins.stores.sqlite.upkeep import UpkeepPart
from pincite_plugins.stores.sqlite.vectors import VectorsPart


@spoken
class SqliteStore(UpkeepPart, ReadingPart, TextsPart, FilterPart, VectorsPart, RecordsPart, LedgerPart):
    """The store of one index folder. Implements `pincite.spec.Store`."""

    def __init__(self, folder: Path, note: Callable[[str], None] = lambda line: None) -> None:
        self.folder = folder
        self.packs = folder / "packs"
        self._note = note
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PinciteError(
                f"{folder}: the index folder cannot be made: {error.strerror}; set PINCITE_HOME to one that can"
            ) from None
        try:
            self._open_anew()
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._repair(error)

    # ------------------------------------------------------------------------------------------ opening

    def _open_anew(self) -> None:
        self.db = open_database(self.folder)

    def _open_unguarded(self) -> None:
        """As `_open_anew`, for who holds the guard."""
        self.db = open_database(self.folder, guarded=True)

    def _repair(self, error: apsw.Error) -> None:
        """A database that does not open is made anew by who may write, and by nobody else."""
        if holds(self.folder):
            self._note(self._make_anew(str(error)))
            return
        try:
            with writer_lock(self.folder):
                self._note(self._make_anew(str(error)) + ": run `pincite index`")
        except Locked as locked:
            raise Damaged(f"{self.folder}: the index is damaged ({error}), and {locked}") from None

    def _noticed(self, error: apsw.Error) -> PinciteError:
        said = in_words(error, self.folder)
        if isinstance(said, Damaged):
            self._suspect(f"database {error}")
        return said

    @property
    def identity(self) -> str:
        """The identity of the library that this index was made of, or ""."""
        return self.get("identity") or ""

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """One transaction, whole or not at all."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield self.db
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:  # SQLite has rolled back itself where the disk is full
                with contextlib.suppress(apsw.Error):
                    self.db.execute("ROLLBACK")
            raise

    # ------------------------------------------------------------------------------------------ changes

    def last_change(self) -> int:
        """The highest sequence number ever given out; that of `first_change` in an empty store."""
        last = self.db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'change'").get
        return int(last or 0)

    def first_change(self) -> int:
        """The lowest `since` from which `changes` is complete."""
        return int(self.get("first_change") or 0)

    def changes(self, since: int, limit: int = 10_000) -> list[Change]:
        """Changes after `since`, in order."""
        rows = self.db.execute("SELECT seq, op, row FROM change WHERE seq > ? ORDER BY seq LIMIT ?", (since, limit))
        return [Change(seq, Op(op), row) for seq, op, row in rows]

    def all_rows(self) -> Rows:
        """Every chunk row, sorted."""
        return np.sort(np.array(json.loads(self.db.execute("SELECT json_group_array(row) FROM chunk").get), np.int64))

    # ------------------------------------------------------------------------------------------ state

    def get(self, key: str) -> str | None:
        """A value of the state, or None."""
        value = self.db.execute("SELECT value FROM state WHERE key = ?", (key,)).get
        return None if value is None else str(value)

    def set(self, key: str, value: str | None) -> None:
        """Sets or forgets a value of the state."""
        with self.transaction():
            self._set(key, value)

    def _set(self, key: str, value: str | None) -> None:
        if value is None:
            self.db.execute("DELETE FROM state WHERE key = ?", (key,))
        else:
            self.db.execute(
                "INSERT INTO state VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
            )

    def close(self) -> None:
        """Checkpoints and closes."""
        with contextlib.suppress(apsw.Error):
            self.db.close()
