"""A study of fusers over kept rankings: what each gives on every collection and language, and its constants chosen without it.

    python tests/benchmarks/fusion_lists.py $PINCITE_CORPORA/ir/scifact scifact.npz     # once a collection
    python tests/benchmarks/fusion.py scifact.npz cranfield.npz ...

Each row of the table is a fuser: its nDCG@10 a collection and language, its worst loss against the better of the two engines, its mean gain.
Constants are also chosen leaving out one collection at a time: those with the best mean gain among those that lose at most 0.005 on the others.
"""

import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

LOSS = 0.005
DISCOUNT = 1 / np.log2(np.arange(2, 12))
GRID = [
    (none, full)
    for none in (0.4, 0.5, 0.55, 0.6, 0.65, 0.7)
    for full in (0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
    if full > none
]


class Judged:
    """A collection with its judgements: `grade` (queries, items), the best sum that each query can have, its language."""

    name: str
    lang: np.ndarray
    grade: np.ndarray
    ideal: np.ndarray

    def ndcg(self, scores: np.ndarray) -> dict[str, float]:
        """nDCG@10 of a score matrix, a language where there are several."""
        order = np.argsort(-scores, axis=1, kind="stable")[:, :10]
        found = (np.take_along_axis(self.grade, order, 1) * DISCOUNT[: order.shape[1]]).sum(axis=1) / self.ideal
        languages = sorted(set(self.lang.tolist()))
        if len(languages) == 1:
            return {self.name: float(found.mean())}
        return {f"{self.name}/{one}": float(found[self.lang == one].mean()) for one in languages}


class Lists(Judged):
    """A collection's two rankings as dense arrays, (queries, items): rank and fraction, infinite and 0 where an item is not listed."""

    def __init__(self, path: Path) -> None:
        kept = np.load(path)
        self.name = path.stem
        self.lang = kept["lang"]
        self.share = kept["share"]
        self.top = kept["fraction"][0].max(axis=1)
        items = np.unique(kept["item"][kept["item"] >= 0])
        shape = (len(self.lang), len(items))
        self.rank = [np.full(shape, np.inf, np.float32) for _ in range(2)]
        self.fraction = [np.zeros(shape, np.float32) for _ in range(2)]
        self.score = [np.full(shape, np.nan) for _ in range(2)]
        for at in range(2):
            listed = kept["item"][at] >= 0
            where = np.nonzero(listed)[0], np.searchsorted(items, kept["item"][at][listed])
            self.rank[at][where] = kept["rank"][at][listed]
            self.fraction[at][where] = kept["fraction"][at][listed]
            self.score[at][where] = kept["score"][at][listed]
        first = np.where(kept["item"][:, :, :10] >= 0, kept["item"][:, :, :10], -1)
        self.agreement = np.array(
            [len(set(a.tolist()) & set(b.tolist()) - {-1}) / 10 for a, b in zip(*first, strict=True)]
        )
        self.grade = np.zeros(shape, np.float32)
        for query, item, grade in kept["judged"]:
            at = np.searchsorted(items, item)
            if at < len(items) and items[at] == item:
                self.grade[query, at] = grade
        self.ideal = np.maximum(1e-9, (kept["ideal"] * DISCOUNT).sum(axis=1))


Fuser = Callable[[Lists], np.ndarray]


def rrf(rank: np.ndarray, k: float = 60.0) -> np.ndarray:
    return 1 / (k + rank)


def ramp(values: np.ndarray, none: float, full: float) -> np.ndarray:
    return np.clip((values - none) / (full - none), 0, 1)[:, None]


def weighted(weight: Callable[[Lists], np.ndarray], k: float = 60.0) -> Fuser:
    return lambda kept: weight(kept) * rrf(kept.rank[0], k) + rrf(kept.rank[1], k)


def by_coverage(none: float, full: float, k: float = 60.0) -> Fuser:
    return weighted(lambda kept: ramp(kept.share, none, full), k)


def standing(kept: Lists, at: int, best: int = 300) -> np.ndarray:
    """z-scores against the best of each list; minus infinity where an item is not listed."""
    score = kept.score[at]
    background = np.where(kept.rank[at] <= best, score, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a list may be empty
        mean, deviation = np.nanmean(background, axis=1)[:, None], np.nanstd(background, axis=1)[:, None]
    z = np.where(deviation > 0, (score - mean) / np.where(deviation > 0, deviation, 1), 0)
    return np.where(np.isnan(score), -np.inf, z)


def above(z: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, z)


def delta(z: np.ndarray) -> np.ndarray:
    """Savoy's: from 0 for the last of a list."""
    last = np.where(np.isfinite(z), z, np.inf).min(axis=1)[:, None]
    return np.where(np.isfinite(z), z - np.where(np.isfinite(last), last, 0), 0)


def scaled(kept: Lists, at: int) -> np.ndarray:
    """From 0 for the last of a list to 1 for the first (Bruch, Gai, Ingber)."""
    found = delta(standing(kept, at))
    return found / np.maximum(1e-9, found.max(axis=1))[:, None]


def by_standing(none: float, full: float, best: int = 300, count: Callable[[np.ndarray], np.ndarray] = above) -> Fuser:
    return lambda kept: ramp(kept.share, none, full) * count(standing(kept, 0, best)) + count(standing(kept, 1, best))


TRIED: dict[str, Fuser] = {
    "by words alone": lambda kept: -kept.rank[0],
    "by meaning alone": lambda kept: -kept.rank[1],
    "rrf": weighted(lambda kept: np.ones((1, 1))),
    "rrf, best fraction by words .1-.3": weighted(lambda kept: ramp(kept.top, 0.1, 0.3)),
    "rrf, each item's fraction": lambda kept: (
        kept.fraction[0] * rrf(kept.rank[0]) + kept.fraction[1] * rrf(kept.rank[1])
    ),
    "convex": lambda kept: kept.fraction[0] + kept.fraction[1],
    "rrf, agreement of the first ten 0-.3": weighted(lambda kept: ramp(kept.agreement, 0.0, 0.3)),
    "rrf, coverage itself": by_coverage(0.0, 1.0),
    "coverage .5-.7": by_coverage(0.5, 0.7),
    "coverage .6-.8": by_coverage(0.6, 0.8),
    "coverage .6-.8, k 20": by_coverage(0.6, 0.8, 20),
    "coverage .7-.9": by_coverage(0.7, 0.9),
    "coverage .6-.8, k 5": by_coverage(0.6, 0.8, 5),
    "scaled 0-1, words fully": lambda kept: scaled(kept, 0) + scaled(kept, 1),
    "scaled 0-1, .6-.8": lambda kept: ramp(kept.share, 0.6, 0.8) * scaled(kept, 0) + scaled(kept, 1),
    "z-score, words fully": by_standing(-1.0, 0.0),
    "z-score, Savoy's delta, .6-.8": by_standing(0.6, 0.8, count=delta),
    "z-score, words by share squared": lambda kept: (
        kept.share[:, None] ** 2 * above(standing(kept, 0)) + above(standing(kept, 1))
    ),
    "z-score .6-.8, best 100": by_standing(0.6, 0.8, 100),
    "z-score .6-.8": by_standing(0.6, 0.8),
    "z-score .5-.7": by_standing(0.5, 0.7),
    "z-score .7-.9": by_standing(0.7, 0.9),
}


def measured(collections: Iterable[Lists], fuser: Fuser) -> dict[str, float]:
    return {name: value for kept in collections for name, value in kept.ndcg(fuser(kept)).items()}


def print_chosen(collections: Iterable[Judged], tried: dict[tuple, dict[str, float]], base: dict[str, float]) -> None:
    """For each collection the constants that the others choose, and what they lose on it against `base` where they lose most."""
    print("\nconstants chosen without the collection:")
    for kept in collections:
        own = set(kept.ndcg(kept.grade))
        rest = [name for name in base if name not in own]
        if not rest:
            continue
        safe = [one for one in tried if min(tried[one][name] - base[name] for name in rest) >= -LOSS] or list(tried)
        best = max(safe, key=lambda one: np.mean([tried[one][name] - base[name] for name in rest]))
        worst = min(own, key=lambda name: tried[best][name] - base[name])
        print(
            f"  {kept.name:16} {best}: worst {worst} {tried[best][worst]:.4f} ({tried[best][worst] - base[worst]:+.4f})"
        )


def main() -> None:
    collections = [Lists(Path(name)) for name in sys.argv[1:]]
    table = {name: measured(collections, fuser) for name, fuser in TRIED.items()}
    words, meaning = table["by words alone"], table["by meaning alone"]
    better = {name: max(words[name], meaning[name]) for name in words}
    print(f"{'':38}" + " ".join(f"{name[-9:]:>9}" for name in better) + "    worst      mean")
    for name, found in table.items():
        gains = [found[one] - better[one] for one in better]
        print(
            f"{name:38}"
            + " ".join(f"{found[one]:9.4f}" for one in better)
            + f"  {min(gains):+.4f}  {np.mean(gains):+.4f}"
        )
    print_chosen(collections, {pair: measured(collections, by_standing(*pair)) for pair in GRID}, better)


if __name__ == "__main__":
    main()
