"""An anchor → spans of a pack, which may be of another extractor version than the one that the anchor was made with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pincite.anchors.cfi import order, parse, points
from pincite.anchors.runs import RunIndex, Stretch, joined, over_space, run_index
from pincite.values.pack import Pack, Places


def spans_of(pack: Pack, anchor: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """The spans [start, end) of `pack.text` that stand where `anchor` points, sorted; empty where nothing does.

    The order of the text and the way it is cut may differ from the pack that the anchor was made of: words are found by
    the centre of their box, text without pages by its place in the document. Raises ValueError for what is no anchor.
    """
    kind = anchor.get("kind")
    if kind == "pdf":
        return () if pack.places is None else tuple(words_in(pack.text, pack.places, anchor["rects"]))
    index = run_index(pack.runs)
    if kind == "epub":
        stretches = [s for cfi in anchor["cfis"] for s in _nodes_of(pack, index, cfi)]
    elif kind == "html":
        stretches = [Stretch(part["selector"], part["start"], part["end"]) for part in anchor["parts"]]
    elif kind == "text":
        stretches = [Stretch("", start, end) for start, end in anchor["spans"]]
    else:
        raise ValueError(f"unknown kind of anchor: {kind!r}")
    return tuple(over_space(pack.text, index.spans(stretches)))


def words_in(text: str, places: Places, rects: Iterable[Sequence[float]]) -> list[tuple[int, int]]:
    """The spans of words whose centre lies in any of the rectangles (page, x1, y1, x2, y2), those that only white space
    parts made one."""
    x = (places.box[:, 0] + places.box[:, 2]) / 2
    y = (places.box[:, 1] + places.box[:, 3]) / 2
    inside = np.zeros(len(x), dtype=np.bool_)
    for page, x1, y1, x2, y2 in rects:
        low, high = min(x1, x2), max(x1, x2)
        top, bottom = min(y1, y2), max(y1, y2)
        inside |= (places.page == int(page)) & (x >= low) & (x <= high) & (y >= top) & (y <= bottom)
    at = np.flatnonzero(inside)
    words = zip(places.start[at].tolist(), places.end[at].tolist(), strict=True)
    return over_space(text, joined(words))


def _nodes_of(pack: Pack, index: RunIndex, cfi: str) -> list[Stretch]:
    """The parts of text nodes between a range's two points."""
    wanted = parse(cfi)
    first, last = order(wanted.start), order(wanted.end)
    out = []
    for target in index.targets():
        here = order(target)
        if here < first or here[: len(last)] > last:
            continue
        low = points(pack.text, index, target, wanted.start_offset) if here == first else 0
        runs = index.node(target)
        whole = runs[-1].offset + runs[-1].end - runs[-1].start
        high = points(pack.text, index, target, wanted.end_offset) if here == last else whole
        out.append(Stretch(target, low, high))
    return out
