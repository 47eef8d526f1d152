"""SQLite databases whose every page carries its CRC-32, so that a bit that flips on the disk is noticed where it is read.

The last eight bytes of each page are reserved (https://www.sqlite.org/fileformat.html#resbyte): four of checksum over the rest of the page
and the page's number, four of a mark. Pages get theirs when they are written to the database file (at a checkpoint); a write-ahead log has
SQLite's own checksums. A page that fails raises `apsw.CorruptError`, as damage that SQLite itself notices does.
"""

from __future__ import annotations

import _thread
import contextlib
import struct
import threading
import zlib
from pathlib import Path
from types import TracebackType

import apsw

VFS = "pincite-checked"
RESERVED = 8
SUSPECT = ".suspect"
"""What is appended to a database's name for the empty file that says that a reader has met a damaged page in it."""

MARK = b"\xc1CRC"
"""Ends a page that carries a checksum."""

_CRC = struct.Struct("<I")
_registered: list[apsw.VFS] = []
_registering = threading.Lock()


def connect(
    path: Path, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, uri: str = ""
) -> apsw.Connection:
    """A connection whose database pages are checked; a database made by it reserves the room that this takes.

    `uri` replaces the path (``file:…?immutable=1``). A database that reserves no room is read unchecked: `checks` tells.
    """
    with _registering:
        if not _registered:
            _registered.append(_CheckedVFS(VFS, ""))
    if uri:
        flags |= apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(uri or str(path), flags=flags, vfs=VFS)
    connection.reserve_bytes("main", RESERVED)
    return connection


def readable(path: Path) -> apsw.Connection | None:
    """A connection to a database in a folder that cannot be written, or None where there is no reading it. A write-ahead log that lies
    beside is read with it or, where that cannot be, not passed over."""
    uri = path.absolute().as_uri()
    for tail in ("?mode=ro", "?immutable=1"):
        if "immutable" in tail and Path(f"{path}-wal").exists():
            break  # it would hide what the log holds
        try:
            connection = connect(path, apsw.SQLITE_OPEN_READONLY, uri + tail)
            connection.set_busy_timeout(10_000)
            connection.execute("PRAGMA user_version").get  # noqa: B018  opens the file
            return connection
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            continue
    return None


def is_suspect(folder: Path) -> bool:
    """Whether a reader has met a damaged page in a database below this folder."""
    return next(folder.rglob(f"*{SUSPECT}"), None) is not None


def damaged_pages(path: Path, limit: int = 10) -> list[int]:
    """The numbers (from 1) of pages of a closed or checkpointed database file whose checksum is wrong; at most `limit` of them."""
    wrong: list[int] = []
    with open(path, "rb") as file:
        head = file.read(100)
        size = _page_size(head)
        if not size:
            return [1] if head else []
        if head[20] != RESERVED:
            return []
        file.seek(0)
        number = 0
        while page := file.read(size):
            number += 1
            if not _sound(page, number):
                wrong.append(number)
                if len(wrong) == limit:
                    break
    return wrong


def is_checked(path: Path) -> bool:
    """Whether the pages of a database file carry checksums; true for an empty one, whose pages will."""
    with open(path, "rb") as file:
        head = file.read(100)
    return not head or (len(head) == 100 and head[20] == RESERVED)


def _page_size(head: bytes) -> int:
    if len(head) < 100 or head[:16] != b"SQLite format 3\x00":
        return 0
    size = int.from_bytes(head[16:18], "big")
    return 65536 if size == 1 else size if 512 <= size <= 32768 and not size & (size - 1) else 0


def _sound(page: bytes, number: int) -> bool:
    return page[-4:] == MARK and page[-8:-4] == _CRC.pack(zlib.crc32(memoryview(page)[:-8], number))


class _CheckedVFS(apsw.VFS):
    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  the names are apsw's
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB and name is not None:
            return _CheckedFile("", name, flags)
        return super().xOpen(name, flags)


class _CheckedFile(apsw.VFSFile):
    """A database file. Pages are of `_page` bytes, 0 where the database reserves no room for checksums or is not known yet."""

    def __init__(self, inherit: str, name: apsw.URIFilename | str, flags: list[int]) -> None:
        super().__init__(inherit, name, flags)
        self._page = 0
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else name

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        data = super().xRead(amount, offset)
        if offset == 0 and amount >= 100:
            self._look(data)
        page = self._page
        if page and amount == page and (len(data) < page or not _sound(data, offset // page + 1)):
            what = "is cut short" if len(data) < page else "checksum differs"
            with contextlib.suppress(OSError):
                Path(f"{self._name}{SUSPECT}").touch()
            raise apsw.CorruptError(f"page {offset // page + 1}: {what}")
        return data

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if offset == 0 and len(data) >= 100:
            self._look(data)
        page = self._page
        if page and len(data) == page:
            body = bytes(data[:-8])
            data = body + _CRC.pack(zlib.crc32(body, offset // page + 1)) + MARK
        super().xWrite(data, offset)

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        # or else SQLite reads parts of overflow pages past its cache, which no checksum can tell of
        return super().xDeviceCharacteristics() & ~apsw.SQLITE_IOCAP_SUBPAGE_READ

    def excepthook(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Called where SQLite takes no error from a method. An interruption comes again a moment later, when it is not lost here."""
        if not isinstance(error, KeyboardInterrupt):
            return super().excepthook(kind, error, trace)
        threading.Timer(0.01, _thread.interrupt_main).start()
        return True

    def _look(self, head: bytes) -> None:
        size = _page_size(head)
        self._page = size if size and head[20] == RESERVED else 0
