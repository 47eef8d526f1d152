"""A cheap deterministic model for tests: each word has a random direction, and all texts share a large mean, as real models' do."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel

from pincite.spec import ModelFacts

WIDTH = 64
WINDOW = 120


def vectors(texts: Sequence[str], seed: str = "", width: int = WIDTH) -> np.ndarray:
    """Unit vectors (n, width). Another `seed` is another model."""
    rows = np.stack([_text(text, seed, width) for text in texts])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _text(text: str, seed: str, width: int) -> np.ndarray:
    words = text.split()
    total = sum((_word(f"{seed}{word}", width) for word in words), np.zeros(width))
    return 3 * _word(f"{seed}mean", width) + total / max(1.0, np.sqrt(len(words)))


@lru_cache(maxsize=100_000)
def _word(word: str, width: int) -> np.ndarray:
    seed = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    row = np.random.default_rng(seed).standard_normal(width)
    return row / np.linalg.norm(row)


@lru_cache(maxsize=1)
def _mean() -> np.ndarray:
    return vectors([f"passage: plain text number {number} of {number * 7} others" for number in range(200)]).mean(
        axis=0
    )


class HashEmbedder:
    """An embedder over it. `calls` has every text that was embedded, with its kind."""

    def __init__(self) -> None:
        self.facts = ModelFacts(
            id="hash@1/64", name="hash", width=WIDTH, window=WINDOW, tokenizer="words", mean=_mean()
        )
        self.calls: list[tuple[str, str]] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Callable[[], bool] = lambda: False
    ) -> np.ndarray:
        self.calls += [(text, kind) for text in texts]
        return vectors([f"{kind}: {text}" for text in texts]) if texts else np.zeros((0, WIDTH), np.float32)

    def close(self) -> None:
        pass


def make(kind: str, name: str, settings: Any) -> HashEmbedder:
    """For `Context.make`."""
    assert (kind, name) == ("embedder", "hash")
    return HashEmbedder()


class Settings(BaseModel):
    """Its section, where it is a plugin: the name that an endpoint gives it."""

    model: str = "hash"
