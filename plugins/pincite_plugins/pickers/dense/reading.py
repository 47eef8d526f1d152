"""What a model says of a question and some sentences, of one reading of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from pincite.search.glance import nearness
from pincite.spec import Embedder

KEPT = 256
"""Sentences read for one question, and passages looked at, that are remembered; beyond them it is begun anew."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Reading:
    """Of each sentence (n,): its vector (n, width), its `cosines` to the question, and by its tokens in context (`by_tokens`: the weighted
    mean over the question's tokens of the cosine to the nearest of the sentence's; 0 where the model gives no vectors of tokens)."""

    vectors: Floats
    cosines: npt.NDArray[np.float64]
    by_tokens: npt.NDArray[np.float64]

    def common(self, rows: slice) -> npt.NDArray[np.float64]:
        """The cosine of each of these sentences to the mean of them."""
        some = self.vectors[rows]
        return (some @ _unit(some.mean(axis=0))).astype(np.float64)


@dataclass(frozen=True)
class Question:
    """A question as it was read: its vector, the vectors of its tokens (None where they are not compared), what each of these counts, and
    the sentences that were held against it: text → its vector and its nearness by tokens."""

    text: str
    again: bool
    vector: Floats
    tokens: tuple[Floats, Floats] | None
    read: dict[str, tuple[Floats, float]] = field(default_factory=dict)


class Reader:
    """Reads for one question after another; what was read for the last one is not read again."""

    def __init__(self, embedder: Callable[[], Embedder]) -> None:
        self._embedder = embedder
        self._last: Question | None = None

    def read(self, question: str, weights: Floats | None, sentences: Sequence[str], again: bool) -> Reading:
        """`weights` (tokens,): what each token of the question counts, None: all the same. `again`: the question is read as a passage, too:
        the mean of both readings is nearer to what answers it, above all across languages, and only readings of one kind have tokens that
        compare."""
        asked = self._last
        if asked is None or (asked.text, asked.again) != (question, again) or len(asked.read) > KEPT:
            asked = None
        new = [one for one in dict.fromkeys(sentences) if asked is None or one not in asked.read]
        if new:
            self._last = asked = self._read(question, weights, new, again, asked)
        assert asked is not None  # nothing was new only where something had been read
        found = [asked.read[one] for one in sentences]
        vectors = np.stack([vector for vector, _ in found])
        return Reading(vectors, (vectors @ asked.vector).astype(np.float64), np.array([near for _, near in found]))

    def _read(
        self, question: str, weights: Floats | None, sentences: list[str], again: bool, asked: Question | None
    ) -> Question:
        """`asked`, or the question as read now, with these sentences beside those that it had."""
        embedder = self._embedder()
        head = [question] if again and asked is None else []
        with_tokens = getattr(embedder, "with_tokens", None)
        compared = with_tokens is not None and again and (asked is None or asked.tokens is not None)
        found = with_tokens([*head, *sentences], "passage") if compared else None
        vectors, tokens = (embedder.embed([*head, *sentences], "passage"), None) if found is None else found
        if asked is None:
            vector = embedder.embed([question], "query")[0]
            of_question = None
            if tokens is not None:
                states = tokens[0]
                if weights is None or len(weights) != len(states):
                    weights = np.ones(len(states), np.float32)
                of_question = (states, weights)
            asked = Question(question, again, _unit(vector + vectors[0]) if again else vector, of_question)
        near = np.zeros(len(sentences))
        if tokens is not None and asked.tokens is not None:
            weights = asked.tokens[1]
            near = nearness(asked.tokens, [(one, weights) for one in tokens[len(head) :]]).astype(np.float64)
        read = zip(sentences, vectors[len(head) :], near.tolist(), strict=True)
        return replace(asked, read=asked.read | {text: (vector, by_tokens) for text, vector, by_tokens in read})


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32)
