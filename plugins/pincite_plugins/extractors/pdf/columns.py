"""Reading order of a page: gutters, bands between full-width lines, columns in a band, rows in a column.

A gutter is an x where many lines stand left and right and few pass over it. Full-width lines (titles, captions of wide
figures) cut the page into bands that are read one after another; in a band the columns are. This is the recursive X-Y cut
(Nagy, Seth, Viswanathan 1992) with the cuts found from lines that fill their column, so that tables are left whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_plugins.extractors.pdf.model import Box, Row, around
from pincite_plugins.extractors.pdf.rows import rows_of

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


@dataclass(slots=True, eq=False)
class Column:
    """Rows of one column of one band, in order. `wide`: it stands across the gutters. `margin`: a narrow column of
    small print beside the text."""

    rows: list[Row]
    box: Box
    wide: bool = False
    margin: bool = False


def columns_of(pieces: list[Row], depth: int = 0) -> list[Column]:
    """The columns of a page in reading order."""
    pieces = [piece for piece in pieces if piece.width > 0]
    if not pieces:
        return []
    gutters = _gutters(pieces) if depth < 3 else []
    if not gutters:
        return [_column(pieces)]
    out: list[Column] = []
    for band, wide in _bands(pieces, gutters):
        if wide:
            out += _wide(columns_of(band, depth + 1) if depth < 2 else [_column(band)])
            continue
        parts = _parts(band, gutters)
        out += _margins_last([_column(part) for part in parts if part])
    return out


def _column(pieces: list[Row]) -> Column:
    rows = rows_of(pieces)
    return Column(rows, around(row.box for row in rows))


def _wide(columns: list[Column]) -> list[Column]:
    for column in columns:
        column.wide = True
    return columns


def _gutters(pieces: list[Row]) -> list[float]:
    boxes = np.array([piece.box for piece in pieces])
    left, top = float(boxes[:, 0].min()), float(boxes[:, 1].min())
    wide = int((boxes[:, 2].max() - left) / _X) + 1
    high = int((boxes[:, 3].max() - top) / _Y) + 1
    if wide < 20 or high < 8 or wide > 4000 or high > 4000:
        return []
    held = _grid(boxes, left, top, wide, high)
    before = np.maximum.accumulate(held, axis=1)
    after = np.maximum.accumulate(held[:, ::-1], axis=1)[:, ::-1]
    both = (before & after & ~held).sum(axis=0)
    line = max(1.0, float(np.median(boxes[:, 3] - boxes[:, 1])) / _Y)
    found = _peaks(both, _LINES * line)
    while found:
        gutters = [left + (low + high + 1) / 2 * _X for low, high, _ in found]
        bad = _unfilled(boxes, gutters)
        if bad is None:
            return gutters
        found.remove(min(found[max(0, bad - 1) : bad + 1], key=lambda peak: peak[2]))
    return []


def _grid(boxes: npt.NDArray[np.float64], left: float, top: float, wide: int, high: int) -> npt.NDArray[np.bool_]:
    """Which cells lines stand in; a line's own top and bottom fifth left off, so that close lines do not touch."""
    held = np.zeros((high, wide), dtype=np.bool_)
    inset = (boxes[:, 3] - boxes[:, 1]) / 5
    x1 = ((boxes[:, 0] - left) / _X).astype(int)
    x2 = ((boxes[:, 2] - left) / _X).astype(int) + 1
    y1 = ((boxes[:, 1] + inset - top) / _Y).astype(int)
    y2 = ((boxes[:, 3] - inset - top) / _Y).astype(int) + 1
    for a, b, c, d in zip(x1, x2, y1, y2, strict=True):
        held[c:d, a:b] = True
    return held


def _peaks(both: npt.NDArray[np.int64], least: float) -> list[tuple[int, int, int]]:
    """Stretches of x (first, last cell, height) where `both` stands at its local top."""
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


def _unfilled(boxes: npt.NDArray[np.float64], gutters: list[float]) -> int | None:
    """The first column that is not one of running text, or None."""
    edges = [float(boxes[:, 0].min()) - 1, *gutters, float(boxes[:, 2].max()) + 1]
    narrow = []
    for at in range(len(edges) - 1):
        inside = boxes[(boxes[:, 0] >= edges[at] - 3) & (boxes[:, 2] <= edges[at + 1] + 3)]
        if len(inside) < _LINES:
            return at
        width = float(np.percentile(inside[:, 2], 90) - np.percentile(inside[:, 0], 10))
        # a printed line may come in pieces: what counts is how much of the column's width a line covers in all
        heights = np.round(inside[:, 3] / 4).astype(int)
        rows = np.zeros(int(heights.max() - heights.min()) + 1)
        np.add.at(rows, heights - heights.min(), inside[:, 2] - inside[:, 0])
        longest = np.zeros(len(rows))
        np.maximum.at(longest, heights - heights.min(), inside[:, 2] - inside[:, 0])
        used = rows > 0
        share = float((longest[used] >= _FULL * width).mean())
        if share < _MOSTLY / 2:
            return at
        narrow.append(share < _MOSTLY)
    return narrow.index(True) if sum(narrow) > len(narrow) / 2 else None


def _side(box: Box, gutters: list[float]) -> int:
    """Which column a line stands in, or -1 where it stands across a gutter."""
    x1, _, x2, _ = box
    slack = max(3.0, 0.12 * (x2 - x1))
    middle = (x1 + x2) / 2
    for gutter in gutters:
        if x1 < gutter - slack and x2 > gutter + slack:
            return -1
    return sum(1 for gutter in gutters if middle > gutter)


def _bands(pieces: list[Row], gutters: list[float]) -> list[tuple[list[Row], bool]]:
    """(lines, whether they stand across) from the top down."""
    order = sorted(pieces, key=lambda piece: piece.box[1] + piece.box[3])
    bands: list[tuple[list[Row], bool]] = []
    for piece in order:
        wide = _side(piece.box, gutters) < 0
        if bands and bands[-1][1] is wide:
            bands[-1][0].append(piece)
        elif bands and not wide and _rest_of(bands[-1][0], piece):
            bands[-1][0].append(piece)
        else:
            bands.append(([piece], wide))
    return bands


def _rest_of(wide: list[Row], piece: Row) -> bool:
    """Whether a line is the short last one of a full-width paragraph, or beside one."""
    last = wide[-1]
    centre = (piece.box[1] + piece.box[3]) / 2
    if last.box[1] < centre < last.box[3]:
        return True
    close = piece.box[1] - last.box[3] < 0.5 * last.height
    return close and abs(piece.size - last.size) < 0.3 and abs(piece.box[0] - last.box[0]) < 3 and len(wide) > 1


def _parts(band: list[Row], gutters: list[float]) -> list[list[Row]]:
    parts: list[list[Row]] = [[] for _ in range(len(gutters) + 1)]
    for piece in band:
        parts[max(0, _side(piece.box, gutters))].append(piece)
    return parts


def _margins_last(columns: list[Column]) -> list[Column]:
    """Narrow columns of small print come after the text that they stand beside."""
    if len(columns) < 2:
        return columns
    widest = max(columns, key=lambda column: column.box[2] - column.box[0])
    width = widest.box[2] - widest.box[0]
    size = _size(widest)
    for column in columns:
        narrow = column.box[2] - column.box[0] < 0.5 * width
        column.margin = narrow and _size(column) < 0.97 * size
    return [c for c in columns if not c.margin] + [c for c in columns if c.margin]


def _size(column: Column) -> float:
    sizes: dict[float, int] = {}
    for row in column.rows:
        sizes[row.size] = sizes.get(row.size, 0) + row.style.characters
    return max(sizes, key=lambda size: sizes[size])
