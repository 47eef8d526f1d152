"""How the documents of a batch lie in its row of the table: field by field, so that a search reads each as one array, with what is asked
of all of them (how many are live, and how long they are together) beside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from pincite.values.search import ChunkKind

DOC = np.dtype([("row", "<i8"), ("length", "<f4"), ("kind", "u1"), ("live", "u1")])
"""One document: chunk row, weighted length in tokens, index into `KINDS`, whether it still is."""

KINDS = tuple(ChunkKind)
ITEM = KINDS.index(ChunkKind.ITEM)

Docs = npt.NDArray[np.void]
Sums = npt.NDArray[np.float64]
"""Shape (2, kinds): how many documents of each kind are live, and the sum of their lengths."""

_LEAST = 8
"""Bytes of a batch's lowest row, before the distances of all rows from it."""
_FIELDS = (("row", "<u4"), ("length", "<f4"), ("kind", "u1"), ("live", "u1"))
_EACH = sum(np.dtype(type).itemsize for _, type in _FIELDS)


def insert(connection: apsw.Connection, base: int, docs: Docs) -> None:
    """A new batch."""
    connection.execute("INSERT INTO batch VALUES (?, ?, ?, ?)", (base, len(docs), _sums(docs).tobytes(), _packed(docs)))


def update(connection: apsw.Connection, base: int, docs: Docs) -> None:
    """Other documents in the place of a batch's."""
    values = (len(docs), _sums(docs).tobytes(), _packed(docs), base)
    connection.execute("UPDATE batch SET count = ?, sums = ?, docs = ? WHERE base = ?", values)


def read(connection: apsw.Connection, base: int) -> Docs:
    """The documents of a batch, to be changed."""
    data = connection.execute("SELECT docs FROM batch WHERE base = ?", (base,)).get
    docs = np.empty((len(data) - _LEAST) // _EACH, DOC)
    for name, column in _columns(data, len(docs)):
        docs[name] = column
    return docs


def read_all(connection: apsw.Connection) -> dict[str, npt.NDArray[Any]]:
    """The fields of all documents, each as one array."""
    size = sum_of_counts(connection)
    types = {"row": np.int64, "length": np.float32, "kind": np.uint8, "live": np.bool_}
    fields: dict[str, npt.NDArray[Any]] = {name: np.empty(size, type) for name, type in types.items()}
    at = 0
    for count, data in connection.execute("SELECT count, docs FROM batch ORDER BY base"):
        for name, column in _columns(data, count):
            fields[name][at : at + count] = column
        at += count
    return fields


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


def _sums(docs: Docs) -> Sums:
    live = docs[docs["live"] == 1]
    size = len(KINDS)
    return np.stack([np.bincount(live["kind"], minlength=size), np.bincount(live["kind"], live["length"], size)])


def _packed(docs: Docs) -> bytes:
    least = int(docs["row"].min())
    columns = (docs["row"] - least, docs["length"], docs["kind"], docs["live"])
    parts = [column.astype(type).tobytes() for column, (_, type) in zip(columns, _FIELDS, strict=True)]
    return b"".join([least.to_bytes(_LEAST, "little", signed=True), *parts])


def _columns(data: bytes, count: int) -> Iterable[tuple[str, npt.NDArray[Any]]]:
    """The fields of a batch's documents."""
    least = np.int64(int.from_bytes(data[:_LEAST], "little", signed=True))
    at = _LEAST
    for name, type in _FIELDS:
        column = np.frombuffer(data, type, count, at)
        at += column.nbytes
        yield name, column + least if name == "row" else column
