"""nDCG@10 of the lexical ranker alone over the collections of PINCITE_CORPORA/ir, one setting for all.

    python tests/benchmarks/lexical_quality.py [SET ...]

A document is an item row (title, authors) and one body row with the title as context; a document scores by its better row.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import ir_measures
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memory_store import MemoryStore
from pincite.query import parse
from pincite.text.language import language
from pincite.values.search import ChunkKind
from pincite_plugins.rankers.fts5 import Settings
from pincite_plugins.rankers.fts5.ranker import Fts5Ranker

GOALS = {
    "scifact": 0.695, "cranfield": 0.37, "cisi": 0.375, "cmrc2018": 0.98, "pubmedqa": 0.976,
    "xquad-mono/en": 0.965, "xquad-mono/de": 0.92, "xquad-mono/es": 0.95, "xquad-mono/ru": 0.875, "xquad-mono/ar": 0.89,
    "xquad-mono/hi": 0.78, "xquad-mono/th": 0.86, "xquad-mono/zh": 0.97, "xquad-mono/el": 0.0, "xquad-mono/ro": 0.0,
    "xquad-mono/tr": 0.0, "xquad-mono/vi": 0.0,
}  # fmt: skip
"""What each collection should reach (0: no goal set)."""

NDCG = ir_measures.parse_measure("nDCG@10")
RECALL = ir_measures.parse_measure("R@100")


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def build(folder: Path, place: Path, settings: Settings) -> tuple[Fts5Ranker, np.ndarray, list[str]]:
    """The ranker over a collection, the document of each row, and the documents' ids."""
    store = MemoryStore()
    ids, of_row = [], [-1]
    for number, doc in enumerate(lines(folder / "docs.jsonl")):
        ids.append(str(doc["id"]))
        title, text = doc.get("title") or "", doc["text"] or ""
        if title:
            store.put(ChunkKind.ITEM, number, language(title), title=title, metadata=str(doc.get("authors") or ""))
            of_row.append(number)
        store.put(ChunkKind.BODY, number, language(text), context=title, body=text)
        of_row.append(number)
    ranker = Fts5Ranker(place, store, settings, print)
    ranker.catch_up()
    return ranker, np.array(of_row), ids


def measure(folder: Path, settings: Settings, most: int = 0) -> tuple[float, float, float]:
    """nDCG@10, R@100 and milliseconds a query."""
    with tempfile.TemporaryDirectory() as place:
        ranker, of_row, ids = build(folder, Path(place), settings)
        qrels: dict[str, dict[str, int]] = {}
        for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
            query, doc, grade = line.split("\t")
            qrels.setdefault(query, {})[doc] = int(grade)
        queries = [query for query in lines(folder / "queries.jsonl") if str(query["id"]) in qrels]
        queries = queries[:most] if most else queries
        run: dict[str, dict[str, float]] = {}
        began = time.perf_counter()
        for query in queries:
            found = ranker.rank(parse(query["text"]), None, 400)
            seen: dict[str, float] = {}
            for number, one in enumerate(found):
                seen.setdefault(ids[of_row[one.row]], float(len(found) - number))
            run[str(query["id"])] = seen or {"": 0.0}
        spent = (time.perf_counter() - began) / len(queries)
        ranker.close()
    judged = {id: qrels[id] for id in run}
    found = ir_measures.calc_aggregate([NDCG, RECALL], judged, run)
    return found[NDCG], found[RECALL], 1000 * spent


def main() -> None:
    corpora = os.environ.get("PINCITE_CORPORA")
    if not corpora:
        raise SystemExit("set PINCITE_CORPORA to the folder with the collections")
    names = sys.argv[1:] or list(GOALS)
    print(f"{'collection':<15} {'nDCG@10':>8} {'goal':>6} {'R@100':>7} {'ms/query':>9}")
    missed = []
    for name in names:
        ndcg, recall, spent = measure(Path(corpora) / "ir" / name, Settings())
        goal = GOALS.get(name, 0.0)
        if ndcg < goal:
            missed.append(name)
        print(f"{name:<15} {ndcg:8.4f} {goal:6.3f} {recall:7.4f} {spent:9.2f}", flush=True)
    print("below goal: " + (", ".join(missed) or "none"))


if __name__ == "__main__":
    main()
