"""Rectangles that hold no other text: printed lines that reach into each other (tall formulas, limits of a sum, close
print) are parted, so that the rectangle of a line holds the centres of its own characters and of no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_SLACK = 0.3
"""Points by which boxes may touch."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


def part_lines(page: Ints, line: Ints, box: Floats) -> Ints:
    """Trims `box` (n, 4) in place and gives the words' line numbers anew, rising from 0. Words come in the order of the
    text. A line that another reaches into is taken apart, word by word."""
    apart = np.zeros(len(page), dtype=np.bool_)
    for number in np.unique(page):
        at = np.flatnonzero(page == number)
        _part_page(at, line, box, apart)
    new = np.ones(len(page), dtype=np.bool_)
    if len(page):
        new[1:] = (np.diff(line) != 0) | apart[1:] | apart[:-1]
    return (np.cumsum(new) - 1).astype(np.int32)


def _part_page(at: npt.NDArray[np.intp], line: Ints, box: Floats, apart: npt.NDArray[np.bool_]) -> None:
    own, index = np.unique(line[at], return_inverse=True)
    words = box[at]
    rects = _around(words, index, len(own))
    middle = (words[:, 1] + words[:, 3]) / 2
    foreign = _reach(rects, words, middle) & (np.arange(len(own))[:, None] != index[None, :])
    for row in np.flatnonzero(foreign.any(axis=1)):
        mine = np.flatnonzero(index == row)
        others = np.flatnonzero(foreign[row])
        hits = _reach(words[mine], words[others], middle[others])
        for word, theirs in zip(mine, hits, strict=True):
            for y in middle[others[theirs]]:
                centre = middle[word]
                if y < centre - _SLACK:
                    words[word, 1] = max(words[word, 1], (y + centre) / 2)
                elif y > centre + _SLACK:
                    words[word, 3] = min(words[word, 3], (y + centre) / 2)
        apart[at[mine]] = True
    box[at] = words


def _around(words: Floats, index: Any, count: int) -> Floats:
    rects = np.empty((count, 4))
    rects[:, :2], rects[:, 2:] = np.inf, -np.inf
    np.minimum.at(rects[:, :2], index, words[:, :2])
    np.maximum.at(rects[:, 2:], index, words[:, 2:])
    return rects


def _reach(rects: Floats, words: Floats, middle: Floats) -> npt.NDArray[np.bool_]:
    """Shape (rects, words): whether a word's middle height lies in a rectangle and its width reaches into it."""
    return np.asarray(
        (words[None, :, 0] < rects[:, None, 2] - _SLACK)
        & (words[None, :, 2] > rects[:, None, 0] + _SLACK)
        & (middle[None, :] > rects[:, None, 1])
        & (middle[None, :] < rects[:, None, 3])
    )
