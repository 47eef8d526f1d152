"""Picks the sentence by cosine and words, from the few that a first look leaves. The weights are chosen by
tests/benchmarks/sentences.py."""

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
"""What the share of the query that a sentence's words carry adds to its cosine."""

NEAR = 0.15
"""What the first look's nearness adds: across languages it knows what the model's layers blur."""

COMMON = 0.1
"""What a sentence loses by its cosine to the mean of its passage's sentences: one that is near to everything said there is near to any
question about it (the hubs of Radovanović et al., 2010: https://jmlr.org/papers/v11/radovanovic10a.html)."""

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
        near = self._near(query, passages)
        read: list[tuple[int, int]] = []
        chosen: list[Span | None] = []
        for number, one in enumerate(passages):
            order = np.argsort(-(near[number] + BY_WORDS * said[number]), kind="stable")[: self._settings.each]
            chosen.append(one.sentences[int(order[0])] if len(order) else None)
            if len(order) > 1:
                read += [(number, int(at)) for at in sorted(order.tolist())]
        besides = [NEAR * looked + WORDS * words for looked, words in zip(near, said, strict=True)]
        for number, best in self._nearest(query, passages, besides, read).items():
            chosen[number] = passages[number].sentences[best]
        return [*chosen, *rest]

    def _near(self, query: Query, passages: Sequence[Quotable]) -> list[Floats]:
        """For each sentence of each passage how near it is by the model's token vectors; 0 where it has none to give."""
        sizes = [len(one.sentences) for one in passages]
        pieces = getattr(self._embedder(), "pieces", None)
        texts = [one.text[start:end] for one in passages for start, end in one.sentences]
        found = pieces([query.semantic, *texts]) if pieces is not None else None
        near = np.zeros(len(texts)) if found is None else nearness(found[0], found[1:]).astype(np.float64)
        return np.split(near, np.cumsum(sizes)[:-1])

    def _nearest(
        self, query: Query, passages: Sequence[Quotable], besides: Sequence[Floats], read: Sequence[tuple[int, int]]
    ) -> dict[int, int]:
        """Passage → its nearest sentence, for as many whole passages as the limit allows, in their order. `besides`: what each sentence has
        beside what the model says of it."""
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
        # a question reads as a passage, too: the mean of both readings is nearer to what answers it, above all across languages
        as_passage, *vectors = embedder.embed([query.semantic, *(texts[at] for at in taken)], "passage")
        asked = _unit(embedder.embed([query.semantic], "query")[0] + as_passage)
        of_passage: dict[int, list[int]] = {}
        for place, at in enumerate(taken):
            of_passage.setdefault(read[at][0], []).append(place)
        best = {}
        for number, places in of_passage.items():
            sentences = [read[taken[place]][1] for place in places]
            own = np.stack([vectors[place] for place in places])
            scores = own @ asked + besides[number][sentences]
            if len(places) > 2:  # of two, the mean is as near to one as to the other
                scores -= COMMON * (own @ _unit(own.mean(axis=0)))
            best[number] = sentences[int((scores > scores.max() - 1e-6).argmax())]
        return best


def _unit(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32)
