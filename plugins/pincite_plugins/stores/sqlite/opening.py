"""Opening the database: made, migrated, read-only, or set aside where it is damaged."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import apsw

from pincite.errors import PinciteError
from pincite.indexing.lock import file_lock
from pincite.storage import checked
from pincite_plugins.stores.sqlite import schema
from pincite_plugins.stores.sqlite.trouble import in_words

DATABASE = "index.db"
GUARD = "index.db.lock"
"""Held while the database is opened, and while compaction puts another in its place."""


def open_database(folder: Path, guarded: bool = False) -> apsw.Connection:
    """For writing, or for reading where the folder cannot be written. Raises `PinciteError`; apsw's `CorruptError` or `NotADBError`
    where it is damaged. `guarded`: the caller holds the guard."""
    path = folder / DATABASE
    with contextlib.nullcontext() if guarded else guard(folder):
        try:
            return _writable(path)
        except schema.NotOurs as error:
            raise PinciteError(f"{path}: cannot be used: {error}; move it away or set another PINCITE_HOME") from None
        except (apsw.CorruptError, apsw.NotADBError):
            raise
        except (apsw.ReadOnlyError, apsw.CantOpenError) as error:
            if not path.is_file():
                raise in_words(error, folder) from None
            return _readable(path, error)
        except apsw.Error as error:
            raise in_words(error, folder) from None


@contextlib.contextmanager
def guard(folder: Path, patience: float = 30.0) -> Iterator[bool]:
    """The lock of whoever opens or replaces the database; false where the folder cannot be written, so that nobody can replace it."""
    try:
        lock = file_lock(folder / GUARD, patience)
        lock.__enter__()
    except PinciteError:
        yield False
        return
    try:
        yield True
    finally:
        lock.__exit__(None, None, None)


def _writable(path: Path) -> apsw.Connection:
    connection = checked.connect(path)
    try:
        connection.set_busy_timeout(10_000)
        version = int(connection.execute("PRAGMA user_version").get)
        if version >= 2 and not checked.is_checked(path):
            raise apsw.CorruptError("page 1: says that pages have no checksums")
        if version == 1:
            _reserve(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        # a commit survives the death of the process, and a power cut once it is checkpointed (`sync`)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -32768")
        schema.prepare(connection)
        connection.execute("SELECT count(*) FROM state").get  # noqa: B018  reads the schema: damage shows here
    except BaseException:
        connection.close()
        raise
    return connection


def _reserve(connection: apsw.Connection) -> None:
    """Version 1 had no checksums: room for them is made by writing the database anew."""
    if connection.execute("PRAGMA application_id").get == schema.APPLICATION_ID:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")


def _readable(path: Path, why: apsw.Error) -> apsw.Connection:
    """A folder that cannot be written is searched all the same."""
    connection = checked.readable(path)
    if connection is None:
        raise in_words(why, path.parent)
    version = connection.execute("PRAGMA user_version").get
    if version != schema.VERSION:
        connection.close()
        raise PinciteError(
            f"{path}: is of format {version}, and its folder is read-only; make it writable once, to be migrated"
        )
    return connection


def set_aside(folder: Path) -> Path:
    """Moves the database and what belongs to it away; returns where to. The writer's lock is held."""
    path = folder / DATABASE
    stamp = time.strftime("%Y%m%d-%H%M%S")
    number = 0
    while Path(f"{path}.damaged-{stamp}{'-' + str(number) if number else ''}").exists():
        number += 1
    tail = f".damaged-{stamp}{'-' + str(number) if number else ''}"
    for suffix in ("", "-wal", "-shm"):
        part = Path(f"{path}{suffix}")
        if part.exists():
            os.replace(part, f"{part}{tail}")
    Path(f"{path}{checked.SUSPECT}").unlink(missing_ok=True)
    return Path(f"{path}{tail}")
