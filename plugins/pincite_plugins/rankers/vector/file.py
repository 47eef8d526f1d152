"""The ranker's files: codes and rows are appended, a small head says how much of them counts.

``codes-G`` holds n rows of `width` int8; ``rows-G`` n entries of (chunk row, scale), the row -1 where it is gone. ``head.json`` is
written beside and renamed, last of all: what lies beyond its count was cut short and is written again.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pincite.errors import Damaged
from pincite.spec import ModelFacts
from pincite_plugins.rankers.vector.codes import Codes, Floats
from pincite_plugins.rankers.vector.head import HEAD, read_head, write_head

FORMAT = 2
ENTRY = np.dtype([("row", "<i8"), ("scale", "<f4"), ("crc", "<u4")])
"""One entry of the rows file; `crc` is the CRC-32 of the row's codes, its number and its scale. A row that is gone is -1, unchecked."""

SUMMED = ENTRY.itemsize - 4
"""Bytes of an entry that its checksum covers."""


@dataclass(frozen=True)
class Head:
    """What the files hold: `count` rows, `gone` of them removed, up to change `applied`; `expected` rows want a vector."""

    model: str
    width: int
    mean: int
    applied: int = 0
    count: int = 0
    gone: int = 0
    expected: int = 0
    generation: int = 0
    format: int = FORMAT

    @property
    def live(self) -> int:
        """Rows that are not removed."""
        return self.count - self.gone

    def fits(self, facts: ModelFacts) -> bool:
        """Whether the codes are those of this model, made with its mean."""
        return self.model == facts.id and self.width == facts.width and self.mean == mean_mark(facts)


def mean_mark(facts: ModelFacts) -> int:
    """Which mean codes are made with: another one codes anew, without embedding anything."""
    return 0 if facts.mean is None else zlib.crc32(np.ascontiguousarray(facts.mean, np.float32).tobytes())


class CodesFile:
    """Codes and rows of one model in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mapped: tuple[int, int, Codes, npt.NDArray[np.void]] | None = None

    def head(self) -> Head | None:
        """The head, or None where there is none that can be used."""
        head = read_head(self.folder, Head)
        if head is None or head.format != FORMAT:
            return None
        codes, rows = self._paths(head)
        try:
            whole = (
                codes.stat().st_size >= head.count * head.width and rows.stat().st_size >= head.count * ENTRY.itemsize
            )
        except OSError:
            return None
        return head if whole else None

    def write_head(self, head: Head) -> None:
        """Puts it in place of the one before."""
        write_head(self.folder, asdict(head), lasting=True)

    def begin(self, head: Head) -> Head:
        """Starts a new generation, empty; files of others go once its head stands."""
        self.folder.mkdir(parents=True, exist_ok=True)
        used = [
            int(path.name.split("-")[1]) for path in self.folder.glob("codes-*") if path.name.split("-")[1].isdigit()
        ]
        head = replace(head, generation=max([*used, head.generation]) + 1, count=0, gone=0)
        for path in self._paths(head):
            path.write_bytes(b"")
        return head

    def append(self, head: Head, rows: npt.NDArray[np.int64], codes: Codes, scale: Floats) -> Head:
        """Appends behind what counts; the head that is returned is still to be written."""
        entries = np.zeros(len(rows), ENTRY)
        entries["row"], entries["scale"] = rows, scale
        entries["crc"] = [
            zlib.crc32(entry.tobytes()[:SUMMED], zlib.crc32(code.tobytes()))
            for entry, code in zip(entries, codes, strict=True)
        ]
        for path, size, data in zip(self._paths(head), (head.width, ENTRY.itemsize), (codes, entries), strict=True):
            with open(path, "r+b") as file:
                file.truncate(head.count * size)
                file.seek(head.count * size)
                file.write(np.ascontiguousarray(data).tobytes())
                file.flush()
                os.fsync(file.fileno())
        return replace(head, count=head.count + len(rows))

    def remove(self, head: Head, rows: npt.NDArray[np.int64]) -> Head:
        """Marks rows as gone, in place: doing it twice does no harm."""
        if not head.count or not len(rows):
            return head
        entries = np.memmap(self._paths(head)[1], ENTRY, "r+", shape=(head.count,))
        dead = np.isin(entries["row"], rows)
        entries["row"][dead] = -1
        entries.flush()
        return replace(head, gone=int((entries["row"] < 0).sum()))

    def sweep(self, head: Head) -> None:
        """Removes the files of other generations."""
        keep = {path.name for path in self._paths(head)} | {HEAD}
        for path in self.folder.iterdir():
            if path.name not in keep:
                with contextlib.suppress(OSError):
                    path.unlink()

    def read(self, head: Head) -> tuple[Codes, npt.NDArray[np.void]]:
        """Codes (count, width) and entries (count,), memory-mapped."""
        key = (head.generation, head.count)
        if self._mapped is None or self._mapped[:2] != key:
            if not head.count:
                self._mapped = (*key, np.zeros((0, head.width), np.int8), np.zeros(0, ENTRY))
            else:
                codes, rows = self._paths(head)
                self._mapped = (
                    *key,
                    np.memmap(codes, np.int8, "r", shape=(head.count, head.width)),
                    np.memmap(rows, ENTRY, "r", shape=(head.count,)),
                )
        return self._mapped[2], self._mapped[3]

    def verify(self, head: Head, places: Iterable[int]) -> None:
        """Raises `Damaged` where codes or entries at `places` are not those that were written; they are then coded anew by the next
        `catch_up`, as the head goes."""
        codes, entries = self.read(head)
        code, entry = memoryview(np.asarray(codes)).cast("B"), memoryview(np.asarray(entries).view(np.uint8)).cast("B")
        rows, sums, width = entries["row"], entries["crc"], head.width
        for place in places:
            at = place * ENTRY.itemsize
            if rows[place] != -1 and sums[place] != zlib.crc32(
                entry[at : at + SUMMED], zlib.crc32(code[place * width : (place + 1) * width])
            ):
                with contextlib.suppress(OSError):
                    (self.folder / HEAD).unlink()
                raise Damaged(
                    f"{self.folder}: the codes of the vectors are damaged; run `pincite index`, which makes them anew"
                )

    def close(self) -> None:
        """Lets go of the maps."""
        self._mapped = None

    def _paths(self, head: Head) -> tuple[Path, Path]:
        return self.folder / f"codes-{head.generation}", self.folder / f"rows-{head.generation}"
