"""A model's calibration: how its queries are aimed and prepared, and which scores are nothing and which are everything."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pincite.spec import ModelFacts

Floats = npt.NDArray[np.float32]

COMMON = 0.3
"""The share of the mean query that is taken off a query before passages are ranked (specs/28-calibration.md says what others gave)."""

RISE = 1 / 8
"""The share of the way to the ceiling that the floor may rise: matches do not get better with the library, and further up many are lost."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Figures of one model (`model` is `ModelFacts.id`), as `pincite.calibration.record.record` finds them.

    `mean`: (width,), the mean of passages; `query_mean`: (width,), that of queries, or nothing where it is not known. `plane`: (k, width),
    orthonormal, the directions in which the model writes down a text's language. `floor` and `ceiling`: scores above a query's own level
    that mean 0 and 1. `spread`: the standard deviation of scores with passages of other fields, around that level.
    """

    model: str
    mean: Floats
    plane: Floats
    floor: float
    ceiling: float
    spread: float = 0.0
    query_mean: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def width(self) -> int:
        """Dimensions of the model's vectors."""
        return len(self.mean)

    def aimed(self, query: Floats) -> Floats:
        """What passages are ranked by: a query's vector (width,) less a share of the mean query. Some passages are near to whatever is
        asked (Radovanović, Nanopoulos, Ivanović 2010, Hubs in space), and a language that the model knows less well moves its queries
        all in one direction; neither tells which passage answers."""
        if not len(self.query_mean):
            return query
        return np.asarray(query - COMMON * self.query_mean, np.float32)

    def prepared(self, query: Floats) -> Floats:
        """A query's vector (…, width) without the plane. Its product with a passage's vector is the score: the language of the one
        and of the other no longer count, and nothing need be done to the passages, since the plane is orthogonal to the rest."""
        return np.asarray(query - (query @ self.plane.T) @ self.plane, np.float32)

    def level(self, prepared: Floats) -> float:
        """What a prepared query scores with a passage about nothing in particular."""
        return float(prepared @ self.mean)

    def floor_among(self, passages: int) -> float:
        """The floor of a library of so many passages: the more there are, the better the best of those that have nothing to do with a
        question. That of n normal scores is about ``spread · √(2 ln n)`` (Cramér 1946, §28.6)."""
        chance = self.spread * math.sqrt(2 * math.log(max(1, passages)))
        return max(self.floor, min(chance, self.floor + RISE * (self.ceiling - self.floor)))

    def fractions(self, prepared: Floats, scores: npt.NDArray[np.floating], passages: int = 1) -> Floats:
        """From 0 at the floor to 1 at the ceiling, for scores of one prepared query in a library of so many passages."""
        above, floor = np.asarray(scores, np.float64) - self.level(prepared), self.floor_among(passages)
        return np.asarray(np.clip((above - floor) / (self.ceiling - floor), 0.0, 1.0), np.float32)


def of_card(facts: ModelFacts) -> Calibration:
    """The calibration of a model of which only a floor and a ceiling of raw cosines are known."""
    width = facts.width
    return Calibration(
        facts.id, np.zeros(width, np.float32), np.zeros((0, width), np.float32), facts.floor, facts.ceiling
    )
