"""A model's calibration: how its queries are prepared, and which scores are nothing and which are everything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.spec import ModelFacts

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Figures of one model (`model` is `ModelFacts.id`), as `pincite.calibration.record.record` finds them.

    `mean`: (width,), the mean of passages. `plane`: (k, width), orthonormal, the directions in which the model writes down a text's
    language. `floor` and `ceiling`: scores above a query's own level that mean 0 and 1.
    """

    model: str
    mean: Floats
    plane: Floats
    floor: float
    ceiling: float

    @property
    def width(self) -> int:
        """Dimensions of the model's vectors."""
        return len(self.mean)

    def prepared(self, query: Floats) -> Floats:
        """A query's vector (…, width) without the plane. Its product with a passage's vector is the score: the language of the one
        and of the other no longer count, and nothing need be done to the passages, since the plane is orthogonal to the rest."""
        return np.asarray(query - (query @ self.plane.T) @ self.plane, np.float32)

    def level(self, prepared: Floats) -> float:
        """What a prepared query scores with a passage about nothing in particular."""
        return float(prepared @ self.mean)

    def fractions(self, prepared: Floats, scores: npt.NDArray[np.floating]) -> Floats:
        """From 0 at the floor to 1 at the ceiling, for scores of one prepared query."""
        above = np.asarray(scores, np.float64) - self.level(prepared)
        return np.asarray(np.clip((above - self.floor) / (self.ceiling - self.floor), 0.0, 1.0), np.float32)


def of_card(facts: ModelFacts) -> Calibration:
    """The calibration of a model of which only a floor and a ceiling of raw cosines are known."""
    width = facts.width
    return Calibration(
        facts.id, np.zeros(width, np.float32), np.zeros((0, width), np.float32), facts.floor, facts.ceiling
    )
