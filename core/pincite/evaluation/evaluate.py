"""Runs every query of a collection through an engine, and measures it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.evaluation.collection import Judged, read_qrels, read_queries
from pincite.query.parse import parse
from pincite.search.answer import rank_query

if TYPE_CHECKING:
    from pincite.library import Library

DEPTH = 1000
"""Documents of each ranking that are measured."""

MEASURES = ("nDCG@10", "R@100", "RR@10", "AP@1000")
"""By their names in ir-measures (https://ir-measur.es)."""

Run = dict[str, dict[str, float]]


def evaluate(library: Library, folder: str, progress: Callable[[str, int, int, str], None]) -> dict[str, Any]:
    """Indexes the collection where that is not done yet, and measures it at depth 1,000.

    `measures`: the ranking itself, without margin and floor; `shown`: with both, as a search shows it. `languages`: `measures` for each
    ``lang`` of the queries.
    """
    queries, qrels = read_queries(Path(folder)), read_qrels(Path(folder))
    settings = library.config.settings
    embed = "vector" in library.rankers_of(settings.engine)
    report = library.index(progress, embed=embed)
    judged = [query for query in queries if query.id in qrels]
    whole, shown = Run(), Run()
    seconds = 0.0
    for number, query in enumerate(judged, 1):
        began = time.perf_counter()
        whole[query.id] = _ranking(library, query, settings.engine, 0.0, False)
        seconds += time.perf_counter() - began
        shown[query.id] = _ranking(library, query, settings.engine, settings.margin, True)
        progress("queries", number, len(judged), "")
    languages = sorted({query.lang for query in judged if query.lang})
    return {
        "schema": 1,
        "folder": str(folder),
        "engine": settings.engine,
        "model": library.embedder.facts.id if embed else None,
        "documents": report.totals.items,
        "queries": len(judged),
        "measures": measure(qrels, whole, judged),
        "shown": measure(qrels, shown, judged),
        "languages": {
            lang: measure(qrels, whole, [query for query in judged if query.lang == lang]) for lang in languages
        },
        "milliseconds_per_query": round(1000 * seconds / max(1, len(judged)), 2),
    }


def measure(
    qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]], queries: list[Judged]
) -> dict[str, float]:
    """Means over `queries`; one with no answer counts as 0."""
    import ir_measures

    wanted = [ir_measures.parse_measure(name) for name in MEASURES]
    ids = {query.id for query in queries}
    found = ir_measures.calc_aggregate(
        wanted,
        {id: dict(grades) for id, grades in qrels.items() if id in ids},
        {id: dict(run.get(id) or {"": 0.0}) for id in ids},
    )
    return {str(measure): round(float(found[measure]), 5) for measure in wanted}


def _ranking(library: Library, query: Judged, engine: str, margin: float, floor: bool) -> dict[str, float]:
    """Document → score that falls with the rank, so that ties are measured in the order that is shown."""
    ranking, _, _ = rank_query(library, parse(query.text), engine, DEPTH, margin, lambda: False, floor)
    fused = ranking.fused[:DEPTH]
    ids = library.store.item_ids(one.item for one in fused)
    return {ids[one.item]: float(DEPTH - number) for number, one in enumerate(fused) if one.item in ids}
