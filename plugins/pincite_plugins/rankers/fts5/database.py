"""The ranker's own database: FTS5 for phrases, postings for single words, and what both were made with."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import apsw

from pincite.storage import checked
from pincite.text.tokens import VERSION as TOKENS

FORMAT = 7
"""Rises whenever the tables below change; an index of another format is made anew."""

COLUMNS = ("title", "abstract", "metadata", "annotation", "note", "body", "reference")
"""Columns of the FTS5 table. `context` and `heading` repeat what other rows hold and are in the postings alone."""

_TABLES = f"""
CREATE TABLE about(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5({", ".join(COLUMNS)}, content='', contentless_delete=1,
    tokenize="ascii tokenchars '-_./:+#'");
CREATE TABLE term(text TEXT PRIMARY KEY, id INTEGER NOT NULL, df INTEGER NOT NULL, items INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE stem(language TEXT, stem TEXT, word TEXT, PRIMARY KEY (language, stem, word)) WITHOUT ROWID;
CREATE TABLE language(language TEXT PRIMARY KEY, words INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE posting(id INTEGER PRIMARY KEY, base INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX posting_base ON posting(base);
CREATE TABLE batch(base INTEGER PRIMARY KEY, count INTEGER NOT NULL, sums BLOB NOT NULL, runs BLOB NOT NULL,
    lengths BLOB NOT NULL, kinds BLOB NOT NULL, live BLOB NOT NULL);
"""

PAGE_BYTES = 16_384
"""Of a new file: postings are read in long stretches, and each page has its checksum looked at."""

HASH_BYTES = 32 << 20
"""What FTS5 gathers in memory before it writes a segment (its default is 1 MB): fewer segments, less merging."""

CACHE_KIB, WRITING_KIB = 32_000, 128_000
"""Of pages kept in memory. A transaction's pages that do not fit are written to the log, read and written again."""

_FILES = ("index.db", "index.db-wal", "index.db-shm", "index.db-journal")


class Database:
    """One connection. `made_with` is what an index must agree in with this program to be of use."""

    def __init__(self, folder: Path, made_with: Mapping[str, Any], note: Callable[[str], None]) -> None:
        self._path = folder / "index.db"
        self._made_with = json.dumps({**made_with, "tokens": TOKENS}, sort_keys=True)
        self._note = note
        self.connection: apsw.Connection | None = None

    def read(self) -> apsw.Connection | None:
        """The connection to a usable index, or None where there is none (yet)."""
        if self.connection is None and self._path.exists():
            self._open()
        if self.connection is None or not self._usable():
            return None
        return self.connection

    def write(self) -> apsw.Connection:
        """The connection, with tables: an index of another make, or a damaged one, is thrown away first."""
        connection = self.read()
        if connection is None:
            self.reset()
            connection = self.connection
        assert connection is not None
        connection.execute(f"PRAGMA cache_size = -{WRITING_KIB}")
        return connection

    def written(self) -> None:
        """Lets go of the memory that writing took."""
        assert self.connection is not None
        _run(self.connection, "wal_checkpoint(PASSIVE)", f"cache_size = -{CACHE_KIB}", "shrink_memory")

    def reset(self) -> None:
        """An empty index. Where the file can be used at all it is emptied in one transaction, so that who reads it goes on."""
        if self.connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._open()
        try:
            self._create()
        except apsw.Error as error:
            self._note(f"the lexical index {self._path} was damaged ({error}) and is made anew")
            self.close()
            for name in _FILES:
                (self._path.parent / name).unlink(missing_ok=True)
            self._open()
            self._create()

    def shrink(self) -> None:
        """Gives free pages back to the disk; who reads meanwhile goes on. Where there is no room for a copy they are kept."""
        assert self.connection is not None
        with contextlib.suppress(apsw.FullError, apsw.BusyError):
            self.connection.execute("INSERT INTO words(words) VALUES ('optimize')")
            self.connection.execute("VACUUM")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Closes the file."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def _open(self) -> None:
        try:
            connection = checked.connect(self._path)
            connection.set_busy_timeout(10_000)
            connection.execute("PRAGMA user_version").get  # noqa: B018  opens the file
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            readable = checked.readable(self._path)
            if readable is None:
                raise
            connection = readable
        except (apsw.NotADBError, apsw.CorruptError):
            pass  # said by whoever reads or writes
        self.connection = connection
        try:
            _run(connection, f"page_size = {PAGE_BYTES}", "journal_mode = WAL")
            _run(connection, "synchronous = NORMAL", f"cache_size = -{CACHE_KIB}")
        except (apsw.NotADBError, apsw.CorruptError):
            pass  # found out again, and said, by whoever reads or writes
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            pass

    def _usable(self) -> bool:
        assert self.connection is not None
        try:
            if self.connection.execute("PRAGMA user_version").get != FORMAT:
                return False
            made = self.connection.execute("SELECT value FROM about WHERE key = 'made_with'").get
        except (apsw.SQLError, apsw.NotADBError, apsw.CorruptError):
            return False
        return bool(made == self._made_with)

    def _create(self) -> None:
        connection = self.connection
        assert connection is not None
        with connection:
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'words\\_%' ESCAPE '\\'"
                " AND name NOT LIKE 'sqlite%'"
            ).fetchall():
                connection.execute(f'DROP TABLE "{name}"')
            connection.execute(_TABLES)
            connection.execute("INSERT INTO words(words, rank) VALUES ('hashsize', ?)", (HASH_BYTES,))
            connection.execute("INSERT INTO about VALUES ('made_with', ?), ('applied', 0)", (self._made_with,))
            connection.execute(f"PRAGMA user_version = {FORMAT}")


def _run(connection: apsw.Connection, *pragmas: str) -> None:
    """One by one: of several statements in one string, those after the first that has an answer would wait until that is read."""
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


def about(connection: apsw.Connection, key: str) -> int:
    """A number that the index keeps of itself; 0 where it has none."""
    return int(connection.execute("SELECT value FROM about WHERE key = ?", (key,)).get or 0)


def set_about(connection: apsw.Connection, key: str, value: int) -> None:
    """Keeps a number."""
    connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (key, value))


def version_of(connection: apsw.Connection) -> tuple[int, int]:
    """Changes whenever the index does, by this connection or another."""
    return int(connection.execute("PRAGMA data_version").get), connection.total_changes()
