"""Ranking quality of a model's raw cosines on a test collection: nDCG@10 and R@100, every document scored for every query.

    python tests/benchmarks/embed_quality.py scifact [--model NAME] [--precision int8|q4] [--text both|title+text|text] [--docs N]

Reads ``PINCITE_CORPORA/ir/NAME`` (docs.jsonl, queries.jsonl, qrels.tsv). A document is one passage: its title, an empty line and
its text, or its text alone. With ``--docs N`` only the documents that are judged and N others are scored (a smaller, easier task).
Prints also where cosines lie, for the card's floor and ceiling: of judged-relevant pairs, and of each query with random documents.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from pathlib import Path

import ir_measures
import numpy as np
from ir_measures import R, nDCG

from pincite.config.load import home
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings, make


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("collection")
    parser.add_argument("--model", default="multilingual-e5-small")
    parser.add_argument("--precision", default="int8")
    parser.add_argument("--text", default="title+text", choices=["both", "title+text", "text"])
    parser.add_argument("--docs", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    given = parser.parse_args()
    folder = Path(os.environ["PINCITE_CORPORA"]) / "ir" / given.collection
    docs, queries = _lines(folder / "docs.jsonl"), _lines(folder / "queries.jsonl")
    qrels = list(ir_measures.read_trec_qrels(_trec(folder / "qrels.tsv")))
    judged = {one.query_id for one in qrels}
    queries = [one for one in queries if one["id"] in judged]
    if given.docs:
        wanted = {one.doc_id for one in qrels}
        others = [one for one in docs if one["id"] not in wanted]
        docs = [one for one in docs if one["id"] in wanted] + random.Random(1).sample(
            others, min(given.docs, len(others))
        )
    embedder = make(
        OnnxSettings(model=given.model, precision=given.precision, threads=given.threads),
        Context(home=home(), note=print),
    )
    asked = embedder.embed([one["text"] for one in queries], "query")
    for form in ("title+text", "text") if given.text == "both" else (given.text,):
        texts = [
            f"{one['title']}\n\n{one['text']}" if form == "title+text" and one.get("title") else one["text"]
            for one in docs
        ]
        embedder.stats = type(embedder.stats)()
        scores = asked @ embedder.embed(texts, "passage").T
        measures = ir_measures.calc_aggregate([nDCG @ 10, R @ 100], qrels, _run(queries, docs, scores))
        shown = ", ".join(f"{name} {value:.4f}" for name, value in sorted(measures.items(), key=str))
        stats = embedder.stats
        print(f"{given.collection} {embedder.facts.id} {form}: {shown} ({len(docs)} documents, {len(queries)} queries)")
        print(
            f"  {stats.tokens} tokens, {stats.tokens_per_second:.0f} tokens/s, padding efficiency {stats.efficiency:.1%}"
        )
        _places(queries, docs, qrels, scores)


def _places(
    queries: list[dict[str, str]], docs: list[dict[str, str]], qrels: list[ir_measures.Qrel], scores: np.ndarray
) -> None:
    rows = {one["id"]: row for row, one in enumerate(queries)}
    columns = {one["id"]: column for column, one in enumerate(docs)}
    relevant = [
        scores[rows[one.query_id], columns[one.doc_id]] for one in qrels if one.relevance > 0 and one.doc_id in columns
    ]
    chance = np.random.default_rng(1).choice(scores.ravel(), 100_000)
    for name, values in (("relevant", relevant), ("random", chance)):
        shown = " ".join(f"{share}%:{np.percentile(values, share):.3f}" for share in (1, 5, 25, 50, 75, 95, 99))
        print(f"  cosines, {name} pairs: {shown}")


def _lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _trec(path: Path) -> str:
    rows = [line.split() for line in path.read_text("utf-8").splitlines() if line.strip()]
    return "\n".join(f"{row[0]} 0 {row[1]} {row[2]}" for row in rows if len(row) == 3 and row[2].lstrip("-").isdigit())


def _run(queries: list[dict[str, str]], docs: list[dict[str, str]], scores: np.ndarray) -> list[ir_measures.ScoredDoc]:
    found = []
    for row, query in enumerate(queries):
        for column in np.argsort(-scores[row], kind="stable")[:1000]:
            found.append(ir_measures.ScoredDoc(query["id"], docs[column]["id"], float(scores[row, column])))
    return found


if __name__ == "__main__":
    main()
