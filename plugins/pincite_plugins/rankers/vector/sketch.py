"""A sketch of every code, a fifth as wide, by which a large library is scanned first (specs/09-vectors.md).

What a vector differs by from the mean, turned so that the directions in which the library's passages differ most come
first, and the first 80 of them as int8: principal components (Jolliffe 2002). One bit a dimension says less and is slower
to compare here (tests/benchmarks/two_stage.py). A sketch decides only who survives; scores are those of the whole codes.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from pincite.values.search import Rows
from pincite_plugins.rankers.vector.codes import Codes, Floats, dots
from pincite_plugins.rankers.vector.head import HEAD, read_head, write_head

WIDTH = 80
"""Dimensions of a sketch; a model must have twice as many for it to be worth while."""

LARGE = 200_000
"""Rows from which a library has sketches: below, the exact scan takes a few milliseconds."""

SURVIVORS = 50
"""Rows that survive for each one wanted."""

LEAST = 20_000
"""Rows that survive at least."""

MOST = 1 / 8
"""Share of the rows that may survive: where it would be more, an exact scan is as quick."""

RECALL = 0.99
"""The share of the true best 100 that must survive, measured on the library itself; else the scan is exact."""

TOP = 100
"""The best rows of which recall is measured."""

SAMPLE = 20_000
"""Rows from which the directions are taken."""

PROBES = 64
"""Rows of the library that stand for questions when recall is measured."""

BLOCK = 65_536
"""Rows that are sketched at a time."""

FORMAT = 1


@dataclass(frozen=True)
class SketchHead:
    """What the files hold: sketches of the first `count` rows of a generation of codes.

    `step` is what one unit of a sketch stands for; `crc` the checksum of all sketches, `basis` that of the directions;
    `recall` was measured when there were `measured` rows.
    """

    generation: int
    width: int
    step: float
    basis: int
    count: int = 0
    crc: int = 0
    recall: float = 0.0
    measured: int = 0
    format: int = FORMAT


class Sketches:
    """The sketches of one model's codes, in a folder of their own: `head.json`, `basis.npy`, `sketches`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: tuple[SketchHead, Floats, Codes] | None = None

    def catch_up(self, generation: int, codes: Codes, scale: Floats) -> None:
        """Sketches what `codes` (n, width) hold more; begins anew where they are of another generation. Few or short ones have none."""
        count, width = codes.shape
        if count < LARGE or width < 2 * WIDTH:
            self._drop()
            return
        head = self._head()
        if head is None or (head.generation, head.width) != (generation, width) or head.count > count:
            head = self._begin(generation, codes, scale)
        if head.count < count:
            head = self._extend(head, codes, scale)
        if head.measured * 2 <= count:
            write_head(self.folder, asdict(head))
            head = replace(head, recall=self._recall(head, codes, scale), measured=count)
        write_head(self.folder, asdict(head))

    def survivors(self, generation: int, count: int, query: Floats, wanted: int) -> Rows | None:
        """Places of the rows among which the `wanted` nearest to a query are, sorted. None where the scan must be exact:
        there are no sketches of all `count` rows, too many are wanted, or recall did not hold."""
        head = self._current()
        kept = max(LEAST, SURVIVORS * wanted)
        if head is None or (head.generation, head.count) != (generation, count):
            return None
        return None if head.recall < RECALL or kept > MOST * count else self._best(query, kept)

    def check(self) -> None:
        """Looks at every sketch; where one is damaged all of them go, and are made anew by the next `catch_up`."""
        head = self._current()
        if head is not None and self._read is not None and _crc(self._read[2]) != head.crc:
            self._drop()

    def close(self) -> None:
        """Lets go of the files."""
        self._read = None

    # ------------------------------------------------------------------------------------------ parts

    def _best(self, query: Floats, kept: int) -> Rows:
        assert self._read is not None
        _, basis, sketches = self._read
        turned = query @ basis
        peak = float(np.abs(turned).max()) or 1.0
        found = dots(sketches, np.rint(turned * (127 / peak)).astype(np.int8))
        if kept >= len(found):
            return np.arange(len(found))
        worst = np.partition(found, len(found) - kept)[len(found) - kept]
        return np.flatnonzero(found >= worst)

    def _begin(self, generation: int, codes: Codes, scale: Floats) -> SketchHead:
        self._drop()
        self.folder.mkdir(parents=True, exist_ok=True)
        chosen = np.sort(np.random.default_rng(1).permutation(len(codes))[:SAMPLE])
        sample = codes[chosen] * scale[chosen, None]
        basis = np.ascontiguousarray(np.linalg.eigh(sample.T @ sample)[1][:, : -WIDTH - 1 : -1], np.float32)
        step = float(np.abs(sample @ basis).max()) / 127 or 1.0
        np.save(self.folder / "basis.npy", basis)
        (self.folder / "sketches").write_bytes(b"")
        return SketchHead(generation, codes.shape[1], step, _crc(basis))

    def _extend(self, head: SketchHead, codes: Codes, scale: Floats) -> SketchHead:
        basis = np.load(self.folder / "basis.npy")
        crc = head.crc
        with open(self.folder / "sketches", "r+b") as file:
            file.truncate(head.count * WIDTH)
            file.seek(head.count * WIDTH)
            for at in range(head.count, len(codes), BLOCK):
                part = slice(at, min(at + BLOCK, len(codes)))
                turned = (codes[part].astype(np.float32) @ basis) * (scale[part, None] / head.step)
                data = np.clip(np.rint(turned), -127, 127).astype(np.int8).tobytes()
                crc = zlib.crc32(data, crc)
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return replace(head, count=len(codes), crc=crc)

    def _recall(self, head: SketchHead, codes: Codes, scale: Floats) -> float:
        """The share of the best 100 of some rows that are among the survivors."""
        self._current()
        shares = []
        for place in np.random.default_rng(2).permutation(len(codes))[:PROBES].tolist():
            exact = dots(codes, codes[place]) * scale
            best = np.argpartition(-exact, min(TOP, len(exact) - 1))[:TOP]
            shares.append(np.isin(best, self._best(codes[place].astype(np.float32), LEAST)).mean())
        return float(np.mean(shares))

    def _current(self) -> SketchHead | None:
        head = self._head()
        if head is None:
            self._read = None
        elif self._read is None or self._read[0] != head:
            basis = np.load(self.folder / "basis.npy")
            self._read = head, basis, np.memmap(self.folder / "sketches", np.int8, "r", shape=(head.count, WIDTH))
        return head

    def _head(self) -> SketchHead | None:
        """The head, or None where there is none that fits its files."""
        head = read_head(self.folder, SketchHead)
        if head is None or head.format != FORMAT or not head.count:
            return None
        try:
            whole = (self.folder / "sketches").stat().st_size >= head.count * WIDTH
            return head if whole and _crc(np.load(self.folder / "basis.npy")) == head.basis else None
        except (OSError, ValueError):
            return None

    def _drop(self) -> None:
        self._read = None
        for name in (HEAD, "basis.npy", "sketches"):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()


def _crc(data: Codes | Floats) -> int:
    return zlib.crc32(memoryview(np.asarray(data).view(np.uint8)).cast("B"))  # type: ignore[arg-type]
