"""A consistent view of a Zotero database that is never written to, locked or touched.

Zotero may be running: it then holds an exclusive lock for good, and its newest items may stand in ``zotero.sqlite-wal``
only. SQLite's own read-only mode would wait for that lock, and for a database in WAL mode it creates files beside
it. So:

- where nothing is pending beside the database (no ``-wal``, no ``-journal``, or empty ones), it is read in place with
  ``immutable=1``, which takes no lock and makes no file, and the reading counts only if size, time and SQLite's change
  counter are the same afterwards;
- else the database is copied to a temporary folder with what is pending (never ``-shm``, which describes the memory of
  another process), the copy is opened read-write so that SQLite recovers it, and is removed as soon as it has been
  read.

Sources: https://www.sqlite.org/wal.html#read_only_databases, https://www.sqlite.org/uri.html (immutable),
https://www.sqlite.org/fileformat2.html (offsets 18, 24 and 92 of the header).
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import apsw

from pincite.errors import PinciteError, UsageError, cannot_be
from pincite.scratch import named, sweep

T = TypeVar("T")

_PREFIX = "pincite-zotero-"
_PENDING = ("-wal", "-journal")
_ATTEMPTS = 5
_SETTLED = 2.0
"""Seconds. A file changed more recently than this may change again without its time showing it (file systems count
time in steps of up to two seconds), so it is not read in place."""

_Signature = tuple[tuple[int, int, int, bytes] | None, ...]


def read(database: Path, work: Callable[[apsw.Connection], T]) -> T:
    """What `work` makes of one consistent state of `database`.

    `work` may be called several times, each with a connection of its own; it must read all it needs and return it.
    Raises `PinciteError` where the database cannot be opened or read, with the path and the cause.
    """
    _check_header(database)
    failure = "it kept changing while it was read"
    for attempt in range(_ATTEMPTS):
        before = _signature(database)
        in_place = before[1:] == (None, None) and _age(before) > _SETTLED
        try:
            result = _in_place(database, work) if in_place else _copied(database, before, work)
        except (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.CantOpenError, _Changed) as error:
            failure = str(error)
        else:
            if not in_place or _signature(database) == before:
                return result
        time.sleep(0.05 * attempt)
    raise PinciteError(
        f"{database}: cannot be read ({failure}); close Zotero and try again, and if that does not help, check the "
        "file with Zotero's database repair tool"
    )


class _Changed(Exception):
    """The library was written to while it was copied."""


def _in_place(database: Path, work: Callable[[apsw.Connection], T]) -> T:
    uri = f"file:{quote(str(database.resolve()))}?mode=ro&immutable=1"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        connection.execute("PRAGMA temp_store = memory")
        return work(connection)
    finally:
        connection.close()


def _copied(database: Path, before: _Signature, work: Callable[[apsw.Connection], T]) -> T:
    # TemporaryDirectory removes the folder also when an exception passes and, by its finalizer, when the process exits
    sweep(_PREFIX)
    with tempfile.TemporaryDirectory(prefix=named(_PREFIX), ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "zotero.sqlite"
        try:
            for suffix in ("", *_PENDING):
                part = Path(f"{database}{suffix}")
                if not suffix or part.exists():
                    shutil.copyfile(part, f"{copy}{suffix}")
        except FileNotFoundError as error:  # the -wal went away: Zotero was closed at this moment
            raise _Changed(f"{error.filename} disappeared") from None
        except OSError as error:
            raise PinciteError(
                f"{database}: cannot be copied to {folder} ({error.strerror}); make room there or set TMPDIR to "
                "another folder"
            ) from None
        if _signature(database) != before:
            raise _Changed("it kept changing while it was copied")
        connection = apsw.Connection(str(copy))
        try:
            connection.execute("PRAGMA temp_store = memory")
            return work(connection)
        finally:
            connection.close()


def _check_header(database: Path) -> None:
    try:
        with database.open("rb") as file:
            header = file.read(16)
    except OSError as error:
        raise cannot_be("read", database, error) from None
    if header != b"SQLite format 3\0":
        what = "is empty" if not header else "is not an SQLite database"
        raise UsageError(f"{database}: {what}; give the Zotero data directory that the program itself uses")


def _signature(database: Path) -> _Signature:
    """Size, time and change counters of the database and of what is pending; None for a file that is absent or
    empty."""
    return tuple(_stamp(Path(f"{database}{suffix}")) for suffix in ("", *_PENDING))


def _stamp(path: Path) -> tuple[int, int, int, bytes] | None:
    try:
        with path.open("rb") as file:
            header = file.read(100)
            stat = path.stat()
    except OSError:
        return None
    if not stat.st_size:
        return None
    return stat.st_size, stat.st_mtime_ns, stat.st_ino, header[:32] + header[92:96]


def _age(signature: _Signature) -> float:
    newest = max((stamp[1] for stamp in signature if stamp), default=0)
    return time.time() - newest / 1e9
