"""What FTS5 is given for texts: their tokens, made from their code points by array operations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pincite.text.runs import JOINERS
from pincite.text.segments import RUN, Codes, Places, Segments, text_of, within
from pincite.text.segments import STOP as STOP_KIND
from pincite.text.tokens import STOP

SPACED, STOPPED, BESIDE, OTHERWISE = 1, 2, 4, 8
"""What becomes of a stretch, if anything: signs become spaces; but the last one a space and a stop; there are tokens beside it; it is
exchanged for something else."""

SIGNS = JOINERS + "!?"
_SPACES = str.maketrans(dict.fromkeys(SIGNS, " "))
_IS_SIGN = np.array([chr(code) in SIGNS for code in range(128)])
_SPACE = 32


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


def spelled(codes: Codes, found: Segments, changes: npt.NDArray[np.int8]) -> tuple[str, Places]:
    """The tokens of a text, and where what stood at each of its characters ends now. Segments of `OTHERWISE` stay as they are."""
    codes = codes.copy()
    codes[found.strange] = _SPACE
    spaced = changes & SPACED > 0
    signs = within(found.starts[spaced], found.ends[spaced])
    codes[signs[_IS_SIGN[np.minimum(codes[signs], 127)]]] = _SPACE
    runs = found.kinds == RUN
    inside, last = within(found.starts[runs], found.ends[runs]), found.ends[runs] - 1
    stops = np.concatenate([found.ends[changes & STOPPED > 0] - 1, found.starts[found.kinds == STOP_KIND]])
    # each character becomes as many as this: "." is " . ", "abc" is " ab bc c "
    counts = np.ones(len(codes), np.int64)
    counts[stops], counts[inside] = 3, 3
    until = np.cumsum(counts)
    made = np.repeat(codes, counts)
    made[until[stops] - 3] = made[until[stops] - 1] = _SPACE
    made[until[stops] - 2] = ord(STOP)
    made[until[inside] - 3] = _SPACE
    made[until[inside] - 1] = codes[inside + 1] if len(inside) else 0
    made[until[last] - 1] = _SPACE
    return text_of(made), until
