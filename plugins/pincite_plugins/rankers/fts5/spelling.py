"""What FTS5 is given for texts: their tokens, made from their code points by array operations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from pincite.text.runs import JOINERS
from pincite.text.segments import STOP as STOP_KIND
from pincite.text.segments import Codes, Indices, Segments, text_of, within
from pincite.text.tokens import STOP

SPACED, STOPPED, BESIDE, OTHERWISE = 1, 2, 4, 8
"""What becomes of a stretch, if anything: signs become spaces; but the last one a space and a stop; there are tokens beside it; it is
exchanged for something else."""

SIGNS = JOINERS + "!?"
_SPACES = str.maketrans(dict.fromkeys(SIGNS, " "))
_IS_SIGN = np.array([chr(code) in SIGNS for code in range(128)])
_SPACE = 32
_STOP, _OTHER, _END = "\1\2\3"
"""Mark where a stop, what is exchanged, and a text's end go."""


def change(stretch: str, parts: str) -> int:
    """What becomes of a stretch, so that it reads as its parts do."""
    if parts == stretch:
        return 0
    tokens, spaced = parts.split(), stretch.translate(_SPACES)
    if tokens == spaced.split():
        return SPACED
    if tokens == [*spaced[:-1].split(), STOP]:
        return SPACED | STOPPED
    return OTHERWISE


def spelled(
    codes: Codes, until: Indices, found: Segments, changes: npt.NDArray[np.int8], exchanged: Mapping[int, str]
) -> list[str]:
    """The tokens of each of the texts that end at `until`. `exchanged`: what stands for each segment of `OTHERWISE`."""
    codes = codes.copy()  # whose length stays: what is longer than its place is put in by the text's own methods
    codes[found.strange] = _SPACE
    codes[codes < _SPACE] = _SPACE  # and so the marks below stand nowhere else
    spaced = changes & SPACED > 0
    signs = within(found.starts[spaced], found.ends[spaced])
    codes[signs[_IS_SIGN[np.minimum(codes[signs], 127)]]] = _SPACE
    codes[found.ends[changes & STOPPED > 0] - 1] = codes[found.starts[found.kinds == STOP_KIND]] = ord(_STOP)
    odd = np.flatnonzero(changes & OTHERWISE)
    codes[within(found.starts[odd], found.ends[odd])] = _SPACE
    codes[found.starts[odd]] = ord(_OTHER)
    codes[until - 1] = ord(_END)
    pieces = text_of(codes).replace(_STOP, f" {STOP} ").split(_OTHER)
    both = [""] * (2 * len(odd) + 1)
    both[::2], both[1::2] = pieces, [exchanged[at] for at in odd.tolist()]
    return "".join(both).split(_END)[:-1]


def pairs(codes: Codes, starts: Indices, ends: Indices) -> list[str]:
    """The pairs of characters and the last one of each run, between spaces."""
    inside, last = within(starts, ends), np.cumsum(ends - starts) - 1
    made = np.full((len(inside), 3), _SPACE, np.uint32)
    made[:, 1] = codes[inside]
    made[:-1, 2] = made[1:, 1]
    made[last, 2] = ord(_END)
    return [f"{run} " for run in text_of(made.ravel()).split(_END)[:-1]]
