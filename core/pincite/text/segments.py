"""Folded text in bulk: where its stretches and runs of CJK characters stand, found by array operations over its code points.

An indexer meets the same few words again and again. Here it knows a stretch by a hash of its characters, and cuts it out of the text only
when it is new; the tokens are those of `pincite.text.tokens`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.text.runs import STRETCHES
from pincite.text.scripts import holds_cjk
from pincite.text.tokens import STOP_CJK

WORD, RUN, STOP, MIXED = 1, 2, 3, 4
"""Kinds of segments: a stretch, or a part of one beside CJK characters; a run of CJK characters; a stop between such; and a stretch with
CJK characters and others than ASCII letters and digits, which `tokens.mixed` is for."""

_SEPARATOR, _ALNUM, _OTHER, _CJK, _CLOSE, _UNKNOWN = 0, 1, 2, 3, 4, 255
_KIND = np.array([0, WORD, MIXED, RUN, STOP], np.uint8)
"""By the class of a character, of segments in a stretch with CJK characters and no others of `_OTHER`."""

_BASE = 0x9E3779B97F4A7C15
"""Of the hash, the sum of codeᵢ · baseⁱ modulo 2⁶⁴; odd, so that there is an inverse."""

Codes = npt.NDArray[np.uint32] | npt.NDArray[np.uint8]
"""Code points; of bytes where all are ASCII."""

Indices = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Segments:
    """The segments of a text in order: spans, kinds, and hashes of their characters (of use for `WORD` alone); and the places of separators
    beyond ASCII."""

    starts: Indices
    ends: Indices
    kinds: npt.NDArray[np.uint8]
    hashes: Hashes
    strange: Indices


def codes_of(text: str) -> Codes:
    """The code points of a text."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def text_of(codes: Codes) -> str:
    """The text of code points."""
    if codes.dtype == np.uint8:
        return codes.tobytes().decode("ascii")
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def segments(codes: Codes) -> Segments:
    """The segments of a folded text."""
    classes = _classes(codes)
    kinds = _kinds(classes)
    edges = _edges(kinds)
    kind = kinds[edges[:-1]]
    kept = np.flatnonzero(kind)
    starts, ends = edges[kept], edges[kept + 1]
    strange = np.flatnonzero((classes == _SEPARATOR) & (codes > 127))
    return Segments(starts, ends, kind[kept], _hashes(codes, starts, ends), strange)


def within(starts: Indices, ends: Indices) -> Indices:
    """The places in all spans [start, end), one span after another."""
    lengths = ends - starts
    return np.repeat(ends - np.cumsum(lengths), lengths) + np.arange(lengths.sum())


def _hashes(codes: Codes, starts: Indices, ends: Indices) -> Hashes:
    powers, inverses = _powers(1 << max(16, len(codes).bit_length()))
    before = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum(codes * powers[: len(codes)], out=before[1:])
    hashes: Hashes = (before[ends] - before[starts]) * inverses[starts]
    return hashes


@functools.lru_cache(2)
def _powers(count: int) -> tuple[Hashes, Hashes]:
    """baseⁱ and base⁻ⁱ for i below `count`."""
    both = np.array([[_BASE], [pow(_BASE, -1, 1 << 64)]], np.uint64).repeat(count, axis=1)
    both[:, 0] = 1
    one, other = np.multiply.accumulate(both, axis=1)
    return one, other


def _kinds(classes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The kind of segment that each character is in; 0 outside."""
    kinds = np.minimum(classes, np.uint8(WORD))
    places = np.flatnonzero(classes == _CJK)
    if not len(places):
        return kinds
    edges = _edges(kinds)
    of = np.searchsorted(edges, places, "right")
    of = of[np.flatnonzero(np.diff(of, prepend=-1))]
    starts, ends = edges[of - 1], edges[of]
    inside = within(starts, ends)
    class_ = classes[inside]
    until = np.cumsum(ends - starts)
    odd = np.logical_or.reduceat(class_ == _OTHER, until - ends + starts)
    kinds[inside] = np.where(np.repeat(odd, ends - starts), MIXED, _KIND[class_])
    return kinds


def _edges(kinds: npt.NDArray[np.uint8]) -> Indices:
    """Where another kind begins, with both ends."""
    return np.concatenate([[0], np.flatnonzero(kinds[1:] != kinds[:-1]) + 1, [len(kinds)]])


def _classes(codes: Codes) -> npt.NDArray[np.uint8]:
    table = _table()
    found = table.take(codes, mode="clip")  # which is twice as fast as with a check
    if len(found) and found.max() == _UNKNOWN:
        for code in np.unique(codes[found == _UNKNOWN]).tolist():
            table[code] = _class_of(chr(code))
        found = table.take(codes, mode="clip")
    return found


@functools.cache
def _table() -> npt.NDArray[np.uint8]:
    """By code point; filled as characters are met."""
    return np.full(0x110000, _UNKNOWN, np.uint8)


def _class_of(char: str) -> int:
    if STRETCHES[ord(char)] == " ":
        return _SEPARATOR
    if char.isascii():
        return _ALNUM if char.isalnum() else _OTHER
    return _CJK if holds_cjk(char) else _CLOSE if char == STOP_CJK else _OTHER
