"""A first look at which sentences mean what a query does, by the vectors that a model's tokens begin with: no inference.

Each token of the query is held against its nearest one in the sentence (the MaxSim of Khattab and Zaharia, 2020: ColBERT,
https://doi.org/10.1145/3397271.3401075, here over input vectors). A multilingual model's tokens lie near their translations, so this works
across languages, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Pieces = tuple[Floats, Floats]
"""Unit vectors (tokens, width) of a text's tokens, and their weights (tokens,)."""

ALONE = 1 << 18
"""Multiplications up to which OpenBLAS computes a product in the thread that asks for it (interface/gemm.c: 4 × 65,536)."""

BY_WORDS = 0.3
"""What the share of the query that a sentence's words carry adds. Chosen by tests/benchmarks/sentences.py."""


def nearness(query: Pieces, sentences: Sequence[Pieces]) -> Floats:
    """For each sentence the weighted mean over the query's tokens of the cosine to the nearest of its own, (n,)."""
    vectors, weights = query
    total = float(weights.sum())
    found = np.zeros(len(sentences), np.float32)
    there = [number for number, (others, _) in enumerate(sentences) if len(others)]
    if not len(vectors) or total <= 0 or not there:
        return found
    sizes = [len(sentences[number][0]) for number in there]
    cosines = _products(vectors, np.concatenate([sentences[number][0] for number in there]))
    heads = np.cumsum([0, *sizes[:-1]])
    found[there] = weights @ np.maximum.reduceat(cosines, heads, axis=1) / total
    return found


def _products(one: Floats, other: Floats) -> Floats:
    """``one @ other.T``, (len(one), len(other)), tile by tile: on a busy machine BLAS threads that wait for each other cost a small
    product a hundred times what it takes."""
    side = max(1, math.isqrt(ALONE // max(1, one.shape[1])))
    out = np.empty((len(one), len(other)), np.float32)
    for row in range(0, len(one), side):
        for column in range(0, len(other), side):
            out[row : row + side, column : column + side] = one[row : row + side] @ other[column : column + side].T
    return out
