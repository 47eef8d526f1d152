"""A question from its text to its hits."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pincite.errors import NotReady, UsageError
from pincite.query.parse import parse
from pincite.search.engine import Ranking, rank
from pincite.search.rerank import rerank
from pincite.search.session import Session
from pincite.spec import Cancel, Ranker
from pincite.values.query import Query
from pincite.values.results import Results
from pincite.values.search import Filter

if TYPE_CHECKING:
    from pincite.library import Library

LEXICAL = "lexical"
"""The engine that answers where a semantic one is not ready: it never shows nothing."""


def answer(
    library: Library, text: str, engine: str, limit: int, filter: Filter, margin: float, cancelled: Cancel
) -> Results:
    """See `Library.search`."""
    if not text.strip():
        raise UsageError("the query is empty; type a few words")
    if not 1 <= limit <= 10_000:
        raise UsageError(f"the limit must be from 1 to 10,000, not {limit}")
    query = parse(text)
    query = dataclasses.replace(query, filter=joined(query.filter, filter))
    ranking, rankers, reasons = rank_query(library, query, engine, limit, margin, cancelled)
    session = Session(query, library.store, rankers, ranking, library.picker, cancelled)
    hits = session.hits(0, limit)
    return Results(text, engine, "; ".join(reasons) or None, tuple(hits), query.understood, len(ranking.fused))


def rank_query(
    library: Library, query: Query, engine: str, items: int, margin: float, cancelled: Cancel, floor: bool = True
) -> tuple[Ranking, Mapping[str, Ranker], list[str]]:
    """The ranking, the rankers that took part, and why the answer is incomplete."""
    reasons: list[str] = []
    rankers = _made(library, library.rankers_of(engine), reasons)
    depth = max(items, 100)

    def ranked(chosen: Mapping[str, Ranker]) -> Ranking:
        return rank(
            query, library.store, chosen, library.fuser, items=depth, margin=margin, floor=floor, cancelled=cancelled
        )

    ranking = ranked(rankers)
    took_part = {name: ranker for name, ranker in rankers.items() if name not in ranking.missing}
    reasons += [f"{name}: {why}" for name, why in ranking.missing.items()]
    if not took_part and engine != LEXICAL and LEXICAL in library.config.settings.engines:
        took_part = _made(library, library.rankers_of(LEXICAL), reasons)
        ranking = ranked(took_part)
        reasons.append("answered by words alone")
    chosen = library.config.settings.reranker
    if chosen.use:
        ranking, why = rerank(
            query,
            library.store,
            library.reranker,
            ranking,
            items=chosen.items,
            seconds=chosen.seconds,
            cancelled=cancelled,
        )
        reasons += [why] if why else []
    reasons += [state.degraded for ranker in took_part.values() if (state := ranker.status()).degraded]
    totals = library.store.totals()
    if totals.waiting:
        reasons.append(f"{totals.waiting:,} of {totals.files:,} files are not read yet")
    return ranking, took_part, list(dict.fromkeys(reasons))


def _made(library: Library, names: tuple[str, ...], reasons: list[str]) -> dict[str, Ranker]:
    rankers = {}
    for name in names:
        try:
            rankers[name] = library.ranker(name)
        except NotReady as error:
            reasons.append(f"{name}: {error}")
    return rankers


def joined(one: Filter, other: Filter) -> Filter:
    """Both filters: each part that one of them sets; where both set a part, the second's."""
    parts = {field.name: getattr(other, field.name) or getattr(one, field.name) for field in dataclasses.fields(Filter)}
    return Filter(**parts)
