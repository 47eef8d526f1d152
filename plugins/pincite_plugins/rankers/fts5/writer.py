"""From the store's words to the index: tokens to FTS5, and their inversion to postings."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter

import apsw
import numpy as np
import numpy.typing as npt

from pincite.text.runs import Kind, cjk_parts
from pincite.text.scripts import holds_cjk
from pincite.text.tokens import STOP, mixed, stretches
from pincite.values.search import ChunkText
from pincite_plugins.rankers.fts5.database import COLUMNS
from pincite_plugins.rankers.fts5.documents import DOC, ITEM, KINDS
from pincite_plugins.rankers.fts5.lexicon import Lexicon, Numbers
from pincite_plugins.rankers.fts5.postings import LARGEST_BATCH, UNIT, Stored, merge, write

BATCH_STRETCHES = 3_000_000
"""Stretches that are inverted at a time: some 150 MB of arrays."""

LARGEST_MERGED = 8_192
"""Documents of a batch that is still made by merging: a first run writes larger ones at once, and never merges."""

RUN = np.dtype([("document", "<i8"), ("units", "<i8"), ("per", "<f8"), ("end", "<i8"), ("characters", "<i8")])
"""A column's text in a document: units and length that a mention counts, where its stretches end in the batch, and how many characters of
runs it has."""

_INSERT = f"INSERT INTO words(rowid, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
_AT = {column: index for index, column in enumerate(COLUMNS, 1)}
_REPEATED = ("context", "heading")
"""Columns whose text is the same in many rows; a short one does not shorten what it stands beside."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A text's words: numbers of its stretches, its runs of CJK characters each closed by `GAP`, and what FTS5 is given."""

    numbers: list[int]
    characters: str
    spelled: str


GAP = "\0"


class Batch:
    """Documents on their way into the index."""

    def __init__(self, lexicon: Lexicon, weights: Mapping[str, float], stems: bool) -> None:
        self._lexicon = lexicon
        self._units = {column: max(0, round(weight / UNIT)) for column, weight in weights.items()}
        self._stems = stems
        self._numbers = array("i")  # of stretches
        self._characters: list[str] = []
        self._runs: list[tuple[int, int, float, int, int]] = []  # as `RUN`
        self._docs: list[tuple[int, int]] = []  # row, kind
        self._fts: list[tuple[object, ...]] = []
        self._repeated: dict[tuple[str, str], Taken] = {}

    def __len__(self) -> int:
        return len(self._docs)

    @property
    def full(self) -> bool:
        """Whether it should be written before more is added."""
        return len(self._numbers) >= BATCH_STRETCHES or len(self._docs) >= LARGEST_BATCH // 2

    def add(self, text: ChunkText) -> None:
        """Takes in a row's words."""
        row: list[object] = [None] * (len(COLUMNS) + 1)
        row[0] = text.row
        for column, value in text.columns.items():
            units = self._units.get(column, 0)
            per = 1.0
            if column in _REPEATED:
                per = min(1.0, units * UNIT)
                taken = self._repeated.get((text.language, value))
                if taken is None:
                    taken = self._repeated[text.language, value] = self._taken(text.language, value)
            else:
                taken = self._taken(text.language, value)
                if column in _AT:
                    row[_AT[column]] = taken.spelled
            if units and (taken.numbers or taken.characters):
                self._numbers.extend(taken.numbers)
                self._characters.append(taken.characters)
                self._runs.append((len(self._docs), units, per, len(self._numbers), len(taken.characters)))
        self._docs.append((text.row, KINDS.index(text.kind)))
        self._fts.append(tuple(row))

    def _taken(self, language: str, text: str) -> Taken:
        lexicon, number = self._lexicon, self._lexicon.of(language).__getitem__
        found, halves = stretches(text)
        if not text.isascii() and holds_cjk("".join(found)):
            numbers, characters, spelled, besides = self._mixed(found, number)
        else:
            numbers, characters, besides = list(map(number, found)), "", []
            spelled = " ".join(map(lexicon.parts.__getitem__, numbers))
        besides += filter(None, map(lexicon.wholes.get, numbers))
        besides += halves
        numbers += map(number, halves)
        return Taken(numbers, characters, f"{spelled} {STOP} {' '.join(besides)}" if besides else spelled)

    def _mixed(self, found: list[str], number: Callable[[str], int]) -> tuple[list[int], str, str, list[str]]:
        """The same for a text with CJK characters. FTS5 is not given them one by one: a prefix of a pair finds them."""
        numbers: list[int] = []
        runs: list[str] = []
        spelled: list[str] = []
        besides: list[str] = []
        for stretch in found:
            if not holds_cjk(stretch):
                numbers.append(number(stretch))
                spelled.append(self._lexicon.parts[numbers[-1]])
                continue
            for kind, text in mixed(stretch):
                if kind is Kind.CJK:
                    runs += (text, GAP)
                    spelled.append(cjk_parts(text))
                else:
                    numbers.append(number(text))
                    (besides if kind is Kind.WHOLE else spelled).append(text)
        return numbers, "".join(runs), " ".join(spelled), besides

    def write(self, connection: apsw.Connection) -> None:
        """Writes everything; the caller holds a transaction."""
        if not self._docs:
            return
        connection.executemany(_INSERT, self._fts)
        words, owners = self._inverted()
        runs = np.array(self._runs, RUN)
        docs = np.empty(len(self._docs), DOC)
        docs["row"], docs["kind"] = np.array(self._docs, np.int64).T
        docs["live"] = 1
        docs["length"] = np.bincount(
            runs["document"], np.bincount(owners, minlength=len(runs)) * runs["per"], len(docs)
        )
        base = connection.execute("SELECT coalesce(max(base + count), 0) FROM batch").get
        connection.execute("INSERT INTO batch VALUES (?, ?, ?)", (base, len(docs), docs.tobytes()))
        used = np.flatnonzero(np.bincount(words, minlength=1)).astype(np.int32)
        terms = self._lexicon.terms(connection, used)
        stored = _postings(terms[words], (runs["document"] << 16 | runs["units"])[owners])
        self._count(connection, stored, docs["kind"] == ITEM, used, terms)
        write(connection, base, stored)
        if self._stems:
            self._lexicon.write_stems(connection)
        _merge_tail(connection)

    def _inverted(self) -> tuple[Numbers, npt.NDArray[np.int64]]:
        """The word number of each mention, and the run that it stands in."""
        runs = np.array(self._runs, RUN)
        words, until = self._lexicon.spelled(np.frombuffer(self._numbers, np.int32))
        ends = np.concatenate([[0], until])[runs["end"]]
        owners = np.repeat(np.arange(len(runs)), np.diff(ends, prepend=0))
        codes = np.frombuffer("".join(self._characters).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
        single = np.flatnonzero(codes)
        if not len(single):
            return words, owners
        owner = np.repeat(np.arange(len(runs)), runs["characters"])
        pair = single[codes[single + 1] != 0]  # every run is closed by a gap
        keys = np.concatenate([codes[single], codes[pair] << 21 | codes[pair + 1]])
        return (
            np.concatenate([words, self._lexicon.characters(keys)]),
            np.concatenate([owners, owner[single], owner[pair]]),
        )

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
        connection.executemany(
            "INSERT INTO term VALUES (?, ?, ?, ?)"
            " ON CONFLICT (text) DO UPDATE SET df = df + excluded.df, items = items + excluded.items",
            sorted(
                zip(spelled, terms[starts].tolist(), texts.tolist(), items.tolist(), strict=True), key=itemgetter(0)
            ),
        )


def _postings(terms: Numbers, places: npt.NDArray[np.int64]) -> Stored:
    """Every (term, document) once, with the sum of its weights. `places`: document · 2¹⁶ + units of each mention."""
    key = np.sort(terms.astype(np.int64) << 32 | places)
    key = key[np.searchsorted(key, 1 << 32) :]  # without the stops
    starts = np.flatnonzero(np.diff(key >> 16, prepend=-1))
    sums = np.add.reduceat(key & 0xFFFF, starts) if len(starts) else key
    key = key[starts]
    return key >> 32, (key >> 16 & 0xFFFF).astype(np.uint16), np.minimum(sums, 255).astype(np.uint8)


def _merge_tail(connection: apsw.Connection) -> None:
    """Keeps the number of batches logarithmic: the last two become one while the last is at least half of the one before."""
    while True:
        tail = connection.execute("SELECT base, count FROM batch ORDER BY base DESC LIMIT 2").fetchall()
        if len(tail) < 2:
            return
        (second, last), (first, before) = tail
        if 2 * last < before or before + last > LARGEST_MERGED:
            return
        merge(connection, first, second, second + last)
