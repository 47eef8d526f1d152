"""Rows of a column → paragraphs: by distance, typography, indents, list marks and short last lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pincite.packs.landmarks import numbering
from pincite_plugins.extractors.pdf.columns import Column
from pincite_plugins.extractors.pdf.model import UNSPACED_CHAR, Para, Row

_BULLET = re.compile(r"^\s*(?:[•‣◦▪■●○∙·*–—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S", re.I)
_ENTRY = re.compile(r"^\s*(?:\[\w{1,12}[^\]\s]{0,12}\]|\d{1,3}\.)\s*\S")
_STOP = re.compile(r"[.!?:;。！？…][\"'”’)\]]*\s*$")


def paragraphs_of(column: Column, body: float) -> list[Para]:
    """The paragraphs of one column, from the top down. `body`: the size of running text."""
    rows = column.rows
    if not rows:
        return []
    pitch = _pitch(rows)
    left, right = _edge(rows, 0), _edge(rows, 2)
    for row in rows:
        row.left, row.right = left, right
    runs: list[list[Row]] = [[rows[0]]]
    for before, row in pairwise(rows):
        if _breaks(before, row, pitch, right, body):
            runs.append([row])
        else:
            runs[-1].append(row)
    return [Para(group) for run in runs for group in _split(run, left, right)]


def _split(run: list[Row], left: float, right: float) -> list[list[Row]]:
    """Paragraphs of rows that stand close and look alike: told apart by indents, marks and short last lines."""
    own = min(row.box[0] for row in run)
    hanging = _hanging(run, own)
    left = own if hanging or own > left + 1 else left
    out = [[run[0]]]
    for before, row in pairwise(run):
        if _begins(before, row, left, right, hanging):
            out.append([row])
        else:
            out[-1].append(row)
    return out


def _pitch(rows: Sequence[Row]) -> float:
    """The distance from line to line that most lines keep, in line heights."""
    steps = [
        (b.baseline - a.baseline) / max(b.size, 1)
        for a, b in pairwise(rows)
        if abs(a.size - b.size) < 0.6 and 0 < b.baseline - a.baseline < 3 * max(b.size, 1)
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
        same = bisect_left(values, value + 3, at) - at
        if same > count or (same == count and side == 2):
            best, count = value, same
    if count < 3:
        return min(values) if side == 0 else max(values)
    return best


def _hanging(run: Sequence[Row], left: float) -> bool:
    """Whether lines after the first of a paragraph are the indented ones (a bibliography)."""
    indents = [(row.box[0] - left) / max(row.size, 1) for row in run]
    if len(run) > 1 and _ENTRY.match(run[0].text) and indents[0] < 0.4 and all(0.6 < x < 4.5 for x in indents[1:]):
        return True
    outer = sum(row.box[0] - left < 0.4 * row.size for row in run)
    inner: Counter[int] = Counter()
    for row in run:
        if 0.6 * row.size < row.box[0] - left < 4.5 * row.size:
            inner[round((row.box[0] - left) / 2)] += 1
    most = max((inner[x] + inner[x + 1] for x in inner), default=0)
    return len(run) >= 3 and most >= 2 and most >= 0.7 * outer and run[0].box[0] - left < 0.4 * run[0].size


def _breaks(before: Row, row: Row, pitch: float, right: float, body: float) -> bool:
    """Whether distance or typography parts two rows."""
    size = max(row.size, before.size, 1.0)
    step = (row.baseline - before.baseline) / size
    alike = abs(row.size - before.size) <= 0.09 * size
    if _display(before, body) and _display(row, body) and alike and 0 < step < 1.6:
        italic = row.style.mostly(row.style.italic) != before.style.mostly(before.style.italic)
        return italic or bool(numbering(row.text))
    if step > 1.32 * pitch + 0.1 or step < -1:
        # a tall formula in a line pushes the next one away
        return not (0 < step < 2.3 * pitch and alike and before.box[2] > right - size and _runs_on(before, row))
    if not alike and min(_weight(row), _weight(before)) > 3:
        return True
    if row.style.mostly(row.style.bold, 0.85) != before.style.mostly(before.style.bold, 0.85):
        return True
    return row.style.mostly(row.style.mono, 0.85) != before.style.mostly(before.style.mono, 0.85)


def _weight(row: Row) -> int:
    """How much a row says: characters, one of Han or kana counted for two."""
    return row.style.characters + sum(1 for word in row.words if UNSPACED_CHAR.match(word.text))


def _runs_on(before: Row, row: Row) -> bool:
    """Whether a line ends in mid-sentence and the next goes on with it."""
    first = row.text[:1]
    return first.islower() and not _STOP.search(before.text)


def _begins(before: Row, row: Row, left: float, right: float, hanging: bool) -> bool:
    """Whether a row begins a paragraph, of two that stand close and look alike."""
    size = max(row.size, before.size, 1.0)
    if row.style.mostly(row.style.mono, 0.85):
        return False
    text, last = row.text, before.text
    stopped = bool(_STOP.search(last))
    short = before.box[2] < right - 0.12 * (right - left)
    shift = row.box[0] - before.box[0]
    if _BULLET.match(text) and (stopped or before.box[2] < right - 2 * size):
        return True
    if hanging:
        return (row.box[0] - left < 0.4 * size and shift < -0.6 * size) or (
            row.box[0] - left < 0.4 * size and before.box[0] - left < 0.4 * size and (short or stopped)
        )
    if _ENTRY.match(text) and row.box[0] - left < size and (short or stopped):
        return True
    if 0.7 * size < shift < 4 * size and row.box[0] - left > 0.7 * size and (short or stopped):
        return True
    return short and stopped and right - before.box[2] > 2 * size


def _display(row: Row, body: float) -> bool:
    """Whether a row is set as a heading is."""
    return row.style.mostly(row.style.bold, 0.85) or row.size > 1.12 * body


def body_size(rows: Sequence[Row]) -> float:
    """The font size of running text: the largest that a fifth of the characters have. (The commonest one is, in a short
    paper with a long bibliography, that of the bibliography.)"""
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes.update(row.style.sizes)
    total = sizes.total()
    # sizes that differ by less than a tenth of a point or two are one, as files scaled by a printer have them
    near = {size: sum(count for other, count in sizes.items() if abs(other - size) <= 0.2) for size in sizes}
    common = [size for size, count in near.items() if count >= 0.2 * total]
    if not common:
        return 10.0
    largest = max(common)
    return max((size for size in sizes if largest - size <= 0.2), key=lambda size: sizes[size])
