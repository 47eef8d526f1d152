"""Picks the sentence by cosine, tokens and words, from the few that a first look leaves, and says which passage of a work holds the best
one. The weights are chosen by tests/benchmarks/sentences.py, those of the order by tests/benchmarks/questions.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
import numpy.typing as npt

from pincite.search.glance import BY_WORDS, nearness
from pincite.search.quote import windowed
from pincite.spec import Embedder
from pincite.text.wording import shares
from pincite.values.query import Query
from pincite.values.search import Quotable
from pincite_plugins.pickers.dense import Settings
from pincite_plugins.pickers.dense.reading import KEPT, Reader

TOKENS = 0.5
"""What the nearness of the tokens as the model reads them adds to a sentence's cosine."""

WORDS = 0.1
"""What the share of the query that a sentence's words carry adds."""

NEAR = 0.15
"""What the first look's nearness adds: across languages it knows what the model's layers blur."""

COMMON = 0.1
"""What a sentence loses by its cosine to the mean of its passage's sentences: one that is near to everything said there is near to any
question about it (the hubs of Radovanović et al., 2010: https://jmlr.org/papers/v11/radovanovic10a.html)."""

DOUBT = 0.15
"""A sentence that the first look puts so far below the best one of its passage is not read."""

AROUND = 20
"""What each text costs beside its own tokens, in tokens: its prefix, the special ones, and the call: one of five tokens takes the default
model as long as twenty more of a longer one do."""

QUESTION = 4
"""A question that takes more than this part of the limit of tokens is not read a second time: there is enough of it to go by."""

READ = 3
"""Passages of a work of which a sentence is read, so that the one which says it stands first."""

FAR = 0.3
"""A passage that is worth so much less than the best one, before or after the first look, is not read."""

SIGHT = 0.5
"""What the first look at its best sentence adds to a passage's worth, to say which ones are read."""

SAYS = 4.0
"""What the best sentence as it was read adds to a passage's worth: as much as a half where the model tells two sentences apart clearly."""

Span = tuple[int, int]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Look:
    """A passage at first sight. `best`: its best sentence, None where there is none; `sight`: what that is worth. `besides`: what each
    sentence has beside what the model will say of it. `doubtful`: the sentences to be read, best first; at least two, or none."""

    best: int | None
    sight: float
    besides: npt.NDArray[np.float64]
    doubtful: tuple[int, ...]


class DensePicker:
    """Implements `pincite.spec.Picker`. A query without text for an embedder leaves the choice to the next picker."""

    name = "dense"

    def __init__(self, embedder: Callable[[], Embedder], settings: Settings) -> None:
        self._embedder = embedder
        self._settings = settings
        self._reader = Reader(embedder)
        self._looked: tuple[Query | None, dict[Quotable, Look]] = (None, {})

    def pick(self, query: Query, text: str, sentences: Sequence[Span]) -> Span | None:
        """The sentence of one passage."""
        return self.pick_all(query, [Quotable(text, tuple(sentences))])[0] if sentences else None

    def pick_all(self, query: Query, passages: Sequence[Quotable]) -> list[Span | None]:
        """The sentence of each; those beyond the limit of tokens get the first look's choice, those beyond that of looks none."""
        if not query.semantic.strip() or not passages:
            return [None] * len(passages)
        seen = passages[: self._settings.looks]
        looks, weights = self._looks(query, seen)
        chosen = [one.best for one in looks]
        doubtful = [(number, at) for number, one in enumerate(looks) for at in one.doubtful]
        texts = [_sentence(seen[number], at) for number, at in doubtful]
        taken, again = self._within(query, texts, self._settings.tokens)
        wanted: dict[int, list[int]] = {}
        for number, at in (doubtful[one] for one in taken):
            wanted.setdefault(number, []).append(at)
        wanted = {number: sorted(ats) for number, ats in wanted.items() if len(ats) > 1}
        if wanted:
            read = [_sentence(seen[number], at) for number, ats in wanted.items() for at in ats]
            reading = self._reader.read(query.semantic, weights, read, again)
            first = 0
            for number, ats in wanted.items():
                rows = slice(first, first + len(ats))
                first += len(ats)
                scores = reading.cosines[rows] + TOKENS * reading.by_tokens[rows] + looks[number].besides[ats]
                if len(ats) > 2:  # of two, the mean is as near to one as to the other
                    scores -= COMMON * reading.common(rows)
                chosen[number] = ats[int((scores > scores.max() - 1e-6).argmax())]
        picked = [None if best is None else one.sentences[best] for one, best in zip(seen, chosen, strict=True)]
        return [*picked, *[None] * (len(passages) - len(seen))]

    def order(self, query: Query, passages: Sequence[Quotable]) -> list[int]:
        """The numbers of one work's passages, best first: those of which a sentence was read by what it says, then those that got a first
        look by that, then the others as they are. Read is the best sentence of those that the first look puts first."""
        as_given = list(range(len(passages)))
        if not query.semantic.strip() or not self._settings.order:
            return as_given
        seen = list(takewhile(lambda one: one.worth > passages[0].worth - FAR, passages))
        if len(seen) < 2:
            return as_given
        looks, weights = self._looks(query, seen)
        sights = [one.worth + SIGHT * look.sight for one, look in zip(seen, looks, strict=True)]
        by_sight = sorted(range(len(seen)), key=lambda at: -sights[at])
        put_forward = [at for at in by_sight[:READ] if looks[at].best is not None and sights[at] > max(sights) - FAR]
        lines = [_line(query, seen[at], looks[at].best or 0) for at in put_forward]
        taken, again = self._within(query, lines, self._settings.order)
        if len(taken) < 2:
            return as_given
        reading = self._reader.read(query.semantic, weights, [lines[one] for one in taken], again)
        says = reading.cosines + TOKENS * reading.by_tokens
        worth = {}
        for at, said in zip([put_forward[one] for one in taken], says.tolist(), strict=True):
            besides = float(looks[at].besides[looks[at].best])
            worth[at] = round(seen[at].worth + SAYS * (said + besides), 5)
        read = sorted(worth, key=lambda at: (-worth[at], at))
        return [*read, *(at for at in by_sight if at not in worth), *as_given[len(seen) :]]

    def _looks(self, query: Query, passages: Sequence[Quotable]) -> tuple[list[Look], Floats | None]:
        """The first look at each passage, and what each token of the query weighs, where the model's vectors of tokens tell. Those of the
        last query are remembered: what was put in order is picked from next."""
        last, held = self._looked
        known = dict(held) if last == query and len(held) < KEPT else {}
        new = [one for one in dict.fromkeys(passages) if one not in known]
        pieces = getattr(self._embedder(), "pieces", None)
        texts = [one.text[start:end] for one in new for start, end in one.sentences]
        found = pieces([query.semantic, *texts]) if pieces is not None else None
        near = np.zeros(len(texts)) if found is None else nearness(found[0], found[1:]).astype(np.float64)
        first = 0
        for one in new:
            known[one] = self._look(query, one, near[first : first + len(one.sentences)])
            first += len(one.sentences)
        self._looked = query, known
        return [known[one] for one in passages], None if found is None else found[0][1]

    def _look(self, query: Query, passage: Quotable, by_tokens: npt.NDArray[np.float64]) -> Look:
        by_words = np.array(shares(query, passage))
        score = by_tokens + BY_WORDS * by_words
        order = np.argsort(-score, kind="stable")[: self._settings.each]
        doubtful = [at for at in order.tolist() if score[at] > score[order[0]] - DOUBT]
        besides = NEAR * by_tokens + WORDS * by_words
        best = int(order[0]) if len(order) else None
        sight = float(score[order[0]]) if len(order) else 0.0
        return Look(best, sight, besides, tuple(doubtful) if len(doubtful) > 1 else ())

    def _within(self, query: Query, texts: Sequence[str], limit: int) -> tuple[list[int], bool]:
        """The numbers of those that are read, in their order, as many as `limit` tokens allow; and whether the question is read as a
        passage, too."""
        if not texts:
            return [], False
        question, *sizes = (AROUND + size for size in self._embedder().count([query.semantic, *texts]))
        again = question * QUESTION <= limit
        left = limit - question * again
        taken = []
        for number, size in enumerate(sizes):
            if size <= left:
                left -= size
                taken.append(number)
        return taken, again


def _sentence(passage: Quotable, number: int) -> str:
    return passage.text[slice(*passage.sentences[number])]


def _line(query: Query, passage: Quotable, number: int) -> str:
    """What is read of a sentence to judge its passage by: what would be shown of it."""
    return passage.text[slice(*windowed(query, passage.text, passage.sentences[number], passage.language))]
