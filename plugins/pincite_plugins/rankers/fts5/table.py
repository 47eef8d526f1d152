"""A map from 64-bit hashes to numbers that is asked many at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pincite.text.segments import Hashes, Places

Numbers = npt.NDArray[np.int32]

_SMALLEST = 12
_GROWS = 2


class Table:
    """Open addressing by a hash's first bits, at most half full; and a dictionary, for who asks for one. Numbers are at least 0."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._new: list[int] = []  # keys that are in the dictionary alone yet
        self._make(_SMALLEST)

    def find(self, keys: Hashes) -> Numbers:
        """The number of each key; -1 where it has none."""
        if self._new:
            self._take_in()
        at = self._home(keys)
        values: Numbers = self._values[at]
        other = np.flatnonzero((self._keys[at] != keys) & (values >= 0))
        while len(other):
            at[other] = step = self._next(at[other])
            values[other] = self._values[step]
            other = other[(self._keys[step] != keys[other]) & (values[other] >= 0)]
        return values

    def get(self, key: int) -> int | None:
        """The number of a key."""
        return self._numbers.get(key)

    def add(self, key: int, number: int) -> None:
        """Gives a number to a key that has none."""
        self._numbers[key] = number
        self._new.append(key)

    def _take_in(self) -> None:
        bits = self._bits
        while 2 * len(self._numbers) > 1 << bits:
            bits += _GROWS
        if bits > self._bits:
            self._make(bits)
            self._new = list(self._numbers)
        self._put(np.array(self._new, np.uint64), np.array([self._numbers[key] for key in self._new], np.int32))
        self._new = []

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

    def _home(self, keys: Hashes) -> Places:
        return (keys >> np.uint64(64 - self._bits)).astype(np.int64)

    def _next(self, at: Places) -> Places:
        return (at + 1) & (len(self._keys) - 1)
