"""From the store's words to the index: tokens to FTS5, and their inversion to postings."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

import apsw
import numpy as np
import numpy.typing as npt

from pincite.text.stems import ALGORITHMS, stems
from pincite.text.tokens import STOP, index_text
from pincite.values.search import ChunkText
from pincite_plugins.rankers.fts5.database import COLUMNS
from pincite_plugins.rankers.fts5.documents import DOC, ITEM, KINDS
from pincite_plugins.rankers.fts5.postings import LARGEST_BATCH, UNIT, merge, pack

BATCH_TOKENS = 2_000_000
"""Tokens that are inverted at a time: some 40 MB of arrays."""

LARGEST_MERGED = 8_192
"""Documents of a batch that is still made by merging: a first run writes larger ones at once, and never merges."""

FALLBACK_LANGUAGE = "en"
"""Whose stems the ASCII words of a text in no known language get: titles are often too short to tell."""

_INSERT = f"INSERT INTO words(rowid, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"


class _Local(dict[str, int]):
    """Word → its number in this batch, counted from a shared list."""

    def __init__(self, language: str, words: list[tuple[str, str]]) -> None:
        super().__init__()
        self._language = language
        self._words = words

    def __missing__(self, word: str) -> int:
        number = len(self._words)
        self._words.append((word, self._language))
        self[word] = number
        return number


class Batch:
    """Documents on their way into the index."""

    def __init__(self, weights: Mapping[str, float], stems: bool) -> None:
        self._units = {column: max(0, round(weight / UNIT)) for column, weight in weights.items()}
        self._stems = stems
        self._words: list[tuple[str, str]] = []
        self._locals: dict[str, _Local] = {}
        self._ids = array("i")
        self._runs: list[tuple[int, int, int]] = []  # document, units a mention, mentions
        self._docs: list[tuple[int, float, int, int]] = []
        self._fts: list[tuple[object, ...]] = []

    def __len__(self) -> int:
        return len(self._docs)

    @property
    def full(self) -> bool:
        """Whether it should be written before more is added."""
        return len(self._ids) >= BATCH_TOKENS or len(self._docs) >= LARGEST_BATCH // 2

    def add(self, text: ChunkText) -> None:
        """Takes in a row's words."""
        local = self._locals.get(text.language)
        if local is None:
            local = self._locals[text.language] = _Local(text.language, self._words)
        number = len(self._docs)
        length = 0.0
        indexed: dict[str, str] = {}
        for column, value in text.columns.items():
            tokens = index_text(value)
            words = tokens.split()
            if column in COLUMNS:
                indexed[column] = tokens
            units = self._units.get(column, 0)
            if units and words:
                self._ids.extend([local[word] for word in words])
                self._runs.append((number, units, len(words)))
                length += len(words) * (min(1.0, units * UNIT) if column in ("context", "heading") else 1.0)
        self._docs.append((text.row, length, KINDS.index(text.kind), 1))
        self._fts.append((text.row, *(indexed.get(column) for column in COLUMNS)))

    def write(self, connection: apsw.Connection) -> None:
        """Writes everything; the caller holds a transaction."""
        if not self._docs:
            return
        connection.executemany(_INSERT, self._fts)
        base = connection.execute("SELECT coalesce(max(base + count), 0) FROM batch").get
        docs = np.array(self._docs, DOC)
        connection.execute("INSERT INTO batch VALUES (?, ?, ?)", (base, len(docs), docs.tobytes()))
        self._write_postings(connection, base, docs)
        _merge_tail(connection)

    def _write_postings(self, connection: apsw.Connection, base: int, docs: npt.NDArray[np.void]) -> None:
        texts = sorted({word for word, _ in self._words})
        number = {word: index for index, word in enumerate(texts)}
        to_text = np.array([number[word] for word, _ in self._words], np.int64)
        runs = np.array(self._runs, np.int64).reshape(-1, 3)
        terms = to_text[np.frombuffer(self._ids, np.int32)] if len(self._ids) else np.empty(0, np.int64)
        key = (terms << 16) | np.repeat(runs[:, 0], runs[:, 2])
        units = np.repeat(runs[:, 1], runs[:, 2])
        order = np.argsort(key, kind="stable")
        key, units = key[order], units[order]
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        frequencies = np.minimum(np.add.reduceat(units, starts), 255).astype(np.uint8) if len(starts) else units
        key = key[starts]
        terms, offsets = key >> 16, (key & 0xFFFF).astype(np.uint16)
        bounds = np.searchsorted(terms, np.arange(len(texts) + 1))
        is_item = np.concatenate([[0], np.cumsum(docs["kind"][offsets] == ITEM)])
        in_items = is_item[bounds[1:]] - is_item[bounds[:-1]]
        ids = self._ids_of(connection, texts, np.diff(bounds) - in_items, in_items)
        connection.executemany(
            "INSERT INTO posting VALUES (?, ?, ?)",
            (
                (ids[index], base, pack(offsets[low:high], frequencies[low:high]))
                for index, (low, high) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
                if texts[index] != STOP
            ),
        )
        if self._stems:
            self._write_stems(connection)

    def _ids_of(
        self,
        connection: apsw.Connection,
        texts: list[str],
        df: npt.NDArray[np.int64],
        items: npt.NDArray[np.int64],
    ) -> list[int]:
        """Each text's term id; new terms get one, and all count their documents."""
        fresh = connection.execute("SELECT coalesce(max(id), 0) FROM (SELECT id FROM term)").get
        ids = []
        for text in texts:
            held = connection.execute("SELECT id FROM term WHERE text = ?", (text,)).get
            if held is None:
                fresh += 1
                held = fresh
            ids.append(held)
        connection.executemany(
            "INSERT INTO term VALUES (?, ?, ?, ?)"
            " ON CONFLICT (text) DO UPDATE SET df = df + excluded.df, items = items + excluded.items",
            zip(texts, ids, df.tolist(), items.tolist(), strict=True),
        )
        return ids

    def _write_stems(self, connection: apsw.Connection) -> None:
        by_language: dict[str, list[str]] = {}
        for word, language in self._words:
            language = language or (FALLBACK_LANGUAGE if word.isascii() else "")
            if language in ALGORITHMS and not any(map(str.isdigit, word)) and word != STOP:
                by_language.setdefault(language, []).append(word)
        for language, words in by_language.items():
            before = connection.total_changes()
            connection.executemany(
                "INSERT OR IGNORE INTO stem VALUES (?, ?, ?)",
                ((language, stem, word) for stem, word in zip(stems(words, language), words, strict=True)),
            )
            connection.execute(
                "INSERT INTO language VALUES (?, ?) ON CONFLICT (language) DO UPDATE SET words = words + excluded.words",
                (language, connection.total_changes() - before),
            )


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


def add_rows(batch: Batch, texts: Iterable[ChunkText]) -> None:
    """Every row of `texts`."""
    for text in texts:
        batch.add(text)
