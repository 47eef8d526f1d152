"""Products of small matrices, computed in the thread that asks for them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

ALONE = 1 << 18
"""Multiplications up to which OpenBLAS computes a product in the thread that asks for it (interface/gemm.c: 4 × 65,536)."""


def products(one: Floats, other: Floats) -> Floats:
    """``one @ other.T``, (len(one), len(other)), tile by tile: on a busy machine BLAS threads that wait for each other cost a small
    product a hundred times what it takes."""
    side = max(1, math.isqrt(ALONE // max(1, one.shape[1])))
    out = np.empty((len(one), len(other)), np.float32)
    for row in range(0, len(one), side):
        for column in range(0, len(other), side):
            out[row : row + side, column : column + side] = one[row : row + side] @ other[column : column + side].T
    return out
