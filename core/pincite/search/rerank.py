"""The last step of a ranking: its top in another order, where a reranker is configured (specs/18-fusion.md)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pincite.errors import Cancelled, PinciteError
from pincite.search.engine import Ranking
from pincite.spec import Cancel, Reranker, Store
from pincite.values.query import Query
from pincite.values.search import Evidence, Fused


def rerank(
    query: Query, store: Store, reranker: Reranker, ranking: Ranking, *, items: int, seconds: float, cancelled: Cancel
) -> tuple[Ranking, str]:
    """The ranking with its first `items` reordered, and why they are not, or "".

    A reranker that fails, or is not done in `seconds`, leaves the order as it was. What is below `items` stays where it is.
    """
    head = ranking.fused[:items]
    texts = _best_texts(store, ranking.evidence, [one.item for one in head])
    candidates = [(one.item, texts[one.item]) for one in head if one.item in texts]
    if len(candidates) < 2:
        return ranking, ""
    ends = time.monotonic() + seconds
    try:
        found = reranker.rerank(query, candidates, lambda: cancelled() or time.monotonic() > ends)
    except Cancelled:
        if cancelled():
            raise
        return ranking, f"not reranked: {reranker.name} was not done within {seconds:g} s"
    except PinciteError as error:
        return ranking, f"not reranked: {error}"
    return replace(ranking, fused=_reordered(ranking.fused, len(head), found)), ""


def _best_texts(store: Store, evidence: Mapping[str, Sequence[Evidence]], items: Sequence[int]) -> dict[int, str]:
    """Item → the text of its best passage by fraction, the first ranker's where they are equal."""
    every = [one for found in evidence.values() for one in found]
    item_of = store.items_of(np.array([one.row for one in every], np.int64)).tolist()
    best: dict[int, Evidence] = {}
    wanted = set(items)
    for one, item in zip(every, item_of, strict=True):
        if item in wanted and (item not in best or one.fraction > best[item].fraction):
            best[item] = one
    texts = store.texts([one.row for one in best.values()])
    return {item: texts[one.row] for item, one in best.items() if texts.get(one.row)}


def _reordered(fused: Sequence[Fused], count: int, found: Sequence[tuple[int, float]]) -> list[Fused]:
    """The first `count` in the order of `found`; those that it does not hold come after it, as they were. `score` still orders."""
    scores = dict(found)
    place = {item: number for number, (item, _) in enumerate(found)}
    head = sorted(fused[:count], key=lambda one: place.get(one.item, len(place)))
    least = fused[count].score if len(fused) > count else 0.0
    out = [
        replace(
            one,
            score=least + count - number,
            parts=one.parts | ({"reranker": scores[one.item]} if one.item in scores else {}),
        )
        for number, one in enumerate(head)
    ]
    return [*out, *fused[count:]]
