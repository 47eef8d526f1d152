"""Picks the sentence by static vectors and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pincite.search.glance import BY_WORDS, nearness
from pincite.spec import Embedder
from pincite.text.wording import shares
from pincite.values.query import Query
from pincite.values.search import Quotable

Span = tuple[int, int]


class StaticPicker:
    """Implements `pincite.spec.Picker`. `vectors`: the embedder is a static one, and its cosines are taken; else its tokens' own vectors,
    and where it gives none the choice is left to the next picker."""

    name = "static"

    def __init__(self, embedder: Callable[[], Embedder], vectors: bool = False) -> None:
        self._embedder = embedder
        self._vectors = vectors

    def pick(self, query: Query, text: str, sentences: Sequence[Span]) -> Span | None:
        """The sentence of one passage."""
        return self.pick_all(query, [Quotable(text, tuple(sentences))])[0] if sentences else None

    def pick_all(self, query: Query, passages: Sequence[Quotable]) -> list[Span | None]:
        """The nearest sentence of each."""
        texts = [one.text[start:end] for one in passages for start, end in one.sentences]
        near = self._near(query, texts) if query.semantic.strip() and texts else None
        if near is None:
            return [None] * len(passages)
        chosen: list[Span | None] = []
        at = 0
        for one in passages:
            count = len(one.sentences)
            score = near[at : at + count] + BY_WORDS * np.array(shares(query, one))
            chosen.append(one.sentences[int(score.argmax())] if count else None)
            at += count
        return chosen

    def _near(self, query: Query, texts: Sequence[str]) -> np.ndarray | None:
        embedder = self._embedder()
        if self._vectors:
            return np.asarray(embedder.embed(texts, "passage") @ embedder.embed([query.semantic], "query")[0])
        pieces = getattr(embedder, "pieces", None)
        found = pieces([query.semantic, *texts]) if pieces is not None else None
        return None if found is None else nearness(found[0], found[1:])
