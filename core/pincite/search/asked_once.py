"""An embedder that reads a query once, whoever asks: a search has its ranker and its picker ask for the same one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pincite.spec import Cancel, Embedder, Vectors


class AskedOnce:
    """The embedder with the vector of the last query held, as the same text has the same vector (specs/01-contract.md)."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._last: tuple[str, str, Vectors | None] = ("", "", None)

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """As the embedder's own."""
        if kind != "query" or len(texts) != 1:
            return self._embedder.embed(texts, kind, cancelled)
        model = self._embedder.facts.id
        last_model, last_text, held = self._last
        if held is None or (last_model, last_text) != (model, texts[0]):
            held = self._embedder.embed(texts, kind, cancelled)
            self._last = (model, texts[0], held)
        return held.copy()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)
