"""A study of what follows the engines: the share of the mean query that is taken off a query, and the scores that works alike lend each other.

    python tests/benchmarks/neighbours.py --keep FOLDER COLLECTION[:N] …

A collection is a folder of specs/12-eval.md, with N only the first N queries of each language. What is asked of the rankers is kept in FOLDER, so that
the study itself takes a minute. Every passage is scored by both rankers (no list is cut), the vectors are those of the store. Each row is
nDCG@10 a collection and language, then the mean gain over the row that it builds on, and the worst. At the end the constants of the
neighbours are chosen leaving out one collection at a time: best mean gain among those that lose at most 0.005 on the others.
"""

import argparse
from pathlib import Path

import numpy as np
from fusion import DISCOUNT, Judged, above, print_chosen, ramp
from fusion_lists import Remembered

import pincite
from pincite.calibration.files import calibration_for
from pincite.evaluation.collection import read_qrels, read_queries
from pincite.query.parse import parse
from pincite.search.covered import covered
from pincite.search.likeness import likeness
from pincite.search.lists import BACKGROUND, lift
from pincite_plugins.fusers.zscore import neighbours

SHARES = (0.2, 0.3, 0.4, 0.5)
"""Of the mean query."""

TRIED = [(head, nearest, share) for head in (50, 100) for nearest in (5, 10) for share in (0.1, 0.2, 0.4)]
"""Works compared, works that each is compared with, and how much they count."""


def ask(folder: Path, each: int | None) -> dict[str, np.ndarray]:
    """Query vectors, vectors of passages, scores by words (queries, passages), and what is judged."""
    qrels = read_qrels(folder)
    queries, seen = [], {}
    for query in read_queries(folder):
        seen[query.lang] = seen.get(query.lang, 0) + (query.id in qrels)
        if query.id in qrels and seen[query.lang] <= (each or len(qrels)):
            queries.append(query)
    with pincite.open(str(folder), engine="hybrid") as library:
        library.index(lambda *told: None)
        parsed = [parse(query.text) for query in queries]
        facts = library.embedder.facts
        vector_of = Remembered(library.embedder, [one.semantic for one in parsed]).vectors
        rows = library.store.all_rows()
        items = library.store.items_of(rows)
        item_of = dict(zip(rows.tolist(), items.tolist(), strict=True))
        own, vectors = library.store.vectors(facts.id, rows)
        words = np.full((len(queries), len(rows)), -np.inf, np.float32)
        share = np.ones(len(queries), np.float32)
        for number, one in enumerate(parsed):
            found = library.ranker("fts5").rank(one, None, len(rows))
            words[number, np.searchsorted(rows, [each.row for each in found])] = [each.score for each in found]
            share[number] = covered(one, lift(found, item_of))
        row_of = {name: row for row, name in library.store.item_ids(sorted(set(items.tolist()))).items()}
        mean = calibration_for(facts, library.config.home).query_mean
    judged = [
        (number, row_of[document], grade)
        for number, query in enumerate(queries)
        for document, grade in qrels[query.id].items()
        if document in row_of and grade > 0
    ]
    return {
        "query": np.stack([vector_of[one.semantic] for one in parsed]),
        "mean": mean,
        "items": items,
        "vector_items": items[np.searchsorted(rows, own)],
        "vectors": vectors,
        "words": words,
        "share": share,
        "judged": np.array(judged, np.int64).reshape(-1, 3),
        "lang": np.array([query.lang for query in queries]),
    }


class AllScored(Judged):
    """One collection: what `ask` gave, as scores (queries, items)."""

    def __init__(self, name: str, kept: dict[str, np.ndarray]) -> None:
        self.name, self.lang = name, kept["lang"]
        self.items = np.unique(kept["items"])
        self.query, self.mean = kept["query"], kept["mean"]
        order = np.argsort(kept["vector_items"], kind="stable")
        self.vectors = kept["vectors"][order].astype(np.float32)
        _, self.first = np.unique(kept["vector_items"][order], return_index=True)
        self.known = np.searchsorted(self.items, kept["vector_items"][order][self.first])
        counts = np.diff([*self.first, len(order)])
        self.works = np.zeros((len(self.items), self.vectors.shape[1]), np.float32)
        self.works[self.known] = np.add.reduceat(self.vectors, self.first) / counts[:, None]
        by_item = np.argsort(kept["items"], kind="stable")
        starts = np.unique(kept["items"][by_item], return_index=True)[1]
        words = kept["words"][:, by_item]
        weight = ramp(kept["share"], 0.6, 0.8)
        self.words = np.maximum.reduceat(words, starts, axis=1)
        self.by_words = weight * above(standing(words, self.words))
        self.grade = np.zeros(self.words.shape, np.float32)
        for query, item, grade in kept["judged"]:
            self.grade[query, np.searchsorted(self.items, item)] = grade
        best = -np.sort(-self.grade, axis=1)[:, :10]
        self.ideal = np.maximum(1e-9, (best * DISCOUNT[: best.shape[1]]).sum(axis=1))

    def meaning(self, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Scores of items by meaning, less this share of the mean query; the same as what fusion counts."""
        found = (self.query - share * self.mean) @ self.vectors.T
        scores = np.full(self.words.shape, -np.inf, np.float32)
        scores[:, self.known] = np.maximum.reduceat(found, self.first, axis=1)
        return scores, above(standing(found, scores))

    def lent(self, scores: np.ndarray, head: int, nearest: int, share: float) -> np.ndarray:
        """Fused scores with those of the head moved towards their neighbours'; what is below stays below."""
        neighbours.NEAREST = nearest
        out = scores - scores.max()
        for row, (top, one) in enumerate(
            zip(np.argsort(-scores, axis=1, kind="stable")[:, :head], scores, strict=True)
        ):
            out[row, top] = neighbours.averaged(one[top], likeness(self.works[top]), share)
        return out


def standing(passages: np.ndarray, items: np.ndarray) -> np.ndarray:
    """z-scores of items against the best 300 passages; minus infinity where an item is not listed."""
    best = -np.partition(-passages, min(BACKGROUND, passages.shape[1]) - 1, axis=1)[:, :BACKGROUND]
    count = np.maximum(1, np.isfinite(best).sum(axis=1))[:, None]
    mean = np.where(np.isfinite(best), best, 0).sum(axis=1, keepdims=True) / count
    deviation = np.sqrt((np.where(np.isfinite(best), best - mean, 0) ** 2).sum(axis=1, keepdims=True) / count)
    return (items - mean) / np.where(deviation > 1e-9, deviation, 1)


def row(name: str, found: dict[str, float], base: dict[str, float] | None = None) -> None:
    gains = [found[one] - base[one] for one in found] if base else [0.0]
    print(f"{name:28}" + " ".join(f"{100 * value:6.2f}" for value in found.values()), end="")
    print(f"  {np.mean(gains):+.4f} {min(gains):+.4f}", flush=True)


def kept_of(folder: Path, given: str) -> tuple[str, Path, Path]:
    """A collection as it is given (PATH or PATH:N): its name, its path, and what it was asked, kept in `folder` and asked now if it is not."""
    path, _, each = given.partition(":")
    name = "-".join(Path(path).parts[-2:]) if Path(path).parent.name.startswith("xquad") else Path(path).name
    kept = folder / f"{name}.npz"
    if not kept.exists():
        np.savez(kept, **ask(Path(path), int(each) if each else None))
    return name, Path(path), kept


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--keep", type=Path, required=True)
    arguments.add_argument("collections", nargs="+")
    chosen = arguments.parse_args()
    collections = []
    for given in chosen.collections:
        name, _, kept = kept_of(chosen.keep, given)
        collections.append(AllScored(name, dict(np.load(kept))))

    def over(score) -> dict[str, float]:
        return {name: value for one in collections for name, value in one.ndcg(score(one)).items()}

    print(" " * 28 + " ".join(f"{name[-6:]:>6}" for name in over(lambda one: one.words)))
    plain = over(lambda one: one.meaning(0.0)[0])
    row("words", over(lambda one: one.words))
    row("meaning", plain)
    for share in SHARES:
        row(f"meaning less {share}", over(lambda one, share=share: one.meaning(share)[0]), plain)
    base = over(lambda one: one.by_words + one.meaning(0.0)[1])
    row("both", base)
    for share in SHARES:
        row(f"both, less {share}", over(lambda one, share=share: one.by_words + one.meaning(share)[1]), base)
    fused = {one.name: one.by_words + one.meaning(0.3)[1] for one in collections}
    base = over(lambda one: fused[one.name])
    tried = {}
    for three in TRIED:
        tried[three] = over(lambda one, three=three: one.lent(fused[one.name], *three))
        row("head {} nearest {} share {}".format(*three), tried[three], base)
    print_chosen(collections, tried, base)


if __name__ == "__main__":
    main()
