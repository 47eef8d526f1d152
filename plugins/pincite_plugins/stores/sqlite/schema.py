"""The tables and their version. Every change of either is a step in `MIGRATIONS`, and has its golden index in ``tests/golden``."""

from __future__ import annotations

import time
from collections.abc import Callable

import apsw

APPLICATION_ID = 0x70696E63
"""'pinc': tells our databases from others (https://www.sqlite.org/pragma.html#pragma_application_id)."""

VERSION = 3
"""`user_version`; a lower one is migrated step by step, a higher one is refused."""

TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE item (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    json TEXT NOT NULL,             -- the item as its source gives it
    found TEXT NOT NULL DEFAULT '', -- fields that only its files know, as JSON
    fingerprint TEXT NOT NULL,      -- of the whole record
    kind TEXT NOT NULL,
    year INTEGER,
    grp TEXT NOT NULL
);

-- tags, collections and creators, folded, for filters
CREATE TABLE label (
    item INTEGER NOT NULL,
    what TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (what, value, item)
) WITHOUT ROWID;
CREATE INDEX label_item ON label (item);

CREATE TABLE child (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item INTEGER NOT NULL,
    what TEXT NOT NULL,             -- note, annotation, attachment
    position INTEGER NOT NULL,
    json TEXT NOT NULL,
    embedded INTEGER NOT NULL DEFAULT 0 -- the attachment in whose file it was found; 0: the source gives it
);
CREATE INDEX child_item ON child (item, position);
CREATE INDEX child_what ON child (what);

-- the ledger of files: one row an attachment
CREATE TABLE file (
    child INTEGER PRIMARY KEY,
    state TEXT NOT NULL DEFAULT 'waiting',
    verdict TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    passing INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL DEFAULT -1,
    mtime_ns INTEGER NOT NULL DEFAULT -1,
    hash TEXT NOT NULL DEFAULT '',
    extractor TEXT NOT NULL DEFAULT '',
    extractor_version INTEGER NOT NULL DEFAULT 0,
    cutter TEXT NOT NULL DEFAULT '',
    pages TEXT NOT NULL DEFAULT '{}',
    letters INTEGER NOT NULL DEFAULT 0,
    pack TEXT NOT NULL DEFAULT '',  -- file name below packs/
    made_with TEXT NOT NULL DEFAULT '', -- mark of the extractor's settings
    found TEXT NOT NULL DEFAULT ''  -- what the file says of its item, as JSON
);

CREATE TABLE chunk (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    item INTEGER NOT NULL,
    child INTEGER,                  -- NULL for item text
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    spans TEXT NOT NULL,
    section TEXT NOT NULL,
    page INTEGER,
    page_label TEXT,
    anchor TEXT NOT NULL,
    language TEXT NOT NULL,
    role TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    path_embedded INTEGER NOT NULL,
    embed_key BLOB,                 -- hash of the text to embed; NULL: no vector wanted
    fingerprint BLOB NOT NULL       -- of the text, white space collapsed
);
CREATE INDEX chunk_item ON chunk (item);
CREATE INDEX chunk_child ON chunk (child, ordinal);
CREATE INDEX chunk_key ON chunk (embed_key) WHERE embed_key IS NOT NULL;

CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, width INTEGER NOT NULL);

-- raw unit vectors, float16, little endian, four bytes of CRC-32 behind each
CREATE TABLE vector (model INTEGER NOT NULL, key BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (model, key)) WITHOUT ROWID;

CREATE TABLE change (seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, row INTEGER NOT NULL);
"""


def _to_2(connection: apsw.Connection) -> None:
    """Settings of extractors, and what each file says of its item. Their packs are looked at once more for it."""
    connection.execute("ALTER TABLE file ADD COLUMN made_with TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE file ADD COLUMN found TEXT NOT NULL DEFAULT ''")
    connection.execute(
        "UPDATE file SET state = 'waiting', size = -1, mtime_ns = -1 WHERE state = 'indexed' AND pack <> ''"
    )


def _to_3(connection: apsw.Connection) -> None:
    """What is counted at every question is found without going through all there is."""
    connection.execute("CREATE INDEX child_what ON child (what)")
    connection.execute("INSERT INTO state SELECT 'chunks', count(*) FROM chunk")


MIGRATIONS: dict[int, Callable[[apsw.Connection], None]] = {1: _to_2, 2: _to_3}
"""From version n to n + 1."""


class NotOurs(Exception):
    """The file is no index of pincite, or one of a later version; the message says which."""


def prepare(connection: apsw.Connection) -> None:
    """Makes the tables, or brings them to this version. Raises `NotOurs`."""
    version = int(connection.execute("PRAGMA user_version").get)
    if version == 0:
        _with_lock(connection, _create)
    elif connection.execute("PRAGMA application_id").get != APPLICATION_ID:
        raise NotOurs("it is another program's database")
    elif version > VERSION:
        raise NotOurs(f"it was made by a later version of pincite (format {version}, this one reads up to {VERSION})")
    while (version := int(connection.execute("PRAGMA user_version").get)) < VERSION:
        _with_lock(connection, lambda connection, version=version: _step(connection, version))  # type: ignore[misc]


def _step(connection: apsw.Connection, version: int) -> None:
    if connection.execute("PRAGMA user_version").get == version:  # else another process was first
        MIGRATIONS[version](connection)
        connection.execute(f"PRAGMA user_version = {version + 1}")


def _with_lock(connection: apsw.Connection, work: Callable[[apsw.Connection], None]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        work(connection)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _create(connection: apsw.Connection) -> None:
    if connection.execute("PRAGMA user_version").get != 0:
        return  # another process was first
    connection.execute(TABLES)
    connection.execute("INSERT INTO state VALUES ('chunks', '0')")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def start_ahead(connection: apsw.Connection) -> None:
    """Starts the sequence of changes of a new database with the clock: ahead of that of the one that stood here before, which rankers
    may still follow."""
    start = time.time_ns() // 1000
    connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('change', ?)", (start,))
    connection.execute("INSERT INTO state VALUES ('first_change', ?)", (str(start),))
