"""Damage to tantivy's files: how it shows, and how it is told.

Each file of a segment is written once and ends in a footer: JSON with the CRC-32 of what comes before it, the JSON's length, and a mark
(tantivy's `footer.rs`). tantivy looks at a checksum only when it is told to, which its Python binding does not do; by a file that is not as
it was written it gives other rows, or panics.
"""

from __future__ import annotations

import contextlib
import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pincite.errors import Damaged, PinciteError
from pincite.storage.checked import SUSPECT

ENDINGS = frozenset((".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term", ".del"))
"""Of the files of a segment."""

MARK = 1337
BLOCK = 1 << 20

_TAIL = struct.Struct("<II")


def segment_files(folder: Path) -> list[Path]:
    """Those of the last commit; what a run that was cut short has left beside them is no part of it."""
    try:
        segments = json.loads((folder / "meta.json").read_text("utf-8"))["segments"]
        names = {str(one["segment_id"]).replace("-", "") for one in segments}
    except (OSError, ValueError, KeyError, TypeError):
        return []  # tantivy says so itself
    return sorted(path for path in folder.glob("*") if path.suffix in ENDINGS and path.name.split(".")[0] in names)


def look_at(paths: Iterable[Path]) -> None:
    """Raises `Damaged` for the first of these files that is not as it was written, and marks it, so that the next run makes the index anew;
    one that is gone by now is passed over."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            if not _sound(path):
                with contextlib.suppress(OSError):
                    path.with_name(path.name + SUSPECT).touch()
                raise Damaged(f"{path}: not as it was written; run `pincite index`, which makes it anew")


@contextlib.contextmanager
def noticed(folder: Path) -> Iterator[None]:
    """Raises `Damaged` for an error of tantivy's where a file below `folder` is damaged."""
    try:
        yield
    except PinciteError:
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":  # which is no Exception
            look_at(segment_files(folder))
        raise


def _sound(path: Path) -> bool:
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        if size < _TAIL.size:
            return False
        file.seek(size - _TAIL.size)
        length, mark = _TAIL.unpack(file.read(_TAIL.size))
        end = size - _TAIL.size - length
        if mark != MARK or end < 0:
            return False
        file.seek(end)
        try:
            written = json.loads(file.read(length))["crc"]
        except (ValueError, KeyError, TypeError):
            return False
        file.seek(0)
        summed = 0
        while end > 0 and (block := file.read(min(BLOCK, end))):
            summed = zlib.crc32(block, summed)
            end -= len(block)
        return bool(summed == written)
