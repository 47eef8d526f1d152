"""What a model says of a question and some sentences, of one reading of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.search.glance import nearness
from pincite.spec import Embedder

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


def read(embedder: Embedder, question: str, weights: Floats | None, sentences: Sequence[str], again: bool) -> Reading:
    """`weights` (tokens,): what each token of the question counts, None: all the same. `again`: the question is read as a passage, too: the
    mean of both readings is nearer to what answers it, above all across languages, and only readings of one kind have tokens that compare.
    """
    asked = embedder.embed([question], "query")[0]
    texts = [question, *sentences] if again else list(sentences)
    with_tokens = getattr(embedder, "with_tokens", None)
    found = with_tokens(texts, "passage") if with_tokens is not None and again else None
    by_tokens = np.zeros(len(sentences))
    if found is None:
        vectors = embedder.embed(texts, "passage")
    else:
        vectors, (of_question, *of_sentences) = found
        if weights is None or len(weights) != len(of_question):
            weights = np.ones(len(of_question), np.float32)
        by_tokens = nearness((of_question, weights), [(one, weights) for one in of_sentences]).astype(np.float64)
    if again:
        asked = _unit(asked + vectors[0])
        vectors = vectors[1:]
    return Reading(vectors, (vectors @ asked).astype(np.float64), by_tokens)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32)
