"""Rows of a column → paragraphs: by distance, typography, indents, list marks and short last lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from pincite_plugins.extractors.pdf.columns import Column
from pincite_plugins.extractors.pdf.model import Para, Row

_BULLET = re.compile(r"^\s*(?:[•‣◦▪■●○∙·*–—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S", re.I)
_ENTRY = re.compile(r"^\s*(?:\[\w{1,12}[^\]\s]{0,12}\]|\d{1,3}\.)\s*\S")
_STOP = re.compile(r"[.!?:;。！？…][\"'”’)\]]*\s*$")


def paragraphs_of(column: Column) -> list[Para]:
    """The paragraphs of one column, from the top down."""
    rows = column.rows
    if not rows:
        return []
    pitch = _pitch(rows)
    left, right = _edge(rows, 0), _edge(rows, 2)
    hanging = _hanging(rows, left, right)
    for row in rows:
        row.left, row.right = left, right
    out: list[list[Row]] = [[rows[0]]]
    for before, row in zip(rows, rows[1:], strict=False):
        if _parts(before, row, pitch, left, right, hanging):
            out.append([row])
        else:
            out[-1].append(row)
    return [Para(group) for group in out]


def _pitch(rows: Sequence[Row]) -> float:
    """The distance from line to line that most lines keep, in line heights."""
    steps = [
        (b.box[3] - a.box[3]) / max(b.size, 1)
        for a, b in zip(rows, rows[1:], strict=False)
        if abs(a.size - b.size) < 0.6 and 0 < b.box[3] - a.box[3] < 3 * max(b.size, 1)
    ]
    if not steps:
        return 1.25
    # the closest common distance: headings and gaps between paragraphs pull the mean up
    return sorted(steps)[len(steps) * 2 // 5]


def _edge(rows: Sequence[Row], side: int) -> float:
    """Where most lines begin (side 0) or end (side 2)."""
    values = sorted(row.box[side] for row in rows)
    best, count = values[0], 0
    for at, value in enumerate(values):
        same = sum(1 for v in values[at:] if v - value < 3)
        if same > count or (same == count and side == 2):
            best, count = value, same
    if count < 3:
        return min(values) if side == 0 else max(values)
    return best


def _hanging(rows: Sequence[Row], left: float, right: float) -> bool:
    """Whether lines after the first of a paragraph are the indented ones (a bibliography)."""
    outdented = indented = 0
    for before, row in zip(rows, rows[1:], strict=False):
        if right - before.box[2] > 3 * max(row.size, 1):
            shift = row.box[0] - min(left, before.box[0])
            indented += 0.7 * row.size < shift < 4 * row.size
            outdented += before.box[0] - row.box[0] > 0.7 * row.size
    return outdented > max(1, 2 * indented)


def _parts(before: Row, row: Row, pitch: float, left: float, right: float, hanging: bool) -> bool:
    size = max(row.size, before.size, 1.0)
    step = (row.box[3] - before.box[3]) / max(row.size, 1)
    if step > 1.32 * pitch + 0.1 or step < -1:
        return True
    if abs(row.size - before.size) > 0.09 * size and min(row.style.characters, before.style.characters) > 3:
        return True
    if row.style.mostly(row.style.bold, 0.85) != before.style.mostly(before.style.bold, 0.85):
        if row.style.mostly(row.style.bold, 0.85) or before.style.mostly(before.style.bold, 0.85):
            return True
    if row.style.mostly(row.style.mono, 0.85) != before.style.mostly(before.style.mono, 0.85):
        return True
    text = row.text
    if _BULLET.match(text) and (_STOP.search(before.text) or before.box[2] < right - 2 * size):
        return True
    short = before.box[2] < right - 0.12 * (right - left)
    shift = row.box[0] - before.box[0]
    if hanging:
        return shift < -0.7 * size or (bool(_ENTRY.match(text)) and abs(row.box[0] - left) < size)
    if _ENTRY.match(text) and row.box[0] - left < size and (short or _STOP.search(before.text)):
        return True
    if 0.7 * size < shift < 4 * size and row.box[0] - left > 0.7 * size and (short or _STOP.search(before.text)):
        return True
    return short and bool(_STOP.search(before.text)) and before.width > 0 and right - before.box[2] > 2 * size


def common_size(rows: Sequence[Row]) -> float:
    """The font size of most characters."""
    sizes: dict[float, int] = {}
    for row in rows:
        for size, count in row.style.sizes.items():
            sizes[size] = sizes.get(size, 0) + count
    return max(sizes.items(), key=lambda pair: pair[1])[0] if sizes else 10.0


def middle(values: Sequence[float]) -> float:
    """The median, 0 for none."""
    return median(values) if values else 0.0
