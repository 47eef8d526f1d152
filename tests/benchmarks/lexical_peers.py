"""What the lexical rankers are measured beside: plain FTS5, bm25s and bare tantivy over the same passages. Those not installed are left out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import apsw

Ask = Callable[[str], object]
PART = 10_000


class Timer:
    """Adds up seconds of the processor spent in a peer alone, the making of passages aside: a busy machine does not bear on them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._began = time.process_time()

    def __exit__(self, *error: object) -> None:
        self.seconds += time.process_time() - self._began


def parts(passages: Any) -> Iterator[list[tuple[int, str]]]:
    """(row, text) of all passages, `PART` at a time."""
    for at in range(1, len(passages) + 1, PART):
        yield [(row, passages[row][0]) for row in range(at, min(at + PART, len(passages) + 1))]


def words(text: str) -> list[str]:
    return ["".join(char for char in word if char.isalnum()) for word in text.split()]


def plain_fts5(place: Path, passages: Any, depth: int) -> tuple[float, Ask, apsw.Connection]:
    """FTS5 without its copy of the text, words joined by OR, ordered by its bm25()."""
    connection = apsw.Connection(str(place / "plain.db"))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(
        "PRAGMA synchronous = NORMAL"
    )  # with the other in one string it would wait until that's answer is read
    connection.execute("CREATE VIRTUAL TABLE plain USING fts5(body, content='', tokenize='unicode61')")
    timer = Timer()
    for part in parts(passages):
        with timer, connection:
            connection.executemany("INSERT INTO plain(rowid, body) VALUES (?, ?)", part)
    with timer:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # as a ranker does

    def ask(text: str) -> object:
        terms = " OR ".join(f'"{word}"' for word in words(text))
        return connection.execute(
            "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?", (terms, depth)
        ).fetchall()

    return timer.seconds, ask, connection


def bare_tantivy(place: Path, passages: Any, depth: int) -> tuple[float, Ask]:
    """tantivy as it comes: its own analyser and query parser, one field without stems, any of the words, row numbers read back. A Chinese
    run is one word to it, which no question finds."""
    import tantivy

    builder: Any = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", fast=True)
    builder.add_text_field("body")
    (place / "bare").mkdir()
    index = tantivy.Index(builder.build(), str(place / "bare"))
    writer = index.writer(128 << 20, 1)
    timer = Timer()
    for part in parts(passages):
        with timer:
            for row, text in part:
                document = tantivy.Document()
                document.add_unsigned("row", row)
                document.add_text("body", text)
                writer.add_document(document)
    with timer:
        writer.commit()
        writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(text: str) -> object:
        query = index.parse_query(" ".join(words(text)), ["body"])
        hits = searcher.search(query, depth, count=False).hits
        return searcher.fast_field_values("row", [address for _, address in hits])

    return timer.seconds, ask


def tantivy_of_same_words(folder: Path, depth: int) -> Ask:
    """tantivy alone over the index that the ranker `tantivy` made, asked for any of the words as they stand there and of their stems:
    neither what a row says nor phrases nor fractions, but the same words, and Chinese in pairs of characters."""
    import tantivy

    from pincite.text.stems import stems
    from pincite.text.tokens import STOP, index_text

    index = tantivy.Index.open(str(folder))
    schema, searcher = index.schema, index.searcher()

    def ask(text: str) -> object:
        tokens = [token for token in index_text(text).split() if token != STOP]
        fields = (("words", tokens), ("stem", stems(tokens, "en")))
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, name, token, index_option="freq"))
            for name, found in fields
            for token in dict.fromkeys(found)
        ]
        hits = searcher.search(tantivy.Query.boolean_query(terms), depth, count=False).hits
        return searcher.fast_field_values("row", [address for _, address in hits])

    return ask


def bm25s(place: Path, passages: Any, depth: int) -> tuple[float, Ask]:
    """bm25s with its own tokeniser, without stems: scores of all documents, computed when they are indexed."""
    import bm25s

    texts = [text for part in parts(passages) for _, text in part]
    timer = Timer()
    with timer:
        tokens = bm25s.tokenize(texts, stopwords=None, show_progress=False)
        index = bm25s.BM25()
        index.index(tokens, show_progress=False)
        index.save(str(place / "bm25s"))

    def ask(text: str) -> object:
        asked = bm25s.tokenize([text], stopwords=None, show_progress=False, return_ids=False)
        return index.retrieve(asked, k=min(depth, len(texts)), show_progress=False, n_threads=1)

    return timer.seconds, ask


def installed(names: Iterable[str]) -> list[str]:
    return [name for name in names if find_spec(name) is not None]


def megabytes(folder: Path) -> float:
    files = [folder] if folder.is_file() else folder.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6
