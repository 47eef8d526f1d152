"""`SqliteStore`: opening, the sequence of changes, state, and what the parts share. The parts are mixed in by topic."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import numpy as np

from pincite.errors import PinciteError
from pincite.values.search import Change, Op, Rows
from pincite_plugins.stores.sqlite import schema
from pincite_plugins.stores.sqlite.filters import FilterPart
from pincite_plugins.stores.sqlite.ledger import LedgerPart
from pincite_plugins.stores.sqlite.reading import ReadingPart
from pincite_plugins.stores.sqlite.records import RecordsPart
from pincite_plugins.stores.sqlite.texts import TextsPart
from pincite_plugins.stores.sqlite.vectors import VectorsPart

DATABASE = "index.db"


class SqliteStore(ReadingPart, TextsPart, FilterPart, VectorsPart, RecordsPart, LedgerPart):
    """The store of one index folder. Implements `pincite.spec.Store`."""

    def __init__(self, folder: Path, note: Callable[[str], None] = lambda line: None) -> None:
        self.folder = folder
        self.packs = folder / "packs"
        self._note = note
        self._open()

    # ------------------------------------------------------------------------------------------ opening

    def _open(self) -> None:
        path = self.folder / DATABASE
        try:
            self.packs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PinciteError(
                f"{self.folder}: the index folder cannot be made: {error.strerror}; set PINCITE_HOME to one that can"
            ) from None
        try:
            self.db = schema.connect(path)
            self.db.execute("SELECT count(*) FROM state").get  # noqa: B018  reads the schema: damage shows here
        except schema.NotOurs as error:
            raise PinciteError(f"{path}: cannot be used: {error}; move it away or set another PINCITE_HOME") from None
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._set_aside(path, error)
            self.db = schema.connect(path)
        except apsw.CantOpenError as error:
            raise PinciteError(
                f"{path}: the index cannot be opened ({error}); check the permissions of its folder"
            ) from None
        except apsw.ReadOnlyError:
            raise PinciteError(
                f"{path}: the index folder is read-only; set PINCITE_HOME to one that can be written"
            ) from None
        except apsw.BusyError:
            raise PinciteError(
                f"{path}: the index is locked by another program; wait for it to finish and try again"
            ) from None
        except apsw.FullError:
            raise PinciteError(f"{path}: the disk is full; free some space and run it again, nothing is lost") from None
        except apsw.IOError as error:
            raise PinciteError(f"{path}: cannot be read or written ({error}); check the disk") from None

    def _set_aside(self, path: Path, error: Exception) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for suffix in ("", "-wal", "-shm"):
            part = Path(f"{path}{suffix}")
            if part.exists():
                os.replace(part, f"{part}.damaged-{stamp}")
        self._note(
            f"{path}: damaged ({error}); set aside as {path.name}.damaged-{stamp} and made anew: run `pincite index`"
        )

    @property
    def identity(self) -> str:
        """The identity of the library that this index was made of, or ""."""
        return self.get("identity") or ""

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """One transaction, whole or not at all; the errors of a full disk or a lock in words."""
        try:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")
        except apsw.FullError:
            self._rollback()
            raise PinciteError(
                f"{self.folder}: the disk is full; free some space and run it again, nothing is lost"
            ) from None
        except apsw.BusyError:
            raise PinciteError(
                f"{self.folder}: the index is locked by another program; wait for it to finish and try again"
            ) from None
        except apsw.ReadOnlyError:
            raise PinciteError(f"{self.folder}: the index is read-only; check the permissions of its folder") from None
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._rollback()
            raise PinciteError(
                f"{self.folder}: the index is damaged ({error}); run `pincite index --rebuild`"
            ) from None
        except apsw.IOError as error:
            self._rollback()
            raise PinciteError(f"{self.folder}: cannot be written ({error}); check the disk and run it again") from None

    def _rollback(self) -> None:
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    # ------------------------------------------------------------------------------------------ changes

    def last_change(self) -> int:
        """The highest sequence number ever given out; 0 in an empty store."""
        last = self.db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'change'").get
        return int(last or 0)

    def first_change(self) -> int:
        """The lowest `since` from which `changes` is complete."""
        return int(self.get("first_change") or 0)

    def changes(self, since: int, limit: int = 10_000) -> list[Change]:
        """Changes after `since`, in order."""
        rows = self.db.execute("SELECT seq, op, row FROM change WHERE seq > ? ORDER BY seq LIMIT ?", (since, limit))
        return [Change(seq, Op(op), row) for seq, op, row in rows]

    def forget_changes(self, before: int) -> None:
        """Drops changes up to `before`, which every ranker in use has applied."""
        with self.transaction():
            self.db.execute("DELETE FROM change WHERE seq <= ?", (before,))
            self._set("first_change", str(before))

    def all_rows(self) -> Rows:
        """Every chunk row, sorted."""
        return np.fromiter((row for (row,) in self.db.execute("SELECT row FROM chunk ORDER BY row")), dtype=np.int64)

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
        self.db.close()
