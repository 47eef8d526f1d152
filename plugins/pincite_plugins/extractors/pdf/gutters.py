"""Gutters: where the columns of a page part.

A gutter is an x where many lines stand left and right and few pass over it, between columns whose lines mostly fill them,
so that tables are left whole. Pages of one document share their gutters: what most pages show is looked for on the others
too, where a wide table or figure hides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pincite_plugins.extractors.pdf.model import Row

_X = 2.0
"""Points of a cell of the grid, across."""
_Y = 3.0
"""Points of a cell of the grid, down: a third of a small line."""
_LINES = 4
"""A gutter stands beside at least so many lines on each side."""
_FULL = 0.62
"""A line that fills so much of its column is one of running text."""
_MOSTLY = 0.45
"""So many lines of a column fill it, else it is a table's."""
_NARROW = 4.0
"""A column is at least so many lines' heights wide: what is narrower holds the numbers of a list."""
_NEAR = 8.0
"""Points by which a gutter may move from page to page."""

Boxes = npt.NDArray[np.float64]


def boxes_of(pieces: Sequence[Row]) -> Boxes:
    """Shape (n, 4)."""
    return np.array([piece.box for piece in pieces], dtype=np.float64).reshape(-1, 4)


def gutters_of(pieces: Sequence[Row]) -> list[float]:
    """The gutters that the lines of one page show by themselves."""
    boxes = boxes_of(pieces)
    if len(boxes) < 2 * _LINES:
        return []
    left, top = float(boxes[:, 0].min()), float(boxes[:, 1].min())
    wide = int((boxes[:, 2].max() - left) / _X) + 1
    high = int((boxes[:, 3].max() - top) / _Y) + 1
    if wide < 20 or high < 8 or wide > 4000 or high > 4000:
        return []
    held = _grid(boxes, left, top, wide, high)
    held = held[held.any(axis=1)]
    across = np.arange(wide)
    first, last = held.argmax(axis=1), wide - 1 - held[:, ::-1].argmax(axis=1)
    both = ((across > first[:, None]) & (across < last[:, None]) & ~held).sum(axis=0)
    line = max(1.0, _quantile(boxes[:, 3] - boxes[:, 1], 0.5) / _Y)
    found = _peaks(both, _LINES * line)
    while found:
        gutters = [left + (low + high + 1) / 2 * _X for low, high, _ in found]
        bad = _unfilled(boxes, gutters)
        if bad is None:
            return gutters
        found.remove(min(found[max(0, bad - 1) : bad + 1], key=lambda peak: peak[2]))
    return []


def shared(pages: Sequence[list[float]]) -> list[list[float]]:
    """The layouts (lists of gutters) that at least a quarter of the pages, and two, show; the commonest first."""
    groups: list[list[list[float]]] = []
    for gutters in pages:
        if not gutters:
            continue
        for group in groups:
            same = group[0]
            if len(same) == len(gutters) and all(abs(a - b) <= _NEAR for a, b in zip(same, gutters, strict=True)):
                group.append(gutters)
                break
        else:
            groups.append([gutters])
    groups = [group for group in groups if len(group) >= max(2, len(pages) / 4)]
    groups.sort(key=len, reverse=True)
    return [[float(np.median(side)) for side in zip(*group, strict=True)] for group in groups]


def supported(pieces: Sequence[Row], gutters: Sequence[float]) -> bool:
    """Whether a page has lines on both sides of each gutter, some beside each other, that fill their column."""
    boxes = boxes_of(pieces)
    if len(boxes) < 2 * _LINES:
        return False
    edges = [float(boxes[:, 0].min()) - 1, *gutters, float(boxes[:, 2].max()) + 1]
    full = []
    for low, high in pairwise(edges):
        inside = (
            (boxes[:, 0] >= low - 3) & (boxes[:, 2] <= high + 3) & (boxes[:, 2] - boxes[:, 0] >= _FULL * (high - low))
        )
        full.append(boxes[inside])
    if any(len(side) < _LINES for side in full):
        return False
    crossing = sum(int(((boxes[:, 0] < gutter - 6) & (boxes[:, 2] > gutter + 6)).sum()) for gutter in gutters)
    return sum(map(len, full)) >= 0.5 * crossing


def _grid(boxes: Boxes, left: float, top: float, wide: int, high: int) -> npt.NDArray[np.bool_]:
    """Which cells lines stand in; a line's own top and bottom fifth left off, so that close lines do not touch."""
    held = np.zeros((high, wide), dtype=np.bool_)
    inset = (boxes[:, 3] - boxes[:, 1]) / 5
    x1 = ((boxes[:, 0] - left) / _X).astype(int)
    x2 = ((boxes[:, 2] - left) / _X).astype(int) + 1
    y1 = ((boxes[:, 1] + inset - top) / _Y).astype(int)
    y2 = ((boxes[:, 3] - inset - top) / _Y).astype(int) + 1
    for a, b, c, d in zip(x1.tolist(), x2.tolist(), y1.tolist(), y2.tolist(), strict=True):
        held[c:d, a:b] = True
    return held


def _peaks(both: npt.NDArray[np.int64], least: float) -> list[tuple[int, int, int]]:
    """Stretches of x (first cell, last cell, height) where `both` stands at its local top."""
    out = []
    limit = max(least, 0.5 * float(both.max(initial=0)))
    inside = np.flatnonzero(both >= limit)
    if not len(inside):
        return []
    for group in np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1):
        top = int(both[group].max())
        best = group[both[group] >= 0.93 * top]
        if len(best) * _X >= 4:
            out.append((int(best[0]), int(best[-1]), top))
    return out


def _unfilled(boxes: Boxes, gutters: list[float]) -> int | None:
    """The first column that is not one of running text, or None."""
    edges = [float(boxes[:, 0].min()) - 1, *gutters, float(boxes[:, 2].max()) + 1]
    ragged = []
    for at in range(len(edges) - 1):
        inside = boxes[(boxes[:, 0] >= edges[at] - 3) & (boxes[:, 2] <= edges[at + 1] + 3)]
        if len(inside) < _LINES:
            return at
        width = _quantile(inside[:, 2], 0.9) - _quantile(inside[:, 0], 0.1)
        if width < _NARROW * _quantile(inside[:, 3] - inside[:, 1], 0.5):
            return at
        level = np.round(inside[:, 3] / 4).astype(int)
        longest = np.zeros(int(level.max() - level.min()) + 1)
        np.maximum.at(longest, level - level.min(), inside[:, 2] - inside[:, 0])
        share = float((longest[longest > 0] >= _FULL * width).mean())
        if share < _MOSTLY / 2:
            return at
        ragged.append(share < _MOSTLY)
    return ragged.index(True) if sum(ragged) > len(ragged) / 2 else None


def _quantile(values: npt.NDArray[np.float64], share: float) -> float:
    """As `numpy.quantile`, which takes ten times as long for a page's lines."""
    ordered = np.sort(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    below, above = float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)])
    return below + (above - below) * (place - low)
