"""Many texts folded as one, by array operations over their code points: what `pincite.text.tokens.folded` says of each of them.

Most characters fold to one character, whatever stands around them. A text that holds any other, or what may be markup, or a hyphen at a
line end, is folded by itself.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite.text.fold import ODD, fold_char
from pincite.text.segments import Codes, Indices, codes_of
from pincite.text.tokens import folded

_ALONE = np.uint32(1 << 21)
"""Beside the code of a character whose text is folded by itself."""

_UNKNOWN = np.uint32(1 << 31)
_LINE, _HYPHEN, _OPENING, _ESCAPE = map(ord, "\n-<\\")
_BLANK = (9, 13, 32)
_IN_TAG = [ord(char) for char in "/ibs"]
"""What may follow the opening bracket of a tag that folding knows."""


def folded_as_one(texts: Sequence[str]) -> tuple[Codes, Indices, dict[int, Sequence[str]]]:
    """The code points of all texts, folded, each with a line end after it; where each ends, its line end with it; and, by text, the halves
    of words that were broken at a line end."""
    codes, alone = _foldings("\n".join([*texts, ""]))
    lengths = np.array([len(text) + 1 for text in texts], np.int64)
    until = np.cumsum(lengths)
    halves: dict[int, Sequence[str]] = {}
    odd = np.concatenate([alone, _tags(codes), _broken(codes, until)])
    if not len(odd):
        return codes, until, halves
    pieces, done = [], 0
    for at in np.unique(np.searchsorted(until, odd, "right")).tolist():
        text, found = folded(texts[at])
        if found:
            halves[at] = found
        end = int(until[at]) - 1
        pieces += [codes[done : end - len(texts[at])], codes_of(text)]
        done = end
        lengths[at] = len(text) + 1
    return np.concatenate([*pieces, codes[done:]]), np.cumsum(lengths), halves


def _foldings(text: str) -> tuple[Codes, Indices]:
    """The folding of each character, and where those stand whose text is folded by itself."""
    if text.isascii():
        codes = codes_of(text.lower().replace(ODD, " "))
        return codes, np.flatnonzero(codes == _ESCAPE)
    source, table = codes_of(text), _table()
    codes = table.take(source, mode="clip")  # which is twice as fast as with a check
    odd = np.flatnonzero(codes >= _ALONE)
    unknown = odd[codes[odd] == _UNKNOWN]
    if len(unknown):
        for code in np.unique(source[unknown]).tolist():
            table[code] = _folding(chr(code))
        codes[unknown] = table[source[unknown]]
        odd = odd[codes[odd] >= _ALONE]
    return codes, odd


def _tags(codes: Codes) -> Indices:
    """Where tags may begin."""
    opening = np.flatnonzero(codes == _OPENING)
    return opening[np.isin(codes[opening + 1], _IN_TAG)]


def _broken(codes: Codes, until: Indices) -> Indices:
    """The line ends inside texts with a hyphen before them, blanks aside."""
    lines = np.flatnonzero(codes == _LINE)
    if len(lines) == len(until):
        return lines[:0]
    inside = np.setdiff1d(lines, until - 1, assume_unique=True)
    before = inside - 1
    while (blank := np.isin(codes[before], _BLANK)).any():
        before -= blank
    found: Indices = inside[codes[before] == _HYPHEN]
    return found


@functools.cache
def _table() -> npt.NDArray[np.uint32]:
    """By code point; filled as characters are met."""
    return np.full(0x110000, _UNKNOWN, np.uint32)


def _folding(char: str) -> int:
    made = fold_char(char)
    if (
        len(made) != 1
        or ord(made) == _ESCAPE
        or (ord(made) == _LINE and char != made)
        or _composes(char)
        or _composes(made)
    ):
        return ord(char) | int(_ALONE)
    return ord(made)


def _composes(char: str) -> bool:
    """Whether a character may compose with one before it, or change places with it: a mark, or a letter of Hangul."""
    return unicodedata.category(char)[0] == "M" or "\u1100" <= char <= "\u11ff"
