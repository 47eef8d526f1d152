"""Reading order of a page: bands between full-width lines, columns in a band, rows in a column.

Full-width lines (titles, wide figures and tables with their captions) cut the page into bands that are read one after
another; in a band the columns are. This is the X-Y cut (Nagy, Seth, Viswanathan 1992) with its cuts found by `gutters`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite_plugins.extractors.pdf.gutters import gutters_of, shared, supported
from pincite_plugins.extractors.pdf.model import Box, Row, Sheet, around
from pincite_plugins.extractors.pdf.rows import groups_of, joined, rows_of

_STRAY_ROWS = 3
"""So few rows between two full-width stretches belong to them: a part of the same table or figure."""


@dataclass(slots=True, eq=False)
class Column:
    """Rows of one column of one band, in order. `wide`: it stands across the gutters. `margin`: a narrow column of
    small print beside the text."""

    rows: list[Row]
    box: Box
    wide: bool = False
    margin: bool = False


def reading_order(sheets: Sequence[Sheet]) -> list[list[Column]]:
    """The columns of each page, in reading order."""
    own = [gutters_of(sheet.rows) for sheet in sheets]
    layouts = shared(own)
    return [_columns(sheet.rows, _choose(sheet.rows, found, layouts), sheet.number == 1)
            for sheet, found in zip(sheets, own, strict=True)]  # fmt: skip


def _choose(pieces: Sequence[Row], own: list[float], layouts: list[list[float]]) -> list[float]:
    for layout in layouts:
        if own and len(own) == len(layout) and all(abs(a - b) < 15 for a, b in zip(own, layout, strict=True)):
            return own
    for layout in layouts:
        if supported(pieces, layout):
            return layout
    return own


def _columns(pieces: list[Row], gutters: list[float], front: bool) -> list[Column]:
    if not pieces:
        return []
    if not gutters:
        return [_column(rows_of(pieces))]
    out: list[Column] = []
    for band, wide in _bands(groups_of(pieces), gutters):
        if wide:
            out.append(_column([joined(group) for group in band], wide=True))
            continue
        for part in _strips(band, gutters) if front and not any(c.wide is False for c in out) else [band]:
            columns = [_column(rows_of(side)) for side in _sides(part, gutters) if side]
            out += _margins_last(columns)
    return out


def _column(rows: list[Row], wide: bool = False) -> Column:
    return Column(rows, around(row.box for row in rows), wide)


def _side(box: Box, gutters: list[float]) -> int:
    """Which column a line stands in, or -1 where it stands across a gutter."""
    x1, _, x2, _ = box
    slack = max(3.0, 0.12 * (x2 - x1))
    middle = (x1 + x2) / 2
    for gutter in gutters:
        if x1 < gutter - slack and x2 > gutter + slack:
            return -1
    return sum(1 for gutter in gutters if middle > gutter)


Group = list[Row]
"""Pieces that stand side by side."""


def _bands(groups: list[Group], gutters: list[float]) -> list[tuple[list[Group], bool]]:
    """(groups, whether they stand across) from the top down."""
    bands: list[tuple[list[Group], bool]] = []
    for group in groups:
        wide = any(_side(piece.box, gutters) < 0 for piece in group)
        if bands and (bands[-1][1] is wide or (not wide and _rest_of(bands[-1][0], group))):
            bands[-1][0].append(group)
        else:
            bands.append(([group], wide))
    return _without_strays(bands, gutters)


def _without_strays(bands: list[tuple[list[Group], bool]], gutters: list[float]) -> list[tuple[list[Group], bool]]:
    """A few short rows between two full-width stretches join them; so does a row just above the first, and a table over or under one."""
    out: list[tuple[list[Group], bool]] = []
    for at, (groups, wide) in enumerate(bands):
        inner = 0 < at < len(bands) - 1 and len(groups) <= _STRAY_ROWS
        inner = inner or (at == 0 and len(groups) == 1 and len(bands) > 1 and _close(groups[0], bands[1][0][0]))
        beside = sum(len(group) > 1 for group in groups) > len(groups) / 2
        wide = wide or (len(bands) > 1 and (inner or beside) and not _full(groups, gutters))
        if out and out[-1][1] and wide:
            out[-1][0].extend(groups)
        else:
            out.append((groups, wide))
    return out


def _close(group: Group, below: Group) -> bool:
    """Whether a row stands as near to the next as the lines of a paragraph ("Table 5" alone over its title)."""
    gap = min(piece.box[1] for piece in below) - max(piece.box[3] for piece in group)
    return gap < 0.5 * min(piece.height for piece in group) and abs(group[0].size - below[0].size) < 0.3


def _full(groups: list[Group], gutters: list[float]) -> bool:
    """Whether any row holds a line of running text of its column."""
    if len(gutters) < 1:
        return False
    least = min([b - a for a, b in pairwise(gutters)] or [gutters[0] * 0.6])
    return any(piece.width > 0.6 * least and piece.style.characters > 25 for group in groups for piece in group)


def _rest_of(wide: list[Group], group: Group) -> bool:
    """Whether a row is the short last one of a full-width paragraph."""
    if len(group) > 1:
        return False
    last, piece = wide[-1][0], group[0]
    close = piece.box[1] - last.box[3] < 0.5 * last.height
    return close and abs(piece.size - last.size) < 0.3 and abs(piece.box[0] - last.box[0]) < 1.5 * last.size


def _strips(band: list[Group], gutters: list[float]) -> list[list[Group]]:
    """On the first page: names and addresses over the columns are one strip, the text below another."""
    for at in range(1, len(band)):
        above = max(piece.box[3] for group in band[:at] for piece in group)
        below = min(piece.box[1] for group in band[at:] for piece in group)
        size = max(piece.size for piece in band[at])
        if below - above > 0.9 * size and at <= 14 and not _full_text(band[:at]):
            both = {_side(piece.box, gutters) for group in band[:at] for piece in group}
            if len(both) > 1 and _full_text(band[at:]):
                return [band[:at], band[at:]]
    return [band]


def _full_text(band: list[Group]) -> bool:
    """Whether rows are those of running text: most pieces as long as the longest."""
    widths = sorted(piece.width for group in band for piece in group)
    longest = widths[-1] if len(widths) < 5 else widths[-2]
    return sum(width > 0.85 * longest for width in widths) > 0.5 * len(widths)


def _sides(band: list[Group], gutters: list[float]) -> list[list[Row]]:
    sides: list[list[Row]] = [[] for _ in range(len(gutters) + 1)]
    for group in band:
        for piece in group:
            sides[max(0, _side(piece.box, gutters))].append(piece)
    return sides


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
