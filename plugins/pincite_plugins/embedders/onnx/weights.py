"""The weights of a BERT encoder as plain arrays, whatever file they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
BLOCK = 32
"""Weights in one Q4_0 block, which share a scale."""


@dataclass(frozen=True, slots=True)
class Q4:
    """A matrix in Q4_0: ``(nibbles - 8) * scales``, a scale for each 32 weights of a row.

    `scales`: float16 (rows, columns / 32). `nibbles`: uint8 0–15 (rows, columns).
    """

    scales: npt.NDArray[np.float16]
    nibbles: npt.NDArray[np.uint8]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.nibbles.shape[0])

    def floats(self) -> Floats:
        """The matrix in float32."""
        rows, columns = self.nibbles.shape
        blocks = self.nibbles.reshape(rows, columns // BLOCK, BLOCK).astype(np.float32) - 8.0
        return (blocks * self.scales.astype(np.float32)[..., None]).reshape(rows, columns)

    def packed(self) -> npt.NDArray[np.uint8]:
        """Two weights a byte, the first in the low half: (rows, columns / 2)."""
        return np.asarray(self.nibbles[:, 0::2] | (self.nibbles[:, 1::2] << 4), np.uint8)


@dataclass(frozen=True, slots=True)
class Int8:
    """A matrix in int8 with a scale for each row: ``(values - zero) * scales``. `values`: uint8 or int8 (rows, columns)."""

    values: npt.NDArray[Any]
    scales: Floats
    zero: int

    def floats(self) -> Floats:
        """The matrix in float32."""
        return (self.values.astype(np.float32) - np.float32(self.zero)) * self.scales[:, None]


@dataclass(frozen=True, slots=True)
class Linear:
    """``x @ weight.T + bias``. `weight`: (out, in), in float32 or Q4_0. `bias`: (out,)."""

    weight: Floats | Q4
    bias: Floats

    def floats(self) -> Floats:
        """The weight in float32."""
        return self.weight.floats() if isinstance(self.weight, Q4) else self.weight


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: ``(x - mean) / sqrt(var + epsilon) * weight + bias`` over the last axis."""

    weight: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    """One encoder layer, normalised after each half (the original BERT)."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    attention_norm: Norm
    inner: Linear
    outer: Linear
    output_norm: Norm


@dataclass(frozen=True, slots=True)
class Bert:
    """A BERT encoder. `words`: (vocabulary, width). `positions`: (window, width), with the token type 0 already added."""

    width: int
    heads: int
    epsilon: float
    words: Q4 | Int8
    positions: Floats
    norm: Norm
    layers: tuple[Layer, ...]
