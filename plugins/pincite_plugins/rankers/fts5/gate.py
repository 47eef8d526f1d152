"""The strict gate: a passage of a document answers only where enough of the query's words stand together (§5 of the page)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pincite.values.search import ChunkKind
from pincite_plugins.rankers.fts5.batches import KINDS
from pincite_plugins.rankers.fts5.concepts import Concept
from pincite_plugins.rankers.fts5.documents import Documents, Mask
from pincite_plugins.rankers.fts5.scoring import Scorer

SHARE = 0.75
"""Of the query's words. A passage is the unit: it is at most some 500 words, about the 200 tokens' nearness of the design
around its middle."""

FREE = np.array([kind in (ChunkKind.ITEM, ChunkKind.NOTE, ChunkKind.ANNOTATION) for kind in KINDS])
"""By number of a kind: whether it is not held to that share."""


def strict(concepts: Sequence[Concept], scorer: Scorer, documents: Documents, admitted: Mask | None) -> Mask:
    """The admitted documents without passages that hold fewer than ceil(0.75 n) of the query's n words. Items, notes and
    annotations pass."""
    held = np.zeros(len(documents), np.int16)
    known = list(concepts)
    for concept in known:
        says = np.zeros(len(documents), np.bool_)
        for form in concept.forms:
            says[scorer.postings.of(form.term)[0]] = True
        held += says
    passes = FREE[documents.kind] | (held >= math.ceil(SHARE * len(known)))
    return passes & (documents.live if admitted is None else admitted)
