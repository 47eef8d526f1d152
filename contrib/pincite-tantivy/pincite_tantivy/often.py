"""The words that most passages say: how often each passage says them stands in a column beside tantivy's postings.

To go through all rows of "the" and "of" takes most of a long question's time, and adds little to any score. So the search leaves them out,
its hits get from the column what these words add, by tantivy's own formula (BM25), and what they can add at most says how many hits are
needed for the same ranking.
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import tantivy

from pincite.text.tokens import STOP
from pincite.values.quick import dataclass

COLUMN = "often"
"""An unsigned field of eight bytes: one that tells by which words the row was written, one of its length as tantivy rounds it, and one for
the mentions of each word."""

LENGTH, FIRST = 1, 2
WORDS = 8 - FIRST
SHARE = 0.25
"""Of a sample's rows, from which on a word is one of them."""

MANY = 255
"""Mentions that a byte cannot tell from more."""

NEAR = 1e-5
"""Relative difference of two scores that are the same in single precision."""

Columns = npt.NDArray[np.uint8]
Scores = npt.NDArray[np.float64]


def _rounded_lengths() -> list[int]:
    """The 256 lengths that tantivy tells apart (Lucene's SmallFloat): exact to 40, then four binary digits."""
    return [*range(24), *(24 + (n if n < 8 else (8 | n & 7) << (n >> 3) - 1) for n in range(232))]


LENGTHS = _rounded_lengths()


def most_frequent(rows: Iterable[Iterable[str]]) -> list[str]:
    """Of rows of words, those that at least `SHARE` of the rows say, the most frequent first."""
    counts: Counter[str] = Counter()
    count = 0
    for words in rows:
        counts.update(set(words))
        count += 1
    del counts[STOP]
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [word for word, held in ordered[:WORDS] if held >= SHARE * count]


class Tally:
    """Writes the column of rows that may mention these words."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._is_one = frozenset(words).__contains__
        self._mark = mark(words)

    def of(self, tokens: Sequence[str]) -> list[str]:
        """Those of the tokens that are these words: few, so that to count each of them is quicker than a Counter of all."""
        return list(filter(self._is_one, tokens))

    def column(self, said: Sequence[str], length: int) -> int:
        """Of a row that says these of the words, among so many tokens."""
        rounded = bisect_right(LENGTHS, length) - 1
        return int.from_bytes([self._mark, rounded, *[min(said.count(word), MANY) for word in self._words]], "little")


def mark(words: Sequence[str]) -> int:
    """A byte by which rows that were written by other words are told from these: a run may be cut short before it says its words."""
    return zlib.crc32(" ".join(words).encode()) & 0xFF


@dataclass(frozen=True, slots=True)
class Formula:
    """What mentions of a word add. `slot`: its byte; `weight`: its idf · (k1 + 1), times what a mention counts; `norms`: BM25's K for each
    of `LENGTHS`; `most`: what the best row gets."""

    slot: int
    weight: float
    norms: Scores
    most: float


def added(columns: Columns, formulas: Sequence[Formula]) -> Scores | None:
    """To each row's score. None where a row says one of the words more often than a byte tells."""
    mentions = columns.take([one.slot for one in formulas], axis=1)
    if mentions.max(initial=0) == MANY:
        return None
    norms = formulas[0].norms.take(columns[:, LENGTH])  # those of one field are the same for all words
    given: Scores = (mentions / (mentions + norms[:, None])) @ np.array([one.weight for one in formulas])
    return given


class Often:
    """Reads the column of one state of the index, which was written by these words."""

    def __init__(self, searcher: tantivy.Searcher, words: Sequence[str]) -> None:
        self._searcher = searcher
        self._slots = {word: slot for slot, word in enumerate(words, FIRST)}
        self._mark = mark(words)

    def __contains__(self, word: str) -> bool:
        return word in self._slots

    def read(self, addresses: Sequence[tantivy.DocAddress]) -> Columns | None:
        """(rows, bytes). None where a row was written by other words."""
        values: list[Any] = self._searcher.fast_field_values(COLUMN, addresses)
        if None in values:
            return None
        columns = np.array(values, "<u8").view(np.uint8).reshape(len(values), 8)
        return columns if (columns[:, 0] == self._mark).all() else None

    def formula(self, word: str, query: tantivy.Query, weight: float) -> Formula | None:
        """From what tantivy explains of the best row of `query`, which finds the word; None where the column does not give the same.
        `weight`: what a mention counts."""
        hits = self._searcher.search(query, 1, count=False).hits
        if not hits:
            return None
        why = json.loads(query.explain(self._searcher, hits[0][1]).to_json())
        told = _figures(why)
        if not {"k1", "b", "avgdl", "idf"} <= set(told):
            return None
        norms = told["k1"] * (1 - told["b"] + told["b"] * np.array(LENGTHS) / told["avgdl"])
        slot, most = self._slots[word], weight * why["value"]
        made = Formula(slot, weight * told["idf"] * (told["k1"] + 1), norms, most)
        row = self.read([hits[0][1]])
        given = None if row is None else added(row, [made])
        return made if given is not None and abs(float(given[0]) - most) <= NEAR * most else None


def _figures(why: dict[str, Any]) -> dict[str, float]:
    """The figures of an explanation by their names, which stand before a comma."""
    found = {why["description"].split(",")[0]: why["value"]}
    for part in why.get("details", ()):
        found |= _figures(part)
    return found
