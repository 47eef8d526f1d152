"""int8 codes of vectors: what differs from the model's mean, scaled to the full range of a byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

BLOCK = 1024
"""Rows at a time where numpy does the work: the float copy stays in the cache."""

TILE = 16
"""Columns that a processor with tiles of int8 computes at a time."""


def encode(vectors: npt.NDArray[np.floating], mean: Floats | None) -> tuple[Codes, Floats]:
    """Vectors (n, width) → codes (n, width) and one scale a row: ``vector ≈ mean + scale · code``.

    The residual is not re-normalised, so that ``q · vector = q · mean + scale · (q · code)`` ranks as the raw cosine does.
    A row of zeros has codes of zero and scale 0.
    """
    residual = np.asarray(vectors, dtype=np.float32)
    if mean is not None:
        residual = residual - mean
    peak = np.abs(residual).max(axis=1, initial=0.0)
    scale = (peak / 127.0).astype(np.float32)
    safe = np.where(scale > 0, scale, 1.0)
    return np.rint(residual / safe[:, None]).astype(np.int8), scale


def scores(query: Floats, codes: Codes, scale: Floats, mean: Floats | None) -> Floats:
    """Cosines of one unit query vector with every coded vector, float32 (n,)."""
    code, peak = encode(query[None, :], None)
    base = float(query @ mean) if mean is not None else 0.0
    found = dots(codes, code[0]).astype(np.float32)
    found *= scale * peak[0]
    found += np.float32(base)
    return found


def dots(codes: Codes, query: Codes) -> npt.NDArray[np.int32]:
    """Exact integer dot products of every row with the query."""
    if not len(codes):
        return np.zeros(0, np.int32)
    try:
        import numkong
    except ImportError:
        return _dots_numpy(codes, query)
    whole = len(codes) // TILE * TILE if _has_tiles(numkong) and codes.flags.c_contiguous else 0
    found = np.empty(len(codes), np.int32)
    if whole:
        found[:whole] = _dots_tiled(numkong, codes[:whole], query)
    if whole < len(codes):
        found[whole:] = np.asarray(numkong.cdist(query[None, :], codes[whole:], "dot")).reshape(-1)
    return found


def _has_tiles(numkong: Any) -> bool:
    """Whether the processor multiplies tiles of int8 (Intel AMX), as numkong finds it."""
    able = numkong.get_capabilities()
    return bool(able.get("sapphireamx") or able.get("graniteamx"))


def _dots_tiled(numkong: Any, codes: Codes, query: Codes) -> npt.NDArray[np.int32]:
    """`TILE` rows read as one long row, against a matrix that holds the query once for each, each time further along.

    The processor computes sixteen columns at a time, wanted or not: so all of them are, and rows are read in long straight
    runs. That takes half the time of one column, the speed of memory; without tiles it would be a waste
    (tests/benchmarks/vectors.py).
    """
    width = codes.shape[1]
    steps = np.zeros((TILE, TILE, width), np.int8)
    steps[np.arange(TILE), np.arange(TILE)] = query
    packed = numkong.dots_pack(steps.reshape(TILE, TILE * width))
    found = numkong.dots_packed(codes.reshape(-1, TILE * width), packed)
    return np.asarray(found, dtype=np.int32).reshape(-1)


def _dots_numpy(codes: Codes, query: Codes) -> npt.NDArray[np.int32]:
    out = np.empty(len(codes), np.int32)
    wide = query.astype(np.float32)
    for at in range(0, len(codes), BLOCK):
        out[at : at + BLOCK] = codes[at : at + BLOCK].astype(np.float32) @ wide
    return out
