"""Speed of the lexical ranker against plain FTS5 over the same passages, in the same run.

    python tests/benchmarks/lexical.py [PASSAGES] [QUERIES]

Passages are stretches of PINCITE_CORPORA/ir texts, repeated with words exchanged (seeded) beyond their number. Prints the index's
MB/s and size, the median and 95th percentile of three query sets, and for how many queries pruning gives the ranking of scoring
everything, to depth 100.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memory_store import MemoryStore
from pincite.query import parse
from pincite.values.search import ChunkText
from pincite_plugins.rankers.fts5 import Settings
from pincite_plugins.rankers.fts5.concepts import concepts_of
from pincite_plugins.rankers.fts5.phrases import bonuses
from pincite_plugins.rankers.fts5.ranker import Fts5Ranker

DEPTH = 100
WORDS = 120
SETS = (("scifact", "en"), ("cranfield", "en"), ("cisi", "en"), ("pubmedqa", "en"), ("cmrc2018", "zh"))


class Lazy(MemoryStore):
    """Passages that are made when they are read, so that a million fits."""

    def __init__(self, passages: Passages) -> None:
        super().__init__()
        self.passages = passages

    def last_change(self) -> int:
        return len(self.passages)

    def all_rows(self):
        return np.arange(1, len(self.passages) + 1)

    def words(self, rows) -> Iterator[ChunkText]:
        from pincite.values.search import ChunkKind

        for row in rows:
            text, language = self.passages[row]
            yield ChunkText(row, row, ChunkKind.BODY, language, {"body": text})


class Passages:
    """`count` texts of about `WORDS` words."""

    def __init__(self, corpora: Path, count: int) -> None:
        self.pieces: list[tuple[str, str]] = []
        for name, language in SETS:
            for line in (corpora / "ir" / name / "docs.jsonl").read_text("utf-8").split("\n"):
                if line:
                    self._cut(json.loads(line)["text"] or "", language)
        rng = random.Random(1)
        rng.shuffle(self.pieces)
        self.words = sorted({word for text, language in self.pieces if language == "en" for word in text.split()})
        self.count = count

    def _cut(self, text: str, language: str) -> None:
        if language == "zh":
            self.pieces += [(text[at : at + 200], language) for at in range(0, len(text), 200)]
            return
        words = text.split()
        self.pieces += [(" ".join(words[at : at + WORDS]), language) for at in range(0, len(words), WORDS)]

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, row: int) -> tuple[str, str]:
        text, language = self.pieces[row % len(self.pieces)]
        if row < len(self.pieces):
            return text, language
        rng = random.Random(row)
        units = list(text) if language == "zh" else text.split()
        for _ in range(len(units) // 4):
            other = self.pieces[rng.randrange(len(self.pieces))][0] if language == "zh" else ""
            units[rng.randrange(len(units))] = (
                (rng.choice(other) if other else "的") if language == "zh" else rng.choice(self.words)
            )
        return ("" if language == "zh" else " ").join(units), language


def plain_fts5(path: Path, passages: Passages) -> tuple[apsw.Connection, float]:
    """FTS5 as it comes, and the seconds that it took."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    connection.execute("CREATE VIRTUAL TABLE plain USING fts5(body, content='', tokenize='unicode61')")
    spent = 0.0
    for at in range(1, len(passages) + 1, 10_000):
        part = [(row, passages[row][0]) for row in range(at, min(at + 10_000, len(passages) + 1))]
        began = time.perf_counter()
        with connection:
            connection.executemany("INSERT INTO plain(rowid, body) VALUES (?, ?)", part)
        spent += time.perf_counter() - began
    return connection, spent


def ask_plain(connection: apsw.Connection, text: str) -> list[int]:
    terms = " OR ".join('"' + "".join(char for char in word if char.isalnum()) + '"' for word in text.split())
    return [
        row
        for (row,) in connection.execute(
            "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?", (terms, DEPTH)
        )
    ]


def query_sets(passages: Passages, connection: apsw.Connection, count: int) -> dict[str, list[str]]:
    """Five words of middling frequency; eight-word questions; Chinese questions."""
    rng = random.Random(2)
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, plain, row)")
    low, high = max(5, len(passages) // 500), max(50, len(passages) // 50)
    middling = [
        term
        for (term,) in connection.execute("SELECT term FROM vocabulary WHERE doc BETWEEN ? AND ?", (low, high))
        if term.isascii() and term.isalpha()
    ]
    english = [text for text, language in passages.pieces if language == "en" and len(text.split()) > 20]
    chinese = [text for text, language in passages.pieces if language == "zh" and len(text) > 60]
    questions = []
    while len(questions) < count:
        words = rng.choice(english).split()
        at = rng.randrange(len(words) - 6)
        questions.append("how does the " + " ".join(words[at : at + 5]) + " ")
    return {
        "5 middling words": [" ".join(rng.sample(middling, 5)) + " " for _ in range(count)],
        "8-word questions": questions,
        "Chinese": [text[at : at + 12] for text in rng.choices(chinese, k=count) for at in (rng.randrange(40),)],
    }


def timed(ask: Callable[[str], object], queries: list[str]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
    spent = []
    for query in queries:
        began = time.perf_counter()
        ask(query)
        spent.append(1000 * (time.perf_counter() - began))
    return float(np.median(spent)), float(np.percentile(spent, 95))


def main() -> None:
    corpora = os.environ.get("PINCITE_CORPORA")
    if not corpora:
        raise SystemExit("set PINCITE_CORPORA to the folder with the collections")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 62_000
    asked = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    passages = Passages(Path(corpora), count)
    size = sum(len(passages[row][0].encode()) for row in range(1, count + 1)) / 1e6
    with tempfile.TemporaryDirectory() as place:
        plain, plain_seconds = plain_fts5(Path(place) / "plain.db", passages)
        making = time.perf_counter()
        for row in range(1, count + 1):
            passages[row]
        making = time.perf_counter() - making
        ranker = Fts5Ranker(Path(place) / "fts5", Lazy(passages), Settings(), print)
        began = time.perf_counter()
        ranker.catch_up()
        seconds = time.perf_counter() - began - making
        bytes_of = {
            name: sum(file.stat().st_size for file in Path(place).rglob(name)) / 1e6
            for name in ("index.db", "plain.db")
        }
        print(f"{count:,} passages, {size:.0f} MB")
        print(f"index: {size / seconds:.2f} MB/s, {bytes_of['index.db']:.0f} MB; plain FTS5 {size / plain_seconds:.2f} MB/s,"
              f" {bytes_of['plain.db']:.0f} MB; share {plain_seconds / seconds:.2f}")  # fmt: skip
        sets = query_sets(passages, plain, asked)
        for name, queries in sets.items():
            ranker.rank(parse(queries[0]), None, DEPTH)
            ours = timed(lambda query: ranker.rank(parse(query), None, DEPTH), queries)
            theirs = timed(lambda query: ask_plain(plain, query), queries)
            print(f"{name:<18} ours p50 {ours[0]:8.2f} p95 {ours[1]:8.2f} ms; plain FTS5 p50 {theirs[0]:8.2f} p95"
                  f" {theirs[1]:8.2f} ms; {theirs[0] / ours[0]:.1f} times", flush=True)  # fmt: skip
        state = ranker._state()
        same = 0
        everything = [query for queries in sets.values() for query in queries]
        for text in everything:
            query = parse(text)
            concepts = concepts_of(query, state.vocabulary)
            extra = bonuses(query, state.vocabulary, state.documents, state.connection)
            one, other = (state.scorer.best(concepts, extra, None, DEPTH, prune) for prune in (True, False))
            same += one[0].tolist() == other[0].tolist()
        print(f"pruned as exhaustive to depth {DEPTH}: {same} of {len(everything)}")


if __name__ == "__main__":
    main()
