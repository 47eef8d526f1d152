"""A map from 64-bit hashes to numbers that is asked many at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pincite.text.segments import Hashes, Indices

Numbers = npt.NDArray[np.int32]

_SMALLEST = 12
_GROWS = 2
_SPREAD = np.uint64(0x9FB21C651E98DF25)
"""A factor of hashes: words that differ in their first letters alone have the same first bits otherwise. Odd."""


class Table:
    """Open addressing by the first bits of a hash, multiplied; at most half full. Numbers are at least 0."""

    def __init__(self) -> None:
        self._count = 0
        self._make(_SMALLEST)

    def __len__(self) -> int:
        return self._count

    def find(self, keys: Hashes) -> Numbers:
        """The number of each key; -1 where it has none."""
        at = self._home(keys)
        values: Numbers = self._values[at]
        other = np.flatnonzero((self._keys[at] != keys) & (values >= 0))
        while len(other):
            at[other] = step = self._next(at[other])
            values[other] = self._values[step]
            other = other[(self._keys[step] != keys[other]) & (values[other] >= 0)]
        return values

    def add(self, keys: Hashes, numbers: Numbers) -> None:
        """Gives numbers to distinct keys that have none."""
        self._count += len(keys)
        bits = self._bits
        while 2 * self._count > 1 << bits:
            bits += _GROWS
        if bits > self._bits:
            held = self._values >= 0
            keys = np.concatenate([self._keys[held], keys])
            numbers = np.concatenate([self._values[held], numbers])
            self._make(bits)
        self._put(keys, numbers)

    def _make(self, bits: int) -> None:
        self._bits = bits
        self._keys = np.zeros(1 << bits, np.uint64)
        self._values = np.full(1 << bits, -1, np.int32)

    def _put(self, keys: Hashes, numbers: Numbers) -> None:
        at = self._home(keys)
        while len(keys):
            free = self._values[at] < 0
            self._keys[at[free]], self._values[at[free]] = keys[free], numbers[free]
            left = self._keys[at] != keys  # a place was taken, or another key was put there after this one
            keys, numbers, at = keys[left], numbers[left], self._next(at[left])

    def _home(self, keys: Hashes) -> Indices:
        return (keys * _SPREAD >> np.uint64(64 - self._bits)).astype(np.int64)

    def _next(self, at: Indices) -> Indices:
        return (at + 1) & (len(self._keys) - 1)
