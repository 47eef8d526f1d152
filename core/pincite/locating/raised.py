"""Raised numbers of a page, told by where and how large they are set: the marks of notes and citations."""

from __future__ import annotations

import re

import numpy as np

from pincite.values.pack import Places

SMALL = 0.88
"""Height of a raised number beside the word before it, at most."""

_MARK = re.compile(r"[\[(]?\d{1,3}(?:[,;–—‐-]+\d{1,3})*[,;–—‐-]?[\])]?")


def raised_numbers(text: str, places: Places) -> list[tuple[int, int]]:
    """The spans [start, end) of `text` that are raised numbers, rising: smaller than the word before them on their line, and above its
    foot. Several in a row count together."""
    top, foot = places.box[:, 1], places.box[:, 3]
    height = foot - top
    same = np.zeros(len(height), dtype=np.bool_)
    same[1:] = (places.line[1:] == places.line[:-1]) & (places.page[1:] == places.page[:-1])
    small = np.zeros(len(height), dtype=np.bool_)
    small[1:] = same[1:] & (height[1:] <= SMALL * height[:-1]) & (foot[1:] < foot[:-1] - 0.1 * height[:-1])
    found: list[tuple[int, int]] = []
    for at in np.flatnonzero(small).tolist():
        index = at
        while index < len(height) and _MARK.fullmatch(text[places.start[index] : places.end[index]]):
            found.append((int(places.start[index]), int(places.end[index])))
            index += 1
            if index >= len(height) or not same[index] or abs(height[index] - height[at]) > 0.1 * height[at]:
                break
    return found
