"""What the previews of the ten best works add to a search, in a library of 10,000 passages.

    python tests/benchmarks/previews.py [--queries N] [--engine hybrid]

Makes one library of the collections of ``PINCITE_CORPORA/ir`` under PINCITE_HOME and indexes it (once; that takes as long as embedding
10,000 passages does), and one of its ``docs/papers``. Each question is asked once, so that nothing is answered from memory: first its works are ranked, with what a list of titles
needs, then their passages, sentences and marks are derived. Questions in words are those of the collections' own; questions by meaning are German
and Chinese ones about English paragraphs. Prints median and worst of both parts, by the clock and by the processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
import tomllib
from pathlib import Path

import pincite
from pincite.config.load import home

COLLECTIONS = ("scifact", "cisi", "cranfield", "pubmedqa", "xquad-mono/en")
IN_WORDS = ("scifact", "cisi", "cranfield", "xquad-mono/en")
BY_MEANING = ("xquad-mono/de", "xquad-mono/zh")
BEST = 10
ASKED = 150.0
"""Milliseconds that previews may add."""


def library_file() -> Path:
    """One file of works; the ids of two collections never meet."""
    corpora = Path(os.environ["PINCITE_CORPORA"]) / "ir"
    path = home() / "previews" / "works.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        for name in COLLECTIONS:
            for line in (corpora / name / "docs.jsonl").read_text("utf-8").splitlines():
                work = json.loads(line)
                out.write(json.dumps({**work, "id": f"{name}:{work['id']}"}, ensure_ascii=False) + "\n")
    return path


def questions(names: tuple[str, ...], count: int) -> list[str]:
    """As many of each collection."""
    draw = random.Random(5)
    found: list[str] = []
    for name in names:
        lines = (Path(os.environ["PINCITE_CORPORA"]) / "ir" / name / "queries.jsonl").read_text("utf-8").splitlines()
        found += [json.loads(line)["text"] for line in draw.sample(lines, min(len(lines), count // len(names)))]
    draw.shuffle(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--engine", default="hybrid")
    given = parser.parse_args()
    for place, kinds in (
        (
            library_file(),
            {"in words": questions(IN_WORDS, given.queries), "by meaning": questions(BY_MEANING, given.queries)},
        ),
        (Path(os.environ["PINCITE_CORPORA"]) / "docs" / "papers", {"about papers": about_papers()[: given.queries]}),
    ):
        with pincite.open(place, note=print) as library:
            library.index()
            totals = library.store.totals()
            print(f"{totals.items:,} works, {totals.chunks:,} passages with those of titles")
            library.search("warm up the model", engine=given.engine)
            for kind, texts in kinds.items():
                _print_times(given.engine, kind, [timed(library, text, given.engine) for text in texts])


def about_papers() -> list[str]:
    """Works of many passages take longer than abstracts: the first one's are put in order by reading."""
    text = Path(__file__).with_name("questions.toml").read_text("utf-8")
    return [one["text"] for one in tomllib.loads(text)["question"]]


def _print_times(engine: str, kind: str, times: list[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    print(f"{engine}, {len(times)} questions {kind} (milliseconds, median and worst; asked: {ASKED:g})")
    for name, part in zip(("ranking", "previews"), zip(*times, strict=True), strict=True):
        clock, cpu = ([one[at] for one in part] for at in (0, 1))
        print(
            f"    {name:9} clock {statistics.median(clock):6.0f} {max(clock):6.0f}   processor {statistics.median(cpu):6.0f} {max(cpu):6.0f}"
        )


def timed(library: pincite.Library, text: str, engine: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """(clock, processor) milliseconds of the ranking and of the previews."""
    marks = [_now()]
    asked = library.ask(text, engine=engine, limit=BEST)
    library.store.records(one.item for one in asked.scored.ranking.fused[:BEST])
    marks.append(_now())
    hits = asked.hits(0, BEST)
    marks.append(_now())
    assert hits
    (a, b), (c, d), (e, f) = marks
    return (c - a, d - b), (e - c, f - d)


def _now() -> tuple[float, float]:
    return 1000 * time.perf_counter(), 1000 * time.process_time()


if __name__ == "__main__":
    main()
