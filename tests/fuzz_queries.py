"""Queries of random Unicode against the lexical ranker: none may fail, none may take over a second.

    python tests/fuzz_queries.py [QUERIES] [PASSAGES] [SEED]

Passages are those of tests/benchmarks/lexical.py where PINCITE_CORPORA is set, else invented ones in several scripts. Exits with 1, and the
queries, where any failed or was slow. Times are the processor's: a busy machine is not a query's fault.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "benchmarks"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from memory_store import MemoryStore
from pincite.query import parse
from pincite.values.search import ChunkKind, ChunkText
from pincite_plugins.rankers.fts5 import Settings
from pincite_plugins.rankers.fts5.ranker import Fts5Ranker

SECONDS = 1.0
DEPTH = 100
SYNTAX = [
    '"',
    "-",
    "*",
    "title:",
    "author:",
    "year:",
    "NEAR(",
    " AND ",
    " OR ",
    "(",
    ")",
    "^",
    "\x00",
    "\\",
    "{",
    "…",
    "“",
    ":",
]
SCRIPTS = [(0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F)]
SCRIPTS += [(0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F300, 0x1FAFF), (0xD800, 0xDFFF), (0, 0x10FFFF)]


def characters(rng: random.Random, count: int) -> str:
    low, high = rng.choice(SCRIPTS)
    return "".join(chr(rng.randint(low, high)) for _ in range(count))


def queries(rng: random.Random, words: list[str]) -> Iterator[str]:
    """Words of the library, stretches of any script, signs of syntax; alone, joined, decomposed, now and then very long."""
    while True:
        pieces = []
        for _ in range(rng.choice([1, 2, 3, 5, 8, 8, 8, 40])):
            kind = rng.random()
            if kind < 0.5:
                word = rng.choice(words)
                pieces.append(word[: rng.randint(1, len(word))] if rng.random() < 0.3 else word)
            elif kind < 0.85:
                pieces.append(characters(rng, rng.randint(1, 12)))
            else:
                pieces.append(rng.choice(SYNTAX))
        text = rng.choice([" ", " ", " ", "", "-", "\n"]).join(pieces)
        if rng.random() < 0.1:
            text = unicodedata.normalize(rng.choice(["NFD", "NFKD"]), text)
        if rng.random() < 0.001:
            text *= rng.randint(10, 500)
        yield text


class Invented(MemoryStore):
    """Passages of invented words in several scripts."""

    def __init__(self, count: int) -> None:
        super().__init__()
        rng = random.Random(1)
        self.made = ["".join(chr(rng.randint(low, high)) for _ in range(rng.randint(2, 9)))
                     for low, high in ((97, 122), (97, 122), (0x3B1, 0x3C9), (0x430, 0x44F), (0x4E00, 0x4E80)) for _ in range(4_000)]  # fmt: skip
        self.count = count

    def last_change(self) -> int:
        return self.count

    def all_rows(self):
        return np.arange(1, self.count + 1)

    def words(self, rows) -> Iterator[ChunkText]:
        for row in rows:
            rng = random.Random(row)
            text = " ".join(self.made[int(len(self.made) * rng.random() ** 3)] for _ in range(80))
            yield ChunkText(row, row, ChunkKind.BODY, "en", {"body": text})


def main() -> None:
    asked, count, seed = (int(value) for value in (*sys.argv[1:], *(100_000, 62_000, 1)[len(sys.argv) - 1 :]))
    store: MemoryStore
    if corpora := os.environ.get("PINCITE_CORPORA"):
        from lexical import Lazy, Passages

        passages = Passages(Path(corpora), count)
        store = Lazy(passages)
        words = passages.words + [
            text[at : at + 4] for text, language in passages.pieces if language == "zh" for at in (0, 9)
        ]
        words = [word for word in words if word]
    else:
        store = Invented(count)
        words = store.made
    with tempfile.TemporaryDirectory() as folder:
        ranker = Fts5Ranker(Path(folder) / "fts5", store, Settings(), print)
        ranker.catch_up()
        rng = random.Random(seed)
        spent, failed, slow = [], [], []
        for text, _ in zip(queries(rng, words), range(asked), strict=False):
            try:
                spent.append(seconds(ranker, text))
                slow += [(spent[-1], text)] if spent[-1] > SECONDS else []
            except Exception as error:
                failed.append((repr(error), text))
    print(f"{asked:,} queries over {count:,} passages: {len(failed)} failed, {len(slow)} took over {SECONDS:g} s;"
          f" median {1000 * np.median(spent):.1f} ms, 99% {1000 * np.percentile(spent, 99):.1f} ms, most {max(spent):.2f} s")  # fmt: skip
    for what, text in (failed + slow)[:20]:
        print(f"  {what}: {text[:200]!r}")
    raise SystemExit(bool(failed or slow))


def seconds(ranker: Fts5Ranker, text: str) -> float:
    began = time.process_time()
    query = parse(text)
    found = ranker.rank(query, None, DEPTH)
    assert all(0 < one.fraction <= 1 for one in found)
    return time.process_time() - began


if __name__ == "__main__":
    main()
