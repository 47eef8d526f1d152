"""Whether two sets of vectors are of the same model. Pure.

Raw cosine cannot tell: vectors of one model share a large mean, so that quite different texts have a cosine over .7 and a wrong prefix
one of .99. What is compared is what is left when the mean of these texts is taken away, over several texts at once. The figures behind
each limit are in specs/22-endpoints.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]

RANKS = 0.93
"""Least rank correlation of the texts' likeness to each other."""
MEDIAN = 0.955
"""Least median of the centred cosines."""
LOWEST = 0.86
"""Least centred cosine of any one text."""
SHIFT = 0.5
"""Most that all texts may be moved in one direction, as a share of how far they lie from their mean."""
SAME = 0.99
"""Least centred cosine of a text with its own vector from the same server."""
ALIKE = 1e-5
"""Vectors closer than this in every number are one and the same."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """`raw`: smallest raw cosine. `lowest`, `median`: of the cosines after each side's own mean is taken off. `shift`: distance of the
    two means over the mean distance from the mean. `ranks`: Spearman's correlation of the texts' likeness to each other. `own`: share
    of texts that are nearest to their own vector among all."""

    raw: float
    lowest: float
    median: float
    shift: float
    ranks: float
    own: float

    @property
    def good(self) -> bool:
        """Whether they are vectors of one model."""
        near = self.median >= MEDIAN and self.lowest >= LOWEST and self.shift <= SHIFT
        return near and self.ranks >= RANKS and self.own == 1.0

    def figures(self) -> dict[str, float]:
        """As plain data, rounded."""
        return {name: round(getattr(self, name), 4) for name in ("raw", "lowest", "median", "shift", "ranks", "own")}

    def __str__(self) -> str:
        return f"centred median {self.median:.3f}, lowest {self.lowest:.3f}, ranks {self.ranks:.3f}, shift {self.shift:.3f}"


def agreement(expected: Rows, found: Rows) -> Agreement:
    """Compares unit vectors (n, width) of the same texts, row by row."""
    left, right = expected - expected.mean(axis=0), found - found.mean(axis=0)
    cross = _unit(left) @ _unit(right).T
    cosines = np.diag(cross)
    moved = np.linalg.norm((found - expected).mean(axis=0)) / max(1e-9, float(np.linalg.norm(left, axis=1).mean()))
    upper = np.triu_indices(len(expected), 1)
    return Agreement(
        raw=float(np.sum(expected * found, axis=1).min()),
        lowest=float(cosines.min()),
        median=float(np.median(cosines)),
        shift=float(moved),
        ranks=_rank_correlation((_unit(left) @ _unit(left).T)[upper], (_unit(right) @ _unit(right).T)[upper]),
        own=float((cross.argmax(axis=1) == np.arange(len(cross))).mean()),
    )


def centred(expected: Rows, found: Rows, centre: Rows, other: Rows | None = None) -> npt.NDArray[np.float32]:
    """Cosine of each pair of rows less `centre`; `found` less `other` where its own mean is known."""
    right = found - (centre if other is None else other)
    return np.asarray(np.sum(_unit(expected - centre) * _unit(right), axis=1), np.float32)


def unit(rows: Rows) -> Rows:
    """Rows of length one: some servers leave that to us."""
    return _unit(np.asarray(rows, np.float32))


def twins(rows: Rows) -> list[tuple[int, int]]:
    """Pairs of rows that are one and the same vector: each row with the first that it equals."""
    first: dict[bytes, int] = {}
    pairs = []
    for place, key in enumerate(np.round(rows / ALIKE).astype(np.int64)):
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
