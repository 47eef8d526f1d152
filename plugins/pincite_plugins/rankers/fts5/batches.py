"""How the documents of a batch lie in its row of the table: field by field, so that a search reads each as an array and what it does not
need not at all, with what is asked of all of them (how many are live, and how long they are together) beside. Rows are given one after
another, and are kept as runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import apsw
import numpy as np
import numpy.typing as npt

from pincite.values.quick import dataclass
from pincite.values.search import ChunkKind, Rows

DOC = np.dtype([("row", "<i8"), ("length", "<f4"), ("kind", "u1"), ("live", "u1")])
"""One document: chunk row, weighted length in tokens, index into `KINDS`, whether it still is."""

KINDS = tuple(ChunkKind)
ITEM = KINDS.index(ChunkKind.ITEM)

Docs = npt.NDArray[np.void]
Sums = npt.NDArray[np.float64]
"""Shape (2, kinds): how many documents of each kind are live, and the sum of their lengths."""

RUN = np.dtype([("row", "<i8"), ("count", "<u4")])
"""Documents one after another whose rows are one after another too: the row of the first, and how many they are."""

_LENGTH = np.dtype("<f4")

_INSERT = "INSERT INTO batch(sums, count, runs, lengths, kinds, live, base) VALUES (?, ?, ?, ?, ?, ?, ?)"
_UPDATE = "UPDATE batch SET sums = ?, count = ?, runs = ?, lengths = ?, kinds = ?, live = ? WHERE base = ?"


@dataclass(frozen=True, eq=False)
class Fields:
    """The fields of a batch's documents, in their order. `live`: None where all are."""

    runs: npt.NDArray[np.void]
    length: npt.NDArray[np.float32]
    kind: npt.NDArray[np.uint8]
    live: npt.NDArray[np.bool_] | None


def insert(connection: apsw.Connection, base: int, docs: Docs) -> None:
    """A new batch."""
    connection.execute(_INSERT, (*_packed(docs), base))


def update(connection: apsw.Connection, base: int, docs: Docs) -> None:
    """Other documents in the place of a batch's."""
    connection.execute(_UPDATE, (*_packed(docs), base))


def read(connection: apsw.Connection, base: int) -> Docs:
    """The documents of a batch, to be changed."""
    fields = next(_fields(connection.execute(f"{_SELECT} WHERE base = ?", (base,))))
    docs = np.empty(len(fields.kind), DOC)
    docs["row"], docs["length"], docs["kind"] = spread(fields.runs), fields.length, fields.kind
    docs["live"] = 1 if fields.live is None else fields.live
    return docs


def read_all(connection: apsw.Connection) -> Iterator[Fields]:
    """Each batch in turn."""
    return _fields(connection.execute(f"{_SELECT} ORDER BY base"))


def length_of(connection: apsw.Connection, ordinal: int) -> float:
    """The length of one document."""
    found = connection.execute("SELECT base, lengths FROM batch WHERE base <= ? ORDER BY base DESC LIMIT 1", (ordinal,))
    base, lengths = found.fetchall()[0]
    return float(np.frombuffer(lengths, _LENGTH)[ordinal - base])


def rows(connection: apsw.Connection) -> Rows:
    """The row of each document, of those that are gone too."""
    runs = connection.execute("SELECT runs FROM batch ORDER BY base").fetchall()
    return spread(np.frombuffer(b"".join(run for (run,) in runs), RUN))


def spread(runs: npt.NDArray[np.void]) -> Rows:
    """The row of each document of these runs."""
    ends = np.cumsum(runs["count"], dtype=np.int64)
    size = int(ends[-1]) if len(ends) else 0
    return np.repeat(runs["row"] - (ends - runs["count"]), runs["count"]) + np.arange(size)


def sums_of(connection: apsw.Connection) -> Sums:
    """Of all batches together."""
    found = np.zeros(2 * len(KINDS))
    for (data,) in connection.execute("SELECT sums FROM batch"):
        found += np.frombuffer(data, np.float64)
    return found.reshape(2, len(KINDS))


def sum_of_counts(connection: apsw.Connection) -> int:
    """How many documents there are, those that are gone too."""
    return int(connection.execute("SELECT coalesce(sum(count), 0) FROM batch").get)


def bases(connection: apsw.Connection) -> list[int]:
    """The batches, by their first ordinal."""
    return [base for (base,) in connection.execute("SELECT base FROM batch ORDER BY base")]


def _packed(docs: Docs) -> tuple[bytes, int, bytes, bytes, bytes, bytes]:
    """Sums, count, runs, lengths, kinds, and which are live: nothing where all are."""
    row, live = docs["row"], docs["live"] == 1
    starts = np.flatnonzero(np.diff(row, prepend=row[0] - 2) != 1)
    runs = np.empty(len(starts), RUN)
    runs["row"], runs["count"] = row[starts], np.diff(starts, append=len(row))
    size, kinds = len(KINDS), docs["kind"][live]
    sums = np.stack([np.bincount(kinds, minlength=size), np.bincount(kinds, docs["length"][live], size)])
    return (
        sums.tobytes(),
        len(docs),
        runs.tobytes(),
        docs["length"].astype(_LENGTH).tobytes(),
        docs["kind"].tobytes(),
        b"" if live.all() else live.tobytes(),
    )


_SELECT = "SELECT runs, lengths, kinds, live FROM batch"


def _fields(found: Iterable[tuple[bytes, bytes, bytes, bytes]]) -> Iterator[Fields]:
    for runs, lengths, kinds, live in found:
        yield Fields(
            np.frombuffer(runs, RUN),
            np.frombuffer(lengths, _LENGTH),
            np.frombuffer(kinds, np.uint8),
            np.frombuffer(live, np.bool_) if live else None,
        )
