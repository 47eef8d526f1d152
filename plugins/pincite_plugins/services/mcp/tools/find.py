"""best_match and semantic_search: works that answer a question, each with the passages that say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from pincite.errors import UsageError
from pincite.library import Library
from pincite.query.fields import take_fields
from pincite.spec import Cancel
from pincite.text.readable import readable
from pincite.values.results import Hit as CoreHit
from pincite.values.results import Results
from pincite.values.search import Filter
from pincite_plugins.services.mcp import budget, words
from pincite_plugins.services.mcp.shapes import Found, Hit, Passage
from pincite_plugins.services.mcp.tool import LONGEST, Asks, Call, Tool

TOP = 1000
"""Works that may be asked for."""

Query = Field(min_length=1, max_length=LONGEST, description="What is looked for, in words or as a question.")
Language = Field("all", max_length=40, description="Language of the passages (en, german, …); all: every language.")


class BestMatch(Asks):
    """Arguments of best_match."""

    query: str = Query
    library: str | None = Field(None, description="A library's configured name; left out: the one that is served.")
    engine: str | None = Field(None, description="hybrid, lexical or semantic; left out: as configured.")
    limit: int | None = Field(None, ge=1, le=TOP, description="Works; left out: as configured.")
    year: int | str | None = Field(None, description="2019, 2015..2019, ..2019 or 2015..")
    tags: list[str] | None = Field(None, max_length=100, description="Works with any of these tags.")
    collection: str | None = Field(None, max_length=LONGEST, description="Works of this collection and those below it.")
    language: str = Language


class SemanticSearch(Asks):
    """Arguments of semantic_search."""

    query: str = Query
    top_k: int = Field(10, ge=1, le=TOP, description="Works.")
    min_score: float = Field(0.0, ge=0, le=1, description="Least relevance.")
    language: str = Language


async def best_match(call: Call, asks: BestMatch) -> Found:
    """Works by the configured engine, or the one that is named."""
    admitted = filter_of(asks.year, asks.tags, asks.collection, asks.language)
    place = await call.place(asks.library)

    def work(library: Library, cancelled: Cancel) -> Results:
        return library.search(asks.query, engine=asks.engine, limit=asks.limit, filter=admitted, cancelled=cancelled)

    return _answer(call, await place.desk.ask(work), asks.budget)


async def semantic_search(call: Call, asks: SemanticSearch) -> Found:
    """Works by meaning alone."""
    admitted = filter_of(None, None, None, asks.language)
    place = await call.place()

    def work(library: Library, cancelled: Cancel) -> Results:
        return library.search(asks.query, engine="semantic", limit=asks.top_k, filter=admitted, cancelled=cancelled)

    return _answer(call, await place.desk.ask(work), asks.budget, asks.min_score)


def filter_of(year: int | str | None, tags: Sequence[str] | None, collection: str | None, language: str) -> Filter:
    """What arguments admit. Raises `UsageError` for a year or language that cannot be meant."""
    years, languages = None, frozenset[str]()
    if year not in (None, ""):
        years = take_fields(f"year:{year}")[1].filter().years
        if years is None:
            raise UsageError(f"year takes 2019, 2015..2019, ..2019 or 2015.., not '{year}'")
    if language.strip().lower() not in ("all", ""):
        languages = take_fields(f'lang:"{language.strip()}"')[1].filter().languages
    return Filter(
        years=years,
        tags=frozenset(tags or ()),
        collections=frozenset([collection] if collection else []),
        languages=languages,
    )


def _answer(call: Call, results: Results, room: int, least: float = 0.0) -> Found:
    hits = [one for one in results.hits if one.relevance >= least]
    below = len(results.hits) - len(hits)
    found = Found(
        degraded="; ".join(filter(None, (results.degraded, call.said))) or None,
        engine=results.engine,
        total=results.total,
        understood=list(results.understood) or None,
        suggestions={word: list(near) for word, near in results.suggestions.items()} or None,
        hits=[],
    )
    room -= len(budget.written(found.plain())) + budget.SAYING
    found.hits, said = _fitted([_hit(one) for one in hits], room)
    if results.total > len(results.hits):
        said.append(f"{results.total - len(results.hits)} more works beyond the limit of {len(results.hits)}")
    if below:
        said.append(f"{below} works below min_score")
    found.left_out = said or None
    return found


def _hit(hit: CoreHit) -> Hit:
    passages = [words.passage(hit.item, one, one.link, readable(one.sentence).strip()) for one in hit.passages]
    low = True if hit.low_confidence else None
    facts: dict[str, Any] = words.work(hit.item)
    return Hit(**facts, rank=hit.rank, relevance=round(hit.relevance, 3), low_confidence=low, passages=passages)


def _fitted(hits: Sequence[Hit], room: int) -> tuple[list[Hit], list[str]]:
    """As many works as fit, each with its best passage; then the second passages, then the third, the best work's first."""
    kept: list[Hit] = []
    for hit in hits:
        one = hit.model_copy(update={"passages": hit.passages[:1]})
        room -= budget.size(one)
        if room < 0 and kept:
            break
        kept.append(one)
    for number in range(1, max((len(hit.passages) for hit in hits), default=0)):
        for at, hit in enumerate(kept):
            more = hits[at].passages[number : number + 1]
            if len(hit.passages) == number and more and (cost := budget.size(more[0])) <= room:
                room -= cost
                kept[at] = hit.model_copy(update={"passages": [*hit.passages, *more]})
    if room < 0:
        kept = [_shortened(kept[0], -room)]
    said = []
    works = len(hits) - len(kept)
    passages = sum(len(hit.passages) for hit in hits[: len(kept)]) - sum(len(hit.passages) for hit in kept)
    if works or passages:
        parts = [f"{works} works" if works else "", f"{passages} passages of those shown" if passages else ""]
        said.append(" and ".join(filter(None, parts)) + ", to fit the budget")
    return kept, said


def _shortened(hit: Hit, excess: int) -> Hit:
    """One work alone that is too long: its line is cut."""
    shown: list[Passage] = []
    for one in hit.passages:
        text = one.quoted_text or ""
        room = max(40, len(budget.written(text)) - 2 - excess)
        shown.append(one.model_copy(update={"quoted_text": budget.clipped(text, room)}))
    return hit.model_copy(update={"passages": shown})


BEST_MATCH = Tool(
    "best_match",
    "Search the library",
    "Finds the works of the user's library that answer a question, best first, each with its best passages: the line, the page, an id"
    " for get_passage and cite.",
    BestMatch,
    Found,
    best_match,
)

SEMANTIC_SEARCH = Tool(
    "semantic_search",
    "Search by meaning",
    "The same by meaning alone, across languages; best_match joins words and meaning.",
    SemanticSearch,
    Found,
    semantic_search,
)
