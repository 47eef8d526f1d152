"""Picks the sentence by cosine and words, from the few that a first look leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from pincite.search.glance import BY_WORDS, nearness
from pincite.spec import Embedder
from pincite.text.wording import shares
from pincite.values.query import Query
from pincite.values.search import Quotable
from pincite_plugins.pickers.dense import Settings

WORDS = 0.1
"""What the share of the query that a sentence's words carry adds to its cosine. Chosen by tests/benchmarks/sentences.py."""

Span = tuple[int, int]
Floats = npt.NDArray[np.float64]


class DensePicker:
    """Implements `pincite.spec.Picker`. A query without text for an embedder leaves the choice to the next picker."""

    name = "dense"

    def __init__(self, embedder: Callable[[], Embedder], settings: Settings) -> None:
        self._embedder = embedder
        self._settings = settings

    def pick(self, query: Query, text: str, sentences: Sequence[Span]) -> Span | None:
        """The sentence of one passage."""
        return self.pick_all(query, [Quotable(text, tuple(sentences))])[0] if sentences else None

    def pick_all(self, query: Query, passages: Sequence[Quotable]) -> list[Span | None]:
        """The sentence of each; those beyond the limit of tokens get the first look's choice, those beyond that of looks none."""
        if not query.semantic.strip() or not passages:
            return [None] * len(passages)
        rest: list[Span | None] = [None] * (len(passages) - self._settings.looks)
        passages = passages[: self._settings.looks]
        said = [np.array(shares(query, one)) for one in passages]
        looks = self._looks(query, passages, said)
        read: list[tuple[int, int]] = []
        chosen: list[Span | None] = []
        for number, (one, look) in enumerate(zip(passages, looks, strict=True)):
            order = np.argsort(-look, kind="stable")[: self._settings.each]
            chosen.append(one.sentences[int(order[0])] if len(order) else None)
            if len(order) > 1:
                read += [(number, int(at)) for at in sorted(order.tolist())]
        for number, best in self._nearest(query, passages, said, read).items():
            chosen[number] = passages[number].sentences[best]
        return [*chosen, *rest]

    def _looks(self, query: Query, passages: Sequence[Quotable], said: Sequence[Floats]) -> list[Floats]:
        """A first score of each sentence: by the model's token vectors and words, or by words alone where it has none to give."""
        pieces = getattr(self._embedder(), "pieces", None)
        if pieces is None:
            return list(said)
        texts = [one.text[start:end] for one in passages for start, end in one.sentences]
        found = pieces([query.semantic, *texts])
        if found is None:
            return list(said)
        near = nearness(found[0], found[1:]).astype(np.float64)
        looks = []
        for words in said:
            looks.append(near[: len(words)] + BY_WORDS * words)
            near = near[len(words) :]
        return looks

    def _nearest(
        self, query: Query, passages: Sequence[Quotable], said: Sequence[Floats], read: Sequence[tuple[int, int]]
    ) -> dict[int, int]:
        """Passage → its nearest sentence, for as many whole passages as the limit allows, in their order."""
        embedder = self._embedder()
        texts = [passages[number].text[slice(*passages[number].sentences[at])] for number, at in read]
        sizes = embedder.count(texts)
        spent = 0
        passage_sizes: dict[int, int] = {}
        for (number, _), size in zip(read, sizes, strict=True):
            passage_sizes[number] = passage_sizes.get(number, 0) + size
        allowed = set()
        for number, size in passage_sizes.items():
            if spent + size > self._settings.tokens:
                break
            spent += size
            allowed.add(number)
        taken = [at for at, (number, _) in enumerate(read) if number in allowed]
        if not taken:
            return {}
        asked = embedder.embed([query.semantic], "query")[0]
        cosines = embedder.embed([texts[at] for at in taken], "passage") @ asked
        best: dict[int, tuple[float, int]] = {}
        for at, cosine in zip(taken, cosines.tolist(), strict=True):
            number, sentence = read[at]
            score = cosine + WORDS * float(said[number][sentence])
            if number not in best or score > best[number][0] + 1e-6:
                best[number] = (score, sentence)
        return {number: sentence for number, (_, sentence) in best.items()}
