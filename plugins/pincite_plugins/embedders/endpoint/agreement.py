"""Whether two sets of vectors are of the same model. Pure.

Raw cosine cannot tell: vectors of one model share a large mean, so that quite different texts have a cosine over .7 and a wrong prefix
one of .99. What is compared is what is left when the mean is taken away, over several texts at once (specs/22-endpoints.md has the
figures behind each limit).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]

MEDIAN = 0.93
"""Least median of the centred cosines."""
LOWEST = 0.80
"""Least centred cosine of any one text."""
SHIFT = 0.20
"""Most that all texts may be moved in one direction, as a share of how far they lie from their mean."""
SAME = 0.995
"""Least centred cosine of a sentinel with its own vector when the server was verified."""
ALIKE = 1e-6
"""Vectors closer than this are one and the same."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """`raw`, `lowest`, `median`: raw and centred cosines over the texts (smallest; smallest; median). `shift`: length of the mean
    difference over the mean distance from the centre. `ranks`: rank correlation of the texts' likeness to each other. `own`: share of
    texts that are nearest to their own vector among all."""

    raw: float
    lowest: float
    median: float
    shift: float
    ranks: float
    own: float

    @property
    def good(self) -> bool:
        """Whether they are vectors of one model."""
        return self.median >= MEDIAN and self.lowest >= LOWEST and self.shift <= SHIFT and self.own == 1.0

    def figures(self) -> dict[str, float]:
        """As plain data, rounded."""
        return {name: round(getattr(self, name), 4) for name in ("raw", "lowest", "median", "shift", "ranks", "own")}


def agreement(expected: Rows, found: Rows, centre: Rows) -> Agreement:
    """Compares unit vectors (n, width) row by row; `centre` (width) is taken from both."""
    left, right = expected - centre, found - centre
    raw = np.sum(expected * found, axis=1)
    cross = _unit(left) @ _unit(right).T
    cosines = np.diag(cross)
    moved = np.linalg.norm((found - expected).mean(axis=0)) / max(1e-9, float(np.linalg.norm(left, axis=1).mean()))
    upper = np.triu_indices(len(expected), 1)
    return Agreement(
        raw=float(raw.min()),
        lowest=float(cosines.min()),
        median=float(np.median(cosines)),
        shift=float(moved),
        ranks=_rank_correlation((_unit(left) @ _unit(left).T)[upper], (_unit(right) @ _unit(right).T)[upper]),
        own=float((cross.argmax(axis=1) == np.arange(len(cross))).mean()),
    )


def centred(expected: Rows, found: Rows, centre: Rows) -> npt.NDArray[np.float32]:
    """Centred cosine of each pair of rows."""
    return np.asarray(np.sum(_unit(expected - centre) * _unit(found - centre), axis=1), np.float32)


def unit(rows: Rows) -> Rows:
    """Rows of length one: some servers leave that to us."""
    return _unit(np.asarray(rows, np.float32))


def twins(rows: Rows) -> list[tuple[int, int]]:
    """Pairs of rows that are one and the same vector: each row with the first that it equals."""
    first: dict[bytes, int] = {}
    pairs = []
    for place, key in enumerate(np.round(rows / (ALIKE * 10)).astype(np.int64)):
        where = first.setdefault(key.tobytes(), place)
        if where != place:
            pairs.append((where, place))
    return pairs


def _unit(rows: Rows) -> Rows:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12), np.float32)


def _rank_correlation(left: Rows, right: Rows) -> float:
    """Spearman's, without ties."""
    if len(left) < 3:
        return 1.0
    a, b = (np.argsort(np.argsort(side)).astype(np.float64) for side in (left, right))
    return float(np.corrcoef(a, b)[0, 1])
