"""A cheap model for tests that gives the vectors of its tokens, too: each word's own direction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hash_model import WIDTH, HashEmbedder, _word


class TokenEmbedder(HashEmbedder):
    """`pieces` as `pincite_plugins.embedders.onnx` has it."""

    def pieces(self, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray]]:
        return [_pieces(text) for text in texts]


def _pieces(text: str) -> tuple[np.ndarray, np.ndarray]:
    words = text.lower().split()
    rows = [_word(word.strip(".,"), WIDTH) for word in words]
    vectors = np.array(rows, np.float32) if rows else np.zeros((0, WIDTH), np.float32)
    return vectors, np.ones(len(words), np.float32)
