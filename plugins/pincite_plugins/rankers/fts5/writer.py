"""From the store's words to the index: tokens to FTS5, and their inversion to postings."""

from __future__ import annotations

from collections.abc import Mapping

import apsw
import numpy as np
import numpy.typing as npt

from pincite.values.search import ChunkText
from pincite_plugins.rankers.fts5 import batches
from pincite_plugins.rankers.fts5.batches import DOC, ITEM, KINDS
from pincite_plugins.rankers.fts5.database import COLUMNS
from pincite_plugins.rankers.fts5.lexicon import Lexicon, Numbers
from pincite_plugins.rankers.fts5.postings import LARGEST_BATCH, UNIT, Stored, merge, write
from pincite_plugins.rankers.fts5.reading import Reader

BATCH_CHARACTERS = 20_000_000
"""Of text that are inverted at a time: some 150 MB of arrays."""

LARGEST_MERGED = 8_192
"""Documents of a batch that is still made by merging: a first run writes larger ones at once, and never merges."""

TEXT = np.dtype([("document", "<i8"), ("units", "<i8"), ("per", "<f8")])
"""A column's text in a document: units and length that a mention counts."""

_INSERT = f"INSERT INTO words(rowid, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
_NOWHERE = (0, 0, 1.0)
_AT = {column: index for index, column in enumerate(COLUMNS, 1)}
_REPEATED = ("context", "heading")
"""Columns whose text is the same in many rows; a short one does not shorten what it stands beside."""


def _written(column: str, weight: float) -> tuple[int, int, float]:
    """What a mention in a column counts in steps of `UNIT`, the column's place in a row, and the length that a mention counts."""
    units = max(0, round(weight / UNIT))
    return units, _AT.get(column, 0), min(1.0, units * UNIT) if column in _REPEATED else 1.0


class Batch:
    """Documents on their way into the index."""

    def __init__(self, lexicon: Lexicon, weights: Mapping[str, float], stems: bool) -> None:
        self._lexicon = lexicon
        self._columns = {column: _written(column, weights.get(column, 0)) for column in {**_AT, **weights}}
        self._stems = stems
        self._reader = Reader(lexicon)
        self._characters = 0
        self._texts: list[tuple[int, int, float]] = []  # as `TEXT`
        self._docs: list[tuple[int, int]] = []  # row, kind
        self._fts: list[list[object]] = []

    def __len__(self) -> int:
        return len(self._docs)

    @property
    def full(self) -> bool:
        """Whether it should be written before more is added."""
        return self._characters >= BATCH_CHARACTERS or len(self._docs) >= LARGEST_BATCH // 2

    def add(self, text: ChunkText) -> None:
        """Takes in a row's words."""
        row: list[object] = [text.row, *[None] * len(COLUMNS)]
        for column, value in text.columns.items():
            units, at, per = self._columns.get(column, _NOWHERE)
            if not value or not (units or at):
                continue
            self._reader.add(value, text.language, row, at)
            self._texts.append((len(self._docs), units, per))
            self._characters += len(value)
        self._docs.append((text.row, KINDS.index(text.kind)))
        self._fts.append(row)

    def write(self, connection: apsw.Connection) -> None:
        """Writes everything; the caller holds a transaction."""
        if not self._docs:
            return
        self._reader.read()
        connection.executemany(_INSERT, self._fts)
        words, owners = self._reader.mentions()
        texts = np.array(self._texts, TEXT)
        docs = np.empty(len(self._docs), DOC)
        docs["row"], docs["kind"] = np.array(self._docs, np.int64).T
        docs["live"] = 1
        if len(texts) and not texts["units"].all():
            counted = texts["units"][owners] > 0
            words, owners = words[counted], owners[counted]
        docs["length"] = np.bincount(
            texts["document"], np.bincount(owners, minlength=len(texts)) * texts["per"], len(docs)
        )
        base = batches.sum_of_counts(connection)
        batches.insert(connection, base, docs)
        used = np.flatnonzero(np.bincount(words, minlength=1)).astype(np.int32)
        terms = self._lexicon.terms(connection, used)
        stored = _postings(terms[words], (texts["document"] << 16 | texts["units"])[owners])
        self._count(connection, stored, docs["kind"] == ITEM, used, terms)
        write(connection, base, stored)
        if self._stems:
            self._lexicon.write_stems(connection)
        _merge_tail(connection)

    def _count(
        self,
        connection: apsw.Connection,
        stored: Stored,
        is_item: npt.NDArray[np.bool_],
        used: Numbers,
        ids: Numbers,
    ) -> None:
        """Adds each term's documents to its counts."""
        terms, offsets, _ = stored
        starts = np.flatnonzero(np.diff(terms, prepend=-1))
        if not len(starts):
            return
        items = np.add.reduceat(is_item[offsets].astype(np.int64), starts)
        texts = np.diff(starts, append=len(terms)) - items
        number = np.zeros(int(terms[-1]) + 1, np.int32)
        number[ids[used]] = used
        spelled = [self._lexicon.words[at] for at in number[terms[starts]].tolist()]
        order = _by_beginnings(spelled)
        counts = (column[order].tolist() for column in (terms[starts], texts, items))
        connection.executemany(
            "INSERT INTO term VALUES (?, ?, ?, ?)"
            " ON CONFLICT (text) DO UPDATE SET df = df + excluded.df, items = items + excluded.items",
            zip([spelled[at] for at in order.tolist()], *counts, strict=True),
        )


def _by_beginnings(words: list[str]) -> npt.NDArray[np.int64]:
    """The order of words by their first eight bytes: as good as alphabetical for the table that they go into, and far sooner found."""
    data = np.frombuffer("\0".join([*words, "\0" * 7]).encode("utf-8", "surrogatepass"), np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(data[:-8] == 0) + 1])
    return np.argsort(data[starts[:, None] + np.arange(8)].view(">u8").ravel().astype(np.uint64))


def _postings(terms: Numbers, places: npt.NDArray[np.int64]) -> Stored:
    """Every (term, document) once, with the sum of its weights. `places`: document · 2¹⁶ + units of each mention."""
    key = terms.astype(np.int64)  # changed in place: there are millions
    key <<= 32
    key |= places
    key.sort()
    key = key[np.searchsorted(key, 1 << 32) :]  # without the stops
    units = (key & 0xFFFF).astype(np.uint16)
    key >>= 16
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else np.empty(0, np.int64)
    sums = np.add.reduceat(units, starts, dtype=np.int64) if len(starts) else key
    key = key[starts]
    return key >> 16, (key & 0xFFFF).astype(np.uint16), np.minimum(sums, 255).astype(np.uint8)


def _merge_tail(connection: apsw.Connection) -> None:
    """Keeps the number of batches logarithmic: the last two become one while the last is at least half of the one before."""
    while True:
        tail = connection.execute("SELECT base, count FROM batch ORDER BY base DESC LIMIT 2").fetchall()
        if len(tail) < 2:
            return
        (second, last), (first, before) = tail
        if 2 * last < before or before + last > LARGEST_MERGED:
            return
        merge(connection, first, second)
