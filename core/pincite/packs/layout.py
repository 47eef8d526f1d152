"""How bytes lie in a pack file: header, part table, streams (specs/04-packs.md). All integers are little-endian."""

from __future__ import annotations

import struct
from enum import IntEnum
from pathlib import Path

from pincite.errors import PinciteError
from pincite.values.quick import dataclass

MAGIC = b"\x89PINPAK\n"
"""The high bit shows a transfer that kept seven bits; the line feed, one that changed line ends (as in PNG)."""

CONTAINER = 1
"""How the file is divided. A reader refuses any other."""

SCHEMA_MAJOR = 1
"""What the streams hold. A reader refuses a higher one; a lower one is read or made again."""

SCHEMA_MINOR = 0
"""Rises with additions that an older reader may ignore."""

PART = 32 * 1024
"""Bytes of a part before it is deflated, about."""

PART_LIMIT = 1024 * 1024
"""No part is inflated to more than this: a damaged or hostile table cannot take all memory."""

SECTION_LIMIT = 64 * 1024 * 1024
"""The same for the metadata and the catalog."""

HEADER = struct.Struct("<8sHHHHQIIIIIIII")
"""magic, container, schema major, schema minor, 0, file length, then stored length, raw length and CRC-32 of the
metadata, the same three of the catalog, number of parts, CRC-32 of the part table."""

HEADER_CRC = struct.Struct("<I")
"""The CRC-32 of the header, straight after it."""

HEAD_BYTES = HEADER.size + HEADER_CRC.size
"""Of both: where the metadata begin."""

ROW = struct.Struct("<IIIQIII")
"""One row of the part table: stream, first, count, offset, stored length, raw length, CRC-32 of the stored bytes."""


class Stream(IntEnum):
    """What a part holds. `first` and `count` of its row are code points for TEXT, else rows."""

    TEXT = 1
    BLOCKS = 2
    PLACES = 3
    RUNS = 4


@dataclass(frozen=True, slots=True)
class Part:
    """One row of the part table."""

    stream: int
    first: int
    count: int
    offset: int
    stored: int
    raw: int
    crc: int


class PackError(PinciteError):
    """A pack file that cannot be used. It is derived, so it can always be made again from the attachment."""


class PackDamaged(PackError):
    """The bytes are not those that were written."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: damaged pack ({what}); it is made again at the next `pincite index`")
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (_damaged, (str(self), self.path))


class PackTooNew(PackError):
    """Written by a later pincite."""


def _damaged(message: str, path: Path) -> PackDamaged:
    error = PackDamaged(path, "")
    error.args = (message,)
    return error
