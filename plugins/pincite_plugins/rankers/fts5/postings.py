"""Postings: for each term the documents that hold it, with its weighted frequency.

One blob holds the postings of one term in one batch of documents: the ordinals above the batch's base as uint16, then the
frequencies as uint8, in quarters (a weight of 1.5 is 6), up to 63.75. Three bytes a posting, and no decoding.
"""

from __future__ import annotations

from collections import OrderedDict

import apsw
import numpy as np
import numpy.typing as npt

UNIT = 0.25
"""What one step of a stored frequency stands for."""

LARGEST_BATCH = 1 << 16
CACHE_BYTES = 48 << 20

Ordinals = npt.NDArray[np.int32]
Frequencies = npt.NDArray[np.float32]
Posting = tuple[Ordinals, Frequencies]

NONE: Posting = (np.empty(0, np.int32), np.empty(0, np.float32))


def pack(offsets: npt.NDArray[np.uint16], frequencies: npt.NDArray[np.uint8]) -> bytes:
    """A blob."""
    return offsets.astype("<u2").tobytes() + frequencies.tobytes()


def unpack(base: int, data: bytes) -> tuple[Ordinals, npt.NDArray[np.uint8]]:
    """Ordinals, rising, and stored frequencies."""
    count = len(data) // 3
    offsets = np.frombuffer(data, "<u2", count)
    return offsets.astype(np.int32) + np.int32(base), np.frombuffer(data, np.uint8, count, 2 * count)


class Postings:
    """Reads postings, and keeps those read last up to `CACHE_BYTES`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._kept: OrderedDict[int, Posting] = OrderedDict()
        self._bytes = 0

    def of(self, term: int) -> Posting:
        """Ordinals and weighted frequencies of a term."""
        if term in self._kept:
            self._kept.move_to_end(term)
            return self._kept[term]
        parts = [
            unpack(base, data)
            for base, data in self._connection.execute(
                "SELECT base, data FROM posting WHERE term = ? ORDER BY base", (term,)
            )
        ]
        if not parts:
            return NONE
        ordinals = np.concatenate([part[0] for part in parts]) if len(parts) > 1 else parts[0][0]
        stored = np.concatenate([part[1] for part in parts]) if len(parts) > 1 else parts[0][1]
        found = ordinals, stored.astype(np.float32) * np.float32(UNIT)
        self._kept[term] = found
        self._bytes += 8 * len(ordinals)
        while self._bytes > CACHE_BYTES and len(self._kept) > 1:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._bytes -= 8 * len(dropped)
        return found


def merge(connection: apsw.Connection, first: int, second: int, third: int) -> None:
    """Makes one batch of two neighbours: bases `first` < `second`, of which the second ends before `third`."""
    docs = b"".join(
        data
        for (data,) in connection.execute(
            "SELECT docs FROM batch WHERE base IN (?, ?) ORDER BY base", (first, second)
        ).fetchall()
    )
    moved = connection.execute("SELECT term, data FROM posting WHERE base = ?", (second,)).fetchall()
    for term, data in moved:
        shifted, frequencies = unpack(second - first, data)
        held = connection.execute("SELECT data FROM posting WHERE term = ? AND base = ?", (term, first)).get
        if held is not None:
            ordinals, before = unpack(0, held)
            shifted = np.concatenate([ordinals, shifted])
            frequencies = np.concatenate([before, frequencies])
        connection.execute(
            "INSERT OR REPLACE INTO posting VALUES (?, ?, ?)",
            (term, first, pack(shifted.astype(np.uint16), frequencies)),
        )
        connection.execute("DELETE FROM posting WHERE term = ? AND base = ?", (term, second))
    connection.execute("DELETE FROM batch WHERE base = ?", (second,))
    connection.execute("UPDATE batch SET count = ?, docs = ? WHERE base = ?", (third - first, docs, first))
