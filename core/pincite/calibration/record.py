"""Recording a calibration from triples, and judging one on triples of other fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pincite.calibration.calibration import Calibration, Floats
from pincite.calibration.triples import Triple, fields_of, halves
from pincite.errors import PinciteError, UsageError
from pincite.spec import Embedder

NEAR_MISSES = 0.95
"""The share of near misses that lies at or below the floor."""

MATCHES = 0.95
"""The share of matches at or below the ceiling: at their median, every work that is shown would have a full bar and the margin would cut
nothing."""

STRANGERS = 2 / 3
"""The share of questions for which every other passage of their field lies at or below the floor: a library holds many more near misses
than one, and the best of them is what a person would be shown."""

PLANE = 4
"""Directions of the plane at most: those in which languages differ most. Further ones hold more of the topics of the few texts that a
language has here than of the language (specs/28-calibration.md)."""

LEAST = 8
"""Triples below which figures would be chance."""


@dataclass(frozen=True, eq=False)
class Vectors:
    """Vectors of triples: queries, passages, near misses, each (n, width)."""

    triples: tuple[Triple, ...]
    query: Floats
    passage: Floats
    miss: Floats

    def where(self, fields: Sequence[str]) -> Vectors:
        """Those of some fields."""
        chosen = np.array([one.field in set(fields) for one in self.triples])
        triples = tuple(one for one, keep in zip(self.triples, chosen, strict=True) if keep)
        return Vectors(triples, self.query[chosen], self.passage[chosen], self.miss[chosen])


@dataclass(frozen=True, slots=True)
class Judged:
    """Shares of near misses and of matches above the floor, of `triples` of fields that the calibration has not seen."""

    triples: int
    near_misses: float
    matches: float


def embed_triples(embedder: Embedder, triples: Sequence[Triple]) -> Vectors:
    """Their vectors."""
    return Vectors(
        tuple(triples),
        embedder.embed([one.query for one in triples], "query"),
        embedder.embed([one.passage for one in triples], "passage"),
        embedder.embed([one.miss for one in triples], "passage"),
    )


def record(model: str, vectors: Vectors) -> Calibration:
    """Means, plane, floor, ceiling and spread from all of `vectors`.

    Floor and ceiling come from the scores of each field under a mean and a plane of the other fields, so that no text is judged by
    figures that it took part in. Floor: the 95th percentile of near misses, or, where it is higher, the score that the best of all other
    passages of the field stays below for two questions of three. Ceiling: the 95th percentile of matches. Raises `PinciteError` where
    the model does not tell them apart, `UsageError` where there are too few triples or one field alone.
    """
    fields = fields_of(vectors.triples)
    if len(vectors.triples) < LEAST or len(fields) < 2:
        raise UsageError(f"a calibration needs at least {LEAST} triples in two fields; add triples")
    matches, misses, strangers, elsewhere = [], [], [], []
    for field in fields:
        held, rest = vectors.where([field]), vectors.where([other for other in fields if other != field])
        others = _directions(model, rest)
        matches.append(_above(others, held.query, held.passage))
        misses.append(_above(others, held.query, held.miss))
        strangers.append(_strangers(others, held))
        elsewhere.append(_elsewhere(others, held, rest))
    floor = max(percentile(np.concatenate(misses), NEAR_MISSES), percentile(np.concatenate(strangers), STRANGERS))
    found = np.concatenate(matches)
    middle = percentile(found, 0.5)
    if middle <= floor:
        raise PinciteError(
            f"model {model}: half of the matches score no higher ({middle:.3f}) than near misses do ({floor:.3f}); "
            "it does not tell them apart on these triples"
        )
    spread = float(np.concatenate(elsewhere).std())
    return replace(_directions(model, vectors), floor=floor, ceiling=percentile(found, MATCHES), spread=spread)


def judge(calibration: Calibration, vectors: Vectors) -> Judged:
    """How a calibration does on triples, best of fields that it has not seen."""
    misses = _above(calibration, vectors.query, vectors.miss)
    matches = _above(calibration, vectors.query, vectors.passage)
    return Judged(
        len(vectors.triples),
        float((misses > calibration.floor).mean()),
        float((matches > calibration.floor).mean()),
    )


def record_and_judge(model: str, vectors: Vectors) -> tuple[Calibration, Judged]:
    """The calibration of one half of the fields, judged on the other half."""
    first, second = halves(vectors.triples)
    calibration = record(model, vectors.where(fields_of(first)))
    return calibration, judge(calibration, vectors.where(fields_of(second)))


def percentile(values: Floats, share: float) -> float:
    """The value at index round(share · (n - 1)) of the sorted values."""
    return float(np.sort(values)[round(share * (len(values) - 1))])


def _above(calibration: Calibration, queries: Floats, passages: Floats) -> Floats:
    """Scores of pairs, above each query's own level."""
    return np.asarray((calibration.prepared(queries) * (passages - calibration.mean)).sum(axis=1), np.float32)


def _strangers(calibration: Calibration, vectors: Vectors) -> Floats:
    """For each query the best score among passages of its field that were not written for it."""
    passages = np.concatenate([vectors.passage, vectors.miss]) - calibration.mean
    scores = calibration.prepared(vectors.query) @ passages.T
    np.fill_diagonal(scores, -np.inf)
    return np.asarray(scores.max(axis=1), np.float32)


def _elsewhere(calibration: Calibration, vectors: Vectors, rest: Vectors) -> Floats:
    """Scores of every query with every passage of other fields."""
    passages = np.concatenate([rest.passage, rest.miss]) - calibration.mean
    return np.asarray(calibration.prepared(vectors.query) @ passages.T, np.float32).ravel()


def _directions(model: str, vectors: Vectors) -> Calibration:
    """Means and plane: what the means of the languages span, of queries and of passages alike."""
    passages = np.concatenate([vectors.passage, vectors.miss])
    mean = passages.mean(axis=0)
    spoken = np.array([one.lang for one in vectors.triples])
    written = np.array([one.to for one in vectors.triples] * 2)
    spread = [
        rows[languages == language].mean(axis=0) - rows.mean(axis=0)
        for rows, languages in ((passages, written), (vectors.query, spoken))
        for language in sorted(set(languages.tolist()))
    ]
    rank = min(PLANE, max(len(set(written.tolist())), len(set(spoken.tolist()))) - 1)
    plane = np.linalg.svd(np.array(spread), full_matrices=False)[2][:rank]
    query_mean = vectors.query.mean(axis=0).astype(np.float32)
    return Calibration(model, mean.astype(np.float32), plane.astype(np.float32), 0.0, 0.0, query_mean=query_mean)
