"""Speed of the lexical rankers against plain FTS5, bm25s and bare tantivy over the same passages, in the same run.

    python tests/benchmarks/lexical.py [PASSAGES] [QUERIES]

Passages are stretches of PINCITE_CORPORA/ir texts, repeated with words exchanged (seeded) beyond their number. Prints each index's
MB/s and size, the median and 95th percentile of three query sets, and for how many queries pruning gives the ranking of scoring
everything, to depth 100. Times are the processor's, each query put to all in turn, so that a busy machine does not bear on them; then, by as
many other queries, of each alone, which finds its own in the processor's cache. A ranker's times
are those of reading the query, ranking, and giving evidence. `pincite-tantivy` tells which words passages say
when it is asked, and is timed once more with those of the ten best, and of all. The peers come with the extra `bench`, the second ranker with
contrib/pincite-tantivy; what is not installed is left out.
"""

from __future__ import annotations

import functools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import apsw
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lexical_peers import bare_tantivy, bm25s, installed, megabytes, plain_fts5, tantivy_of_same_words

from memory_store import MemoryStore
from pincite.query import parse
from pincite.search.covered import BEST
from pincite.search.met import with_terms
from pincite.spec import Ranker
from pincite.values.search import ChunkText
from pincite_plugins.rankers.fts5 import Settings
from pincite_plugins.rankers.fts5.concepts import concepts_of
from pincite_plugins.rankers.fts5.phrases import bonuses
from pincite_plugins.rankers.fts5.ranker import Fts5Ranker

DEPTH = 100
WORDS = 120
AT_ONCE = 500
"""Passages made between two looks at the clock, which takes long where another thread of the process is at work."""

SETS = (("scifact", "en"), ("cranfield", "en"), ("cisi", "en"), ("pubmedqa", "en"), ("cmrc2018", "zh"))


class Times(NamedTuple):
    """Milliseconds of the processor."""

    median: float
    high: float
    """The 95th percentile."""
    alone: float
    """The median where nothing else is asked between."""


class Lazy(MemoryStore):
    """Passages that are made when they are read, so that a million fits."""

    def __init__(self, passages: Passages) -> None:
        super().__init__()
        self.passages = passages
        self.making = 0.0  # seconds of the processor, which are no ranker's

    def last_change(self) -> int:
        return len(self.passages)

    def all_rows(self):
        return np.arange(1, len(self.passages) + 1)

    def words(self, rows) -> Iterator[ChunkText]:
        from pincite.values.search import ChunkKind

        rows = list(rows)
        for at in range(0, len(rows), AT_ONCE):
            began = time.process_time()
            made = [
                ChunkText(row, row, ChunkKind.BODY, language, {"body": text})
                for row in rows[at : at + AT_ONCE]
                for text, language in (self.passages[row],)
            ]
            self.making += time.process_time() - began
            yield from made


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


def timed(askers: dict[str, Callable[[str], object]], queries: list[str]) -> dict[str, Times]:
    """Of each, by half of the queries that are put to all in turn, and by the other half, put to each alone."""
    spent: dict[str, list[float]] = {name: [] for name in askers}
    alone: dict[str, list[float]] = {name: [] for name in askers}

    def ask(name: str, query: str, kept: dict[str, list[float]]) -> None:
        began = time.process_time()
        askers[name](query)
        kept[name].append(1000 * (time.process_time() - began))

    half = len(queries) // 2
    for number, query in enumerate(queries[:1] + queries[:half]):
        # who asks an index after another finds it in the processor's cache: each is the first of them in turn
        turn = number % len(askers)
        for name in [*askers][turn:] + [*askers][:turn]:
            ask(name, query, spent)
    for name in askers:
        for query in queries[half:]:
            ask(name, query, alone)
    return {
        name: Times(float(np.median(each[1:])), float(np.percentile(each[1:], 95)), float(np.median(alone[name])))
        for name, each in spent.items()
    }


def measured(name: str, seconds: float, place: Path, size: float, plain: float) -> None:
    print(
        f"{name:<16} {size / seconds:6.2f} MB/s ({plain / seconds:.2f} of plain FTS5), {megabytes(place):6.0f} MB",
        flush=True,
    )


def main() -> None:
    corpora = os.environ.get("PINCITE_CORPORA")
    if not corpora:
        raise SystemExit("set PINCITE_CORPORA to the folder with the collections")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 62_000
    asked = int(sys.argv[2]) if len(sys.argv) > 2 else 170
    passages = Passages(Path(corpora), count)
    size = sum(len(passages[row][0].encode()) for row in range(1, count + 1)) / 1e6
    print(f"{count:,} passages, {size:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        plain, ask_plain, connection = plain_fts5(place, passages, DEPTH)
        measured("plain FTS5", plain, place / "plain.db", size, plain)
        askers = {"plain FTS5": ask_plain}
        for name, make in (("tantivy", bare_tantivy), ("bm25s", bm25s)):
            if installed([name]) and (name != "bm25s" or count <= 200_000):  # its scores are made in memory
                seconds, askers[f"bare {name}"] = make(place, passages, DEPTH)
                measured(f"bare {name}", seconds, place / ("bare" if name == "tantivy" else name), size, plain)
        store = Lazy(passages)
        rankers = {"fts5": Fts5Ranker(place / "fts5", store, Settings(), print)}
        if installed(["pincite_tantivy"]):
            from pincite_tantivy import Settings as TantivySettings
            from pincite_tantivy.ranker import TantivyRanker

            def opened_tantivy() -> Ranker:
                return TantivyRanker(place / "tantivy", store, TantivySettings(), print)

            rankers["pincite-tantivy"] = opened_tantivy()
        for name, where in (("fts5", "fts5/index.db"), ("pincite-tantivy", "tantivy")):
            if name not in rankers:
                continue
            ranker = rankers[name]
            began = time.process_time() + store.making
            ranker.catch_up()
            measured(name, time.process_time() - store.making - began, place / where, size, plain)
            askers[name] = functools.partial(ask_ranker, ranker)
        with_words = {f"  and words of {count}": count for count in (BEST, DEPTH)}
        if "pincite-tantivy" in askers:
            for name, count in with_words.items():  # each remembers what it was asked itself
                askers[name] = functools.partial(ask_with_words, opened_tantivy(), count)
            askers["tantivy, the same words"] = tantivy_of_same_words(place / "tantivy", DEPTH)
        sets = query_sets(passages, connection, 2 * asked)
        for name, queries in sets.items():
            print(name)
            times = timed(askers, queries)
            plain_times = times["plain FTS5"]
            for asker, its in times.items():
                print(
                    f"  {asker:<24} p50 {its.median:8.2f} p95 {its.high:8.2f} ms, alone {its.alone:8.2f};"
                    f" plain FTS5 takes {plain_times.median / its.median:.1f}, {plain_times.alone / its.alone:.1f} times as long"
                )
            for peer in ("bare tantivy", "tantivy, the same words"):
                if {peer, "pincite-tantivy"} <= set(times):
                    for one in ("pincite-tantivy", *with_words):
                        turn, alone = times[one].median / times[peer].median, times[one].alone / times[peer].alone
                        print(f"  {one} takes {turn:.2f}, alone {alone:.2f} times as long as {peer}")
            sys.stdout.flush()
        check_pruning(rankers["fts5"], [query for queries in sets.values() for query in queries])


def ask_ranker(ranker: Ranker, text: str) -> object:
    return ranker.rank(parse(text), None, DEPTH)


def ask_with_words(ranker: Ranker, count: int, text: str) -> object:
    query = parse(text)
    return with_terms(query, ranker, ranker.rank(query, None, DEPTH)[:count])


def check_pruning(ranker: Fts5Ranker, queries: list[str]) -> None:
    """Says for how many queries the ranking is that of scoring everything."""
    state = ranker._state()
    same = 0
    for text in queries:
        query = parse(text)
        concepts = concepts_of(query, state.vocabulary)
        extra = bonuses(query, state.vocabulary, state.documents, state.connection)
        one, other = (state.scorer.best(concepts, extra, None, DEPTH, prune) for prune in (True, False))
        same += one[0].tolist() == other[0].tolist()
    print(f"pruned as exhaustive to depth {DEPTH}: {same} of {len(queries)}")


if __name__ == "__main__":
    main()
