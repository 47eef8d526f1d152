"""Postings: for each term the documents that hold it, with its weighted frequency.

Documents come in batches. In each, the postings of a term are its documents' offsets in the batch as uint16 and their frequencies as
uint8, in quarters (a weight of 1.5 is 6), up to 63.75: three bytes a posting, and no decoding. A term with `LARGE` postings in a batch has
a row of its own, with the term's id as its **key**; of all others, `BLOCK` terms share one row, with the key -1 - id // BLOCK, for most
terms stand in one or two documents. A row's id is its key and its batch's base: those of a key stand together, and each whole in a page.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from operator import itemgetter

import apsw
import numpy as np
import numpy.typing as npt

from pincite_plugins.rankers.fts5 import batches

UNIT = 0.25
"""What one step of a stored frequency stands for."""

LARGEST_BATCH = 1 << 16
BASES = 31
"""Bits of a row's id for the base of its batch; above them stands the key."""

LARGE = 32
BLOCK = 256
CACHE_BYTES = 48 << 20
FEWEST_KEPT = 32
"""Terms of the query at hand, more or less, which stay whatever their size."""

Ordinals = npt.NDArray[np.int32]
Frequencies = npt.NDArray[np.float32]
Posting = tuple[Ordinals, Frequencies]
Part = tuple[int, Ordinals, npt.NDArray[np.uint8]]
"""Base of a batch, and a term's postings in it."""

Stored = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], npt.NDArray[np.uint8]]
"""Term, offset and frequency of each posting of a batch, in order of term, then offset."""

_U2 = np.dtype("<u2")
NONE: Posting = (np.empty(0, np.int32), np.empty(0, np.float32))
NOTHING: Stored = (np.empty(0, np.int64), np.empty(0, np.uint16), np.empty(0, np.uint8))


def encode(
    terms: npt.NDArray[np.int64], offsets: npt.NDArray[np.uint16], frequencies: npt.NDArray[np.uint8]
) -> Iterator[tuple[int, bytes]]:
    """(key, data) of the rows that hold a batch's postings."""
    starts = np.flatnonzero(np.diff(terms, prepend=-1))
    ids, counts = terms[starts], np.diff(starts, append=len(terms))
    for at in np.flatnonzero(counts >= LARGE).tolist():
        low, high = starts[at], starts[at] + counts[at]
        yield int(ids[at]), offsets[low:high].astype(_U2).tobytes() + frequencies[low:high].tobytes()
    small = counts < LARGE
    kept = np.repeat(small, counts)
    ids, counts, offsets, frequencies = ids[small], counts[small], offsets[kept], frequencies[kept]
    ends = np.cumsum(counts)
    blocks = ids // BLOCK
    firsts = np.flatnonzero(np.diff(blocks, prepend=-1))
    for first, last in zip(firsts.tolist(), [*firsts[1:].tolist(), len(ids)], strict=True) if len(firsts) else ():
        low, high = ends[first] - counts[first], ends[last - 1]
        yield (
            -1 - int(blocks[first]),
            (last - first).to_bytes(2, "little")
            + (ids[first:last] % BLOCK).astype(np.uint8).tobytes()
            + counts[first:last].astype(np.uint8).tobytes()
            + offsets[low:high].astype(_U2).tobytes()
            + frequencies[low:high].tobytes(),
        )


def decode(key: int, data: bytes) -> Stored:
    """The postings of a row."""
    if key >= 0:
        count = len(data) // 3
        terms, at = np.full(count, key, np.int64), 0
    else:
        held = data[0] | data[1] << 8
        ids = np.frombuffer(data, np.uint8, held, 2).astype(np.int64) + (-1 - key) * BLOCK
        counts = np.frombuffer(data, np.uint8, held, 2 + held)
        terms, at = np.repeat(ids, counts), 2 + 2 * held
        count = len(terms)
    return terms, np.frombuffer(data, _U2, count, at), np.frombuffer(data, np.uint8, count, at + 2 * count)


def _one(key: int, data: bytes, term: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """The postings of one term in a row."""
    if key >= 0:
        count = len(data) // 3
        return np.frombuffer(data, _U2, count), np.frombuffer(data, np.uint8, count, 2 * count)
    held = data[0] | data[1] << 8
    index = data.find(term % BLOCK, 2, 2 + held) - 2
    if index < 0:
        return np.empty(0, np.uint16), np.empty(0, np.uint8)
    counts = data[2 + held : 2 + 2 * held]
    low, count, total = sum(counts[:index]), counts[index], sum(counts)
    at = 2 + 2 * held
    return np.frombuffer(data, _U2, count, at + 2 * low), np.frombuffer(data, np.uint8, count, at + 2 * total + low)


class Postings:
    """Reads postings, and keeps those read last up to `CACHE_BYTES`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._kept: OrderedDict[int, Posting] = OrderedDict()
        self._bytes = 0

    def of(self, term: int) -> Posting:
        """Ordinals, rising, and weighted frequencies of a term."""
        if term not in self._kept:
            self.gather([term])
        self._kept.move_to_end(term)
        return self._kept[term]

    def gather(self, terms: Sequence[int]) -> None:
        """Reads the postings of all `terms` that are not kept, in one."""
        wanted: dict[int, list[int]] = {}
        for term in terms:
            if term not in self._kept:
                wanted.setdefault(-1 - term // BLOCK, []).append(term)
        keys = [*wanted, *(term for block in wanted.values() for term in block)]
        parts: dict[int, list[Part]] = {term: [] for block in wanted.values() for term in block}
        for id, data in self._connection.execute(
            "SELECT posting.id, data FROM json_each(?) AS wanted CROSS JOIN posting"
            " ON posting.id BETWEEN wanted.value << ? AND (wanted.value + 1 << ?) - 1",
            (json.dumps(keys), BASES, BASES),
        ):
            key, base = id >> BASES, id & (1 << BASES) - 1
            for term in (key,) if key >= 0 else wanted[key]:
                offsets, frequencies = _one(key, data, term)
                if len(offsets):
                    parts[term].append((base, offsets + np.int32(base), frequencies))
        for term, found in parts.items():
            self._keep(term, _joined(sorted(found, key=itemgetter(0))))

    def _keep(self, term: int, found: Posting) -> None:
        self._kept[term] = found
        self._bytes += 8 * len(found[0])
        while self._bytes > CACHE_BYTES and len(self._kept) > FEWEST_KEPT:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._bytes -= 8 * len(dropped)


def _joined(parts: Sequence[Part]) -> Posting:
    if not parts:
        return NONE
    _, ordinals, stored = zip(*parts, strict=True)
    if len(parts) == 1:
        return ordinals[0], stored[0] * np.float32(UNIT)
    return np.concatenate(ordinals), np.concatenate(stored) * np.float32(UNIT)


def write(connection: apsw.Connection, base: int, stored: Stored) -> None:
    """Writes a batch's postings."""
    connection.executemany(
        "INSERT INTO posting VALUES (?, ?, ?)", (((key << BASES) + base, base, data) for key, data in encode(*stored))
    )


def merge(connection: apsw.Connection, first: int, second: int) -> None:
    """Makes one batch of two neighbours: bases `first` < `second`."""
    parts = [NOTHING]  # documents without a word may be all that there is
    docs = np.concatenate([batches.read(connection, base) for base in (first, second)])
    for base in (first, second):
        for id, data in connection.execute("SELECT id, data FROM posting WHERE base = ?", (base,)):
            terms, offsets, frequencies = decode(id >> BASES, data)
            parts.append((terms, offsets + np.uint16(base - first), frequencies))
    terms, offsets, frequencies = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(terms << 16 | offsets, kind="stable")
    connection.execute("DELETE FROM posting WHERE base IN (?, ?)", (first, second))
    write(connection, first, (terms[order], offsets[order], frequencies[order]))
    connection.execute("DELETE FROM batch WHERE base = ?", (second,))
    batches.update(connection, first, docs)
