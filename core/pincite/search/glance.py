"""A first look at which sentences mean what a query does, by the vectors that a model's tokens begin with: no inference.

Each token of the query is held against its nearest one in the sentence (the MaxSim of Khattab and Zaharia, 2020: ColBERT,
https://doi.org/10.1145/3397271.3401075, here over input vectors). A multilingual model's tokens lie near their translations, so this works
across languages, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite.search.products import products

Floats = npt.NDArray[np.float32]
Pieces = tuple[Floats, Floats]
"""Unit vectors (tokens, width) of a text's tokens, and their weights (tokens,)."""

MOST = 64
"""Tokens of a query that are looked at: of a longer one those that weigh most."""

BY_WORDS = 0.3
"""What the share of the query that a sentence's words carry adds. Chosen by tests/benchmarks/sentences.py."""


def nearness(query: Pieces, sentences: Sequence[Pieces]) -> Floats:
    """For each sentence the weighted mean over the query's tokens of the cosine to the nearest of its own, (n,)."""
    vectors, weights = query
    if len(vectors) > MOST:
        kept = np.argsort(-weights, kind="stable")[:MOST]
        vectors, weights = vectors[kept], weights[kept]
    total = float(weights.sum())
    found = np.zeros(len(sentences), np.float32)
    there = [number for number, (others, _) in enumerate(sentences) if len(others)]
    if not len(vectors) or total <= 0 or not there:
        return found
    sizes = [len(sentences[number][0]) for number in there]
    cosines = products(vectors, np.concatenate([sentences[number][0] for number in there]))
    heads = np.cumsum([0, *sizes[:-1]])
    found[there] = weights @ np.maximum.reduceat(cosines, heads, axis=1) / total
    return found
