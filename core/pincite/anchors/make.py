"""Spans of a pack → an anchor in JSON form (specs/05-anchors.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.anchors.cfi import cfi_range, document_of, units
from pincite.anchors.runs import RunIndex, Stretch, over_space, run_index
from pincite.values.pack import Pack, Places

Spans = Iterable[tuple[int, int]]
Rect = tuple[int, float, float, float, float]
"""Page from 1, then x1, y1, x2, y2 in points."""

TENTHS = 10
"""Coordinates are kept to a tenth of a point, rounded outwards: 0.035 mm, and half the JSON."""


def anchor_of(pack: Pack, spans: Spans) -> dict[str, Any]:
    """Where `spans` [start, end) of `pack.text` stand in the file. Kinds: "pdf", "epub", "html", "text"."""
    wanted = [(start, end) for start, end in spans if start < end]
    if pack.places is not None:
        return {"kind": "pdf", "rects": [list(rect) for rect in rects_of(pack.places, wanted)]}
    index = run_index(pack.runs)
    # each span by itself: what stands between two of them is no part of the place, save white space
    by_span = [index.stretches(*span) for span in over_space(pack.text, wanted)]
    if pack.format == "epub":
        return {"kind": "epub", "cfis": [cfi for found in by_span for cfi in _cfis(pack, index, found)]}
    stretches = [stretch for found in by_span for stretch in found]
    if pack.format == "html":
        parts = [{"selector": s.target, "start": s.start, "end": s.end} for s in stretches]
        return {"kind": "html", "parts": parts}
    return {"kind": "text", "spans": [[s.start, s.end] for s in stretches]}


def rects_of(places: Places, spans: Spans) -> list[Rect]:
    """One rectangle for each printed line that the spans touch, in the order of the text. A word that a span cuts
    gives the share of its box that the letters take."""
    out: list[Rect] = []
    for start, end in spans:
        first = int(np.searchsorted(places.end, start, side="right"))
        last = int(np.searchsorted(places.start, end, side="left"))
        if first < last:
            out += _lines(places, first, last, start, end)
    return list(dict.fromkeys(out))


def _lines(places: Places, first: int, last: int, start: int, end: int) -> list[Rect]:
    box = places.box[first:last].astype(np.float64)
    _cut(box, places, first, last, start, end)
    page, line = places.page[first:last], places.line[first:last]
    heads = np.flatnonzero(np.r_[True, (np.diff(page) != 0) | (np.diff(line) != 0)])
    low = np.floor(np.minimum.reduceat(box[:, :2], heads, axis=0) * TENTHS) / TENTHS
    high = np.ceil(np.maximum.reduceat(box[:, 2:], heads, axis=0) * TENTHS) / TENTHS
    return [
        (int(number), x1, y1, x2, y2)
        for number, (x1, y1), (x2, y2) in zip(page[heads], low.tolist(), high.tolist(), strict=True)
    ]


def _cut(box: npt.NDArray[np.float64], places: Places, first: int, last: int, start: int, end: int) -> None:
    """Shortens the boxes of the first and last word where the span begins or ends inside them."""
    for at, low, high in ((first, start, None), (last - 1, None, end)):
        word_start, word_end = int(places.start[at]), int(places.end[at])
        row = box[at - first]
        wide = row[2] - row[0] >= row[3] - row[1]
        near, far = (0, 2) if wide else (1, 3)
        length = row[far] - row[near]
        base = row[near]
        if low is not None and low > word_start:
            row[near] = base + length * (low - word_start) / (word_end - word_start)
        if high is not None and high < word_end:
            row[far] = base + length * (high - word_start) / (word_end - word_start)


def _cfis(pack: Pack, index: RunIndex, stretches: Sequence[Stretch]) -> list[str]:
    """One range a document of the spine, for one span."""
    groups: dict[str, list[Stretch]] = {}
    for stretch in stretches:
        groups.setdefault(document_of(stretch.target), []).append(stretch)
    out = []
    for group in groups.values():
        first, last = group[0], group[-1]
        out.append(
            cfi_range(
                (first.target, units(pack.text, index, first.target, first.start)),
                (last.target, units(pack.text, index, last.target, last.end)),
            )
        )
    return out
