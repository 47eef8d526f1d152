"""The two rankings that a fuser is given, kept for a study of fusers: every query of a collection through the real rankers, once.

    python tests/benchmarks/fusion_lists.py FOLDER OUT.npz [--each N]

FOLDER is a collection of specs/12-eval.md; its index is made or brought up to date in PINCITE_HOME. `--each` takes only the first N queries
of each language. What is kept: for each query and ranker the best 300 items with score, fraction and dense rank.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

import pincite
from pincite.evaluation.collection import read_qrels, read_queries
from pincite.query.parse import parse
from pincite.search.answer import rank_query
from pincite.search.covered import covered

DEPTH = 300
RANKERS = ("fts5", "vector")


class Remembered:
    """The embedder with every query's vector made beforehand, in large calls."""

    def __init__(self, embedder, texts):
        self.facts = embedder.facts
        self.close = embedder.close
        self.count = embedder.count
        texts = sorted(set(texts), key=len)
        self.vectors = dict(zip(texts, embedder.embed(texts, "query"), strict=True))

    def embed(self, texts, kind, cancelled=lambda: False):
        assert kind == "query"
        return np.stack([self.vectors[text] for text in texts])


def lists_of(folder: str, each: int | None, model: str | None, progress) -> dict[str, np.ndarray]:
    queries, qrels = read_queries(Path(folder)), read_qrels(Path(folder))
    queries = [query for query in queries if query.id in qrels]
    if each:
        seen: dict[str, int] = {}
        kept = []
        for query in queries:
            seen[query.lang] = seen.get(query.lang, 0) + 1
            if seen[query.lang] <= each:
                kept.append(query)
        queries = kept
    given = {"embedder__model": model} if model else {}
    with pincite.open(folder, engine="hybrid", **given) as library:
        library.index(progress)
        parsed = [parse(query.text) for query in queries]
        library.__dict__["embedder"] = Remembered(library.embedder, [one.semantic for one in parsed if one.semantic])
        n = len(queries)
        item = np.full((2, n, DEPTH), -1, np.int32)
        score = np.zeros((2, n, DEPTH), np.float32)
        fraction = np.zeros((2, n, DEPTH), np.float32)
        rank = np.zeros((2, n, DEPTH), np.int32)
        share = np.ones(n, np.float32)
        for number, one in enumerate(parsed):
            ranking, _, _ = rank_query(library, one, "hybrid", DEPTH, 0.0, lambda: False, False)
            for at, name in enumerate(RANKERS):
                found = ranking.lists.get(name, [])[:DEPTH]
                item[at, number, : len(found)] = [entry.item for entry in found]
                score[at, number, : len(found)] = [entry.score for entry in found]
                fraction[at, number, : len(found)] = [entry.fraction for entry in found]
                rank[at, number, : len(found)] = [entry.rank for entry in found]
            share[number] = covered(one, ranking.lists.get("fts5", []))
            progress("queries", number + 1, n, "")
        names = library.store.item_ids(sorted(set(item.ravel().tolist()) - {-1}))
        of_name = {name: row for row, name in names.items()}
        judged = [
            (number, of_name[document], grade)
            for number, query in enumerate(queries)
            for document, grade in qrels[query.id].items()
            if document in of_name and grade > 0
        ]
        ideal = np.zeros((n, 10), np.float32)
        for number, query in enumerate(queries):
            grades = sorted((grade for grade in qrels[query.id].values() if grade > 0), reverse=True)[:10]
            ideal[number, : len(grades)] = grades
    return {
        "item": item,
        "score": score,
        "fraction": fraction,
        "rank": rank,
        "judged": np.array(judged, np.int64).reshape(-1, 3),
        "ideal": ideal,
        "lang": np.array([query.lang for query in queries]),
        "share": share,
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("out")
    arguments.add_argument("--each", type=int)
    arguments.add_argument("--model")
    chosen = arguments.parse_args()
    last = [""]

    def progress(step, done, total, detail):
        line = f"{step} {10 * done // max(1, total)}/10"
        if line != last[0]:
            last[0] = line
            print(line, file=sys.stderr, flush=True)

    np.savez_compressed(chosen.out, **lists_of(chosen.folder, chosen.each, chosen.model, progress))


if __name__ == "__main__":
    main()
