"""From a ranker's passages to its list of items: margin cut, lifting, dense ranks (specs/18-fusion.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pincite.values.quick import dataclass
from pincite.values.search import Evidence, Ranked

BACKGROUND = 300
"""Scores, best first, that a score is judged against: nearly all are those of passages that do not answer."""

LEAST = 30
"""Scores from which on a mean and a deviation say something: the usual least sample."""


@dataclass(frozen=True, slots=True)
class Background:
    """Mean and standard deviation of a ranker's best scores for one query, the whole list's, before any cut."""

    mean: float
    deviation: float

    def standing(self, score: float) -> float:
        """How many standard deviations a score lies above the mean; 0 where all scores are equal."""
        return (score - self.mean) / self.deviation if self.deviation > 1e-9 * max(1.0, abs(self.mean)) else 0.0


def background(scores: Sequence[float], silent: int = 0) -> Background:
    """Of the first `BACKGROUND` scores; nothing stands out from none. `silent`: passages that were looked at and hold none of the query's
    words. They score 0, and fill up a list that is too short to be judged by itself: the one passage that has a name stands out."""
    best = [*scores[:BACKGROUND], *[0.0] * min(silent, LEAST - len(scores))]
    return Background(float(np.mean(best)), float(np.std(best))) if best else Background(0.0, 0.0)


def cut_margin(evidence: Sequence[Evidence], margin: float) -> list[Evidence]:
    """What carries at least `margin` of the best fraction. The best itself stays, unless it carries nothing at all."""
    best = max((one.fraction for one in evidence), default=0.0)
    return [one for one in evidence if one.fraction > 0 and one.fraction >= margin * best]


def lift(evidence: Sequence[Evidence], item_of: Mapping[int, int], whole: Background | None = None) -> list[Ranked]:
    """Items by their best passage, best first; equal scores share a dense rank and are ordered by item.

    `item_of`: chunk row → item row; rows that are gone are left out. `whole`: what scores are judged against, that of `evidence` itself
    where it is not given.
    """
    whole = whole or background([one.score for one in evidence])
    best: dict[int, Evidence] = {}
    for one in evidence:
        item = item_of.get(one.row, -1)
        if item >= 0 and (item not in best or one.score > best[item].score):
            best[item] = one
    ordered = sorted(best.items(), key=lambda pair: (-pair[1].score, pair[0]))
    ranked: list[Ranked] = []
    rank, before = 0, None
    for item, one in ordered:
        if one.score != before:
            rank, before = rank + 1, one.score
        ranked.append(Ranked(item, one.score, one.fraction, rank, one.terms, whole.standing(one.score)))
    return ranked
