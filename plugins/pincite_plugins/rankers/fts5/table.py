"""A map from 64-bit hashes to numbers that is asked many at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pincite.text.segments import Hashes

Numbers = npt.NDArray[np.int32]

_SMALLEST = 12
_GROWS = 2


class Table:
    """Open addressing by a hash's first bits, at most half full; and a dictionary, for who asks for one. Numbers are at least 0."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._make(_SMALLEST)

    def find(self, keys: Hashes) -> Numbers:
        """The number of each key; -1 where it has none."""
        at = (keys >> np.uint64(64 - self._bits)).astype(np.int64)
        values: Numbers = self._values[at]
        other = np.flatnonzero((self._keys[at] != keys) & (values >= 0))
        while len(other):
            at[other] = step = (at[other] + 1) & (len(self._keys) - 1)
            values[other] = self._values[step]
            other = other[(self._keys[step] != keys[other]) & (values[other] >= 0)]
        return values

    def get(self, key: int) -> int | None:
        """The number of a key."""
        return self._numbers.get(key)

    def add(self, key: int, number: int) -> None:
        """Gives a number to a key that has none."""
        self._numbers[key] = number
        if 2 * len(self._numbers) > len(self._keys):
            self._make(self._bits + _GROWS)
        else:
            self._put(key, number)

    def _make(self, bits: int) -> None:
        self._bits = bits
        self._keys = np.zeros(1 << bits, np.uint64)
        self._values = np.full(1 << bits, -1, np.int32)
        for key, number in self._numbers.items():
            self._put(key, number)

    def _put(self, key: int, number: int) -> None:
        at = key >> 64 - self._bits
        while self._values[at] >= 0:
            at = (at + 1) & (len(self._keys) - 1)
        self._keys[at], self._values[at] = key, number
