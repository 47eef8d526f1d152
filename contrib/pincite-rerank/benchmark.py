"""Where `ms-marco` helps, and where it does not: ``python benchmark.py COLLECTION [--queries 100] [--items 10] [--engine hybrid]``.

COLLECTION is a folder as `pincite eval` takes it. Queries drawn by chance (always the same) are answered, the first `items` works of each
answer are reordered, and both orders are measured. Prints the means, how many queries got better and worse, and the milliseconds of a pair.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import pincite
from pincite.evaluation.collection import read_qrels, read_queries
from pincite.evaluation.evaluate import measure
from pincite.query.parse import parse
from pincite.search.answer import rank_query
from pincite.search.rerank import rerank
from pincite_rerank import MsMarco, Settings

UNHURRIED = 3600.0


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("collection", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--items", type=int, default=10)
    parser.add_argument("--engine", default="hybrid")
    parser.add_argument("--tokens", type=int, default=Settings().tokens)
    given = parser.parse_args()
    qrels = read_qrels(given.collection)
    judged = [query for query in read_queries(given.collection) if query.id in qrels]
    judged = random.Random(1).sample(judged, min(given.queries, len(judged)))
    model = MsMarco(Settings(tokens=given.tokens))
    runs: dict[str, dict[str, dict[str, float]]] = {"without": {}, "with": {}}
    pairs, seconds = 0, 0.0
    with pincite.open(given.collection) as library:
        library.index(embed="vector" in library.rankers_of(given.engine))
        for query in judged:
            asked = parse(query.text)
            before, _, _ = rank_query(library, asked, given.engine, 100, 0.0, lambda: False, False)
            began = time.perf_counter()
            after, why = rerank(
                asked, library.store, model, before, items=given.items, seconds=UNHURRIED, cancelled=lambda: False
            )  # fmt: skip
            seconds += time.perf_counter() - began
            if why:
                raise SystemExit(why)
            pairs += min(given.items, len(before.fused))
            for name, ranking in (("without", before), ("with", after)):
                ids = library.store.item_ids(one.item for one in ranking.fused[:100])
                runs[name][query.id] = {
                    ids[one.item]: -float(place) for place, one in enumerate(ranking.fused[:100]) if one.item in ids
                }
    print(f"{given.collection.name}: {len(judged)} queries, engine {given.engine}, the first {given.items} reordered")
    for name, run in runs.items():
        print(f"  {name:8}", "  ".join(f"{key} {value:.4f}" for key, value in measure(qrels, run, judged).items()))
    gains = [_gain(qrels, runs, query) for query in judged]
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    print(f"  nDCG@10 better for {better} queries, worse for {worse}; {1000 * seconds / max(1, pairs):.0f} ms a pair")


def _gain(qrels, runs, query):  # type: ignore[no-untyped-def]
    """What a query's nDCG@10 gains."""
    with_it, without = (measure(qrels, runs[name], [query])["nDCG@10"] for name in ("with", "without"))
    return with_it - without


if __name__ == "__main__":
    main()
