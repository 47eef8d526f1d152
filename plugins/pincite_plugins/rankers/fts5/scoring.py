"""BM25 over concepts, exactly, without touching what cannot matter.

Robertson, S. & Zaragoza, H. (2009): The Probabilistic Relevance Framework: BM25 and Beyond. The frequency of a concept is the
weighted sum over columns and forms before saturation (BM25F with one length a document).

Concepts are taken in the order of what they can add at most. As soon as the limit-th best score so far exceeds what all
concepts not yet taken could add together, no new document can enter, and the rest is looked up for the candidates alone
(Turtle, H. & Flood, J. (1995): Query evaluation: strategies and optimizations, there named MaxScore).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite.values.quick import dataclass
from pincite_plugins.rankers.fts5.concepts import Concept
from pincite_plugins.rankers.fts5.documents import Documents, Mask
from pincite_plugins.rankers.fts5.postings import Ordinals, Posting, Postings

K1 = 1.6
B = 0.7

Scores = npt.NDArray[np.float64]
Bonus = tuple[Ordinals, Scores]
"""Documents, without duplicates, and what each gets besides its words (for phrases)."""


class Sums:
    """What each document scores so far: all of them, or those `listed` (which rise) alone."""

    def __init__(self, size: int, admitted: Mask | None, listed: Ordinals | None) -> None:
        self.scores = np.zeros(size if listed is None else len(listed), np.float64)
        self._admitted = admitted
        self._listed = listed

    def add(self, ordinals: Ordinals, added: Scores) -> None:
        """Adds to the scores of those that are admitted."""
        if self._admitted is not None:
            keep = self._admitted[ordinals]
            ordinals, added = ordinals[keep], added[keep]
        self.scores[ordinals if self._listed is None else np.searchsorted(self._listed, ordinals)] += added

    def ordinals(self, at: npt.NDArray[np.intp]) -> Ordinals:
        """Which documents these places among the scores are of."""
        return at.astype(np.int32) if self._listed is None else self._listed[at]


@dataclass(frozen=True)
class Scorer:
    """Scores the documents of one state of the index."""

    documents: Documents
    postings: Postings

    def best(
        self,
        concepts: Sequence[Concept],
        bonuses: Sequence[Bonus],
        admitted: Mask | None,
        limit: int,
        prune: bool = True,
    ) -> tuple[Ordinals, Scores]:
        """The `limit` best admitted documents with a score over 0, best first, equal ones by row."""
        order = sorted((concept for concept in concepts if concept.forms), key=lambda one: (-one.top, one.word))
        self.postings.gather([form.term for concept in order for form in concept.forms])
        still = np.cumsum([0.0] + [(K1 + 1) * concept.top for concept in reversed(order)])[::-1]
        few = _few(admitted, limit) if prune else None
        sums = Sums(len(self.documents), admitted, self._listed(order, bonuses) if few is None else few)
        for bonus in bonuses:
            sums.add(*bonus)
        if few is not None:
            return self._of_candidates(few, sums.scores, order, still, 0, limit)
        for index, concept in enumerate(order):
            sums.add(*self._contribution(concept))
            remaining = still[index + 1]
            if prune and remaining > 0 and (at := _candidates(sums.scores, remaining, limit)) is not None:
                return self._of_candidates(sums.ordinals(at), sums.scores[at], order, still, index + 1, limit)
        at = np.flatnonzero(sums.scores > 0)
        return self._sorted(sums.ordinals(at), sums.scores[at], limit)

    def _listed(self, order: Sequence[Concept], bonuses: Sequence[Bonus]) -> Ordinals | None:
        """The documents that can have a score, in order, or None where they are too many to look each up among them."""
        held = [self.postings.of(form.term)[0] for concept in order for form in concept.forms]
        held += [ordinals for ordinals, _ in bonuses]
        if not held or sum(map(len, held)) > LISTED * len(self.documents):
            return None
        every = np.sort(np.concatenate(held))
        return every[np.concatenate(([True], every[1:] != every[:-1]))] if len(every) else every

    def _of_candidates(
        self, candidates: Ordinals, held: Scores, order: Sequence[Concept], still: Scores, done: int, limit: int
    ) -> tuple[Ordinals, Scores]:
        """The rest of the concepts, for candidates that can still be among the best."""
        for index in range(done, len(order)):
            held = held + self._at(order[index], candidates)
            remaining = still[index + 1]
            if len(held) > 2 * limit and index + 1 < len(order):
                worst = np.partition(held, len(held) - limit)[len(held) - limit]
                keep = held + remaining >= worst - _SLACK
                candidates, held = candidates[keep], held[keep]
        keep = held > 0
        return self._sorted(candidates[keep], held[keep], limit)

    def _sorted(self, ordinals: Ordinals, scores: Scores, limit: int) -> tuple[Ordinals, Scores]:
        if len(scores) > limit:
            worst = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            keep = scores >= worst
            ordinals, scores = ordinals[keep], scores[keep]
        chosen = np.lexsort((self.documents.runs.rows_of(ordinals), -scores))[:limit]
        return ordinals[chosen], scores[chosen]

    def _contribution(self, concept: Concept) -> tuple[Ordinals, Scores]:
        """Every document that says a concept, with what it adds."""
        if len(concept.forms) == 1:
            form = concept.forms[0]
            ordinals, frequency = self.postings.of(form.term)
            if form.factor != 1.0:
                frequency = frequency * np.float32(form.factor)
        else:
            ordinals, frequency = self._together(concept)
        return ordinals, self._saturated(concept, ordinals, frequency)

    def _together(self, concept: Concept) -> Posting:
        """The postings of all forms as one, weighted."""
        read = [(self.postings.of(form.term), np.float32(form.factor)) for form in concept.forms]
        if sum(len(ordinals) for (ordinals, _), _ in read) < SPARSE * len(self.documents):
            ordinals = np.concatenate([ordinals for (ordinals, _), _ in read])
            frequency = np.concatenate([mentions * factor for (_, mentions), factor in read])
            order = np.argsort(ordinals, kind="stable")
            ordinals, frequency = ordinals[order], frequency[order]
            starts = np.flatnonzero(np.concatenate([[True], ordinals[1:] != ordinals[:-1]])) if len(ordinals) else order
            return ordinals[starts], np.add.reduceat(frequency, starts) if len(starts) else frequency
        total = np.zeros(len(self.documents), np.float32)
        for (ordinals, mentions), factor in read:
            total[ordinals] += mentions * factor
        held = np.flatnonzero(total != 0).astype(np.int32)
        return held, total[held]

    def _at(self, concept: Concept, candidates: Ordinals) -> Scores:
        """What a concept adds to each of the candidates, which rise."""
        frequency = self.frequency(concept, candidates)
        return self._saturated(concept, candidates, frequency)

    def frequency(self, concept: Concept, candidates: Ordinals) -> npt.NDArray[np.float32]:
        """The weighted frequency of a concept in each of the candidates."""
        total = np.zeros(len(candidates), np.float32)
        for form in concept.forms:
            ordinals, mentions = self.postings.of(form.term)
            if not len(ordinals):
                continue
            at = np.searchsorted(ordinals, candidates)
            at[at == len(ordinals)] = 0
            hit = ordinals[at] == candidates
            total[hit] += mentions[at[hit]] * np.float32(form.factor)
        return total

    def _saturated(self, concept: Concept, ordinals: Ordinals, frequency: npt.NDArray[np.float32]) -> Scores:
        norm = self.documents.norm[ordinals]
        if concept.norm != 1.0:
            norm = norm * np.float32(concept.norm)
        share = frequency * np.float32(K1 + 1) / (frequency + norm)
        return share.astype(np.float64) * concept.top


_SLACK = 1e-9

SPARSE = 0.12
"""Share of all documents below which several forms' postings are put together by sorting them."""

LISTED = 0.2
"""Share of all documents below which those that hold a word are put in a list, and the others not gone through. In a million, of eleven
questions, listing took a half to an eighth of the time up to .22, and more from .33 on."""


def _few(admitted: Mask | None, limit: int) -> Ordinals | None:
    """The admitted documents, in order, where they are so few that each is looked up."""
    if admitted is None or np.count_nonzero(admitted) > max(2 * limit, 2_000):
        return None
    return np.flatnonzero(admitted).astype(np.int32)


def _candidates(score: Scores, remaining: float, limit: int) -> npt.NDArray[np.intp] | None:
    """The places of documents that can still be among the best `limit`, or None while any document can."""
    if score.max(initial=0.0) <= remaining:
        return None
    sure = score[score > remaining]
    if len(sure) < limit:
        return None
    worst = np.partition(sure, len(sure) - limit)[len(sure) - limit]
    return np.flatnonzero(score >= worst - remaining - _SLACK)
