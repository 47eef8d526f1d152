"""Why a work is where it is in an answer, or why it is not in it (specs/25-explain.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.errors import NotReady, UsageError
from pincite.search.unindexed import reasons_of
from pincite.search.worth import standing
from pincite.values.query import Query, Term
from pincite.values.search import Evidence, RowSet

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.search.answer import Asked


def explain(library: Library, asked: Asked, id: str, margin: float) -> dict[str, Any]:
    """Plain data on one work by its item id: its place, what each ranker says of its best passage and by what, and what was decided.

    Raises `UsageError` where the library has no such item. `absent` says in words why it is not among the results, or is None.
    """
    store = library.store
    row = store.find_item(id) if store.find_item(id) is not None else _by_key(library, id)
    item = None if row is None else store.item(row)
    if row is None or item is None:
        raise UsageError(f"no work of this library has the id or citation key '{id}'")
    ranking = asked.scored.ranking
    place = next((number for number, one in enumerate(ranking.fused, 1) if one.item == row), None)
    fused = next((one for one in ranking.fused if one.item == row), None)
    rows = store.rows_of_item(row)
    admitted = RowSet.of(rows if ranking.rows is None else rows[ranking.rows.mask(rows)])
    rankers = {name: _ranker(library, asked, name, row, admitted, margin) for name in library.rankers_of(asked.engine)}
    return {
        "schema": 1,
        "query": asked.text,
        "engine": asked.engine,
        "understood": list(asked.query.understood),
        "terms": [_term(one) for one in asked.query.terms],
        "words": {one.word: round(one.weight, 4) for one in asked.scored.sought},
        "ubiquitous": sorted(asked.scored.ubiquitous),
        "item": {"id": item.id, "title": item.title, "key": item.key or None},
        "rank": place,
        "relevance": None if fused is None else round(fused.relevance, 4),
        "fuser": {
            "name": library.fuser.name,
            "score": None if fused is None else round(fused.score, 6),
            "parts": {} if fused is None else {name: round(part, 6) for name, part in fused.parts.items()},
        },
        "passages": len(rows),
        "admitted": len(admitted),
        "rankers": rankers,
        "unread": list(reasons_of(store.files([row])).get(row, {}).values()),
        "absent": None if place is not None else _absent(asked.query, len(rows), len(admitted), rankers),
    }


def _ranker(library: Library, asked: Asked, name: str, item: int, admitted: RowSet, margin: float) -> dict[str, Any]:
    """What one ranker says: its place in the ranker's own list, its best passage, and the decisions."""
    ranking = asked.scored.ranking
    if name in ranking.missing:
        return {"decision": f"took no part: {ranking.missing[name]}"}
    listed = next((one for one in ranking.lists.get(name, ()) if one.item == item), None)
    try:
        ranker = library.ranker(name)
        found = ranker.rank(asked.query, admitted, 1) if len(admitted) else []
        overall = ranker.rank(asked.query, ranking.rows, 1)
    except NotReady as error:
        return {"decision": f"took no part: {error}"}
    said: dict[str, Any] = {"rank": listed.rank if listed else None}
    if not found:
        return {**said, "decision": "no passage of it matches" if len(admitted) else "the filter leaves it out"}
    best: Evidence = found[0]
    chunk = library.store.chunks([best.row]).get(best.row)
    text = library.store.texts([best.row]).get(best.row, "")
    top = overall[0].fraction if overall else 0.0
    said |= {
        "score": round(best.score, 6),
        "fraction": round(best.fraction, 4),
        "best_fraction": round(top, 4),
        "margin": round(margin * top, 4),
        "passage": chunk.id if chunk else None,
        "standing": round(standing(chunk, text), 3) if chunk else None,
        "why": dict(ranker.explain(asked.query, best.row)),
    }
    return {**said, "decision": _decision(best.fraction, margin * top, listed is not None)}


def _decision(fraction: float, least: float, listed: bool) -> str:
    if fraction <= 0:
        return "at or below the floor"
    if fraction < least:
        return f"cut by the margin: {fraction:.2f} is below {least:.2f}"
    return "kept" if listed else "below what was ranked; a higher --limit reaches it"


def _absent(query: Query, passages: int, admitted: int, rankers: dict[str, dict[str, Any]]) -> str:
    if not passages:
        return "nothing of it is indexed yet; `pincite index` brings the index up to date"
    if not admitted:
        return "the filter, or a word that the query excludes, leaves it out"
    if not query.terms and not query.semantic:
        return "the query has no words"
    return "; ".join(f"{name}: {said['decision']}" for name, said in rankers.items())


def _by_key(library: Library, key: str) -> int | None:
    """An item by its citation key."""
    store = library.store
    for id in store.fingerprints():
        row = store.find_item(id)
        item = None if row is None else store.item(row)
        if item is not None and item.key == key:
            return row
    return None


def _term(term: Term) -> dict[str, Any]:
    marks = [name for name in ("prefix", "exact", "quoted") if getattr(term, name)]
    found: dict[str, Any] = {"kind": str(term.kind), "text": term.text}
    if term.variants:
        found["variants"] = list(term.variants)
    if term.column:
        found["column"] = term.column
    return found | ({"as": marks} if marks else {})
