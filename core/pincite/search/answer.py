"""A question from its text to its hits."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, cast

from pincite.errors import NotReady, PluginError, UnknownName, UsageError
from pincite.query.fields import told
from pincite.query.parse import parse
from pincite.search.cache import RecentAnswers, key_of
from pincite.search.engine import Heard, Ranking, admitted, rank
from pincite.search.exact import first, is_title, named
from pincite.search.listed import listed, lists
from pincite.search.own import with_unknown
from pincite.search.rerank import rerank
from pincite.search.session import Session
from pincite.search.standing import Standing, standing_of
from pincite.search.unindexed import Unindexed
from pincite.spec import Cancel, Lexicon, Ranker
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.results import Hit, Results
from pincite.values.search import Filter, Sought

if TYPE_CHECKING:
    from pincite.library import Library

LEXICAL = "lexical"
"""The engine that answers where a semantic one is not ready: it never shows nothing."""

FALLBACK = 5
"""Works shown, marked as of low confidence, where nothing is above a ranker's floor."""

INDEX = "`pincite index`"
"""What finishes an index: said once, whoever says it."""

TELLING = 20
"""Passages that a library needs before a word that most of them hold is taken for one that tells nothing."""


@dataclass(frozen=True)
class Scored:
    """What one question gave, without its passages: all that is kept of it in memory."""

    ranking: Ranking
    took_part: tuple[str, ...]
    reasons: tuple[str, ...]
    lexicon: str = ""
    sought: tuple[Sought, ...] = ()
    ubiquitous: frozenset[str] = frozenset()
    suggestions: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A question that was scored once; its hits come in batches, on demand."""

    text: str
    engine: str
    query: Query
    scored: Scored
    session: Session
    kept: RecentAnswers[list[Hit]]
    key: Hashable
    turn: AbstractContextManager[object]

    @property
    def total(self) -> int:
        """How many works matched."""
        return len(self.scored.ranking.fused)

    def hits(self, start: int, count: int, previews: bool = True) -> list[Hit]:
        """The hits from rank `start` + 1 on. `previews`: see `Session.hits`."""
        key = (self.key, start, count)
        with self.turn:
            held = self.kept.get(key)
            if held is None:
                held = self.session.hits(start, count, previews)
                if not self.session.unread and not self.session.waiting:
                    self.kept.put(key, held)
        return held

    def results(self, count: int, previews: bool = True) -> Results:
        """The first `count` hits with what is to be said of the whole. `previews`: see `Session.hits`."""
        hits = tuple(self.hits(0, count, previews))
        reasons = list(self.scored.reasons)
        if unread := len(self.session.unread):
            reasons.append(f"the text of {unread:,} of these works cannot be read; run `pincite index`")
        return Results(
            self.text,
            self.engine,
            "; ".join(reasons) or None,
            hits,
            (*self.query.understood, *self._barred()),
            self.total,
            self.scored.suggestions,
        )

    def _barred(self) -> list[str]:
        """What is to be said where the filter admits nothing, however the question is put."""
        admitted = self.scored.ranking.rows
        if admitted is None or len(admitted) or self.query.filter.empty:
            return []
        spoken = {line.split()[0].rstrip("s") for line in self.query.understood}
        given = [line for line in told(self.query.filter) if line.split()[0].rstrip("s") not in spoken]
        several = len(self.query.understood) + len(given) > 1
        return [*given, "which no work here has together" if several else "which no work here has"]


def ask(
    library: Library, text: str, engine: str, limit: int, filter: Filter, margin: float, cancelled: Cancel
) -> Asked:
    """See `Library.ask`."""
    if not text.strip():
        raise UsageError("the query is empty; type a few words")
    if not 1 <= limit <= 10_000:
        raise UsageError(f"the limit must be from 1 to 10,000, not {limit}")
    query = _as_meant(library, text, cancelled)
    query = dataclasses.replace(query, filter=joined(query.filter, filter))
    standing = standing_of(library, library.rankers_of(engine))
    if not standing.totals.waiting:
        library.end_previews()  # nothing is left for them to read
    key = key_of(query, engine, limit, margin, standing.key)
    scored = library.recent_scores.get(key)
    if scored is None:
        scored = _score(library, query, engine, limit, margin, standing, cancelled)
        # a ranker that fell out is asked again the next time
        if not scored.ranking.missing and standing.indexed:
            library.recent_scores.put(key, scored)
    rankers = {name: library.ranker(name) for name in scored.took_part}
    pickers = library.pickers_for(scored.took_part)
    by_meaning = set(scored.took_part) - {scored.lexicon}
    limits = library.config.settings.previews
    unindexed = Unindexed(
        lambda: library.previews, (lambda: library.embedder) if by_meaning else None, limits.seconds, limits.files
    )
    session = Session(
        query, library.store, rankers, scored.ranking, pickers, scored.lexicon, scored.sought, scored.ubiquitous, cancelled, unindexed
    )  # fmt: skip
    kept = RecentAnswers[list[Hit]](0) if scored.ranking.missing else library.recent_hits
    return Asked(text, engine, query, scored, session, kept, key, library.turn)


def _as_meant(library: Library, text: str, cancelled: Cancel) -> Query:
    """A title that was pasted leaves out no word of its own, and names no field."""
    query = parse(text)
    if not query.excluded and query.filter.empty:
        return query
    plain = parse(text, plainly=True)
    lexicon, _ = lexicon_of(library, {}, plain)
    meant = lexicon is not None and is_title(plain, lexicon, library.store, cancelled)
    return plain if meant else query


def _score(
    library: Library, query: Query, engine: str, limit: int, margin: float, standing: Standing, cancelled: Cancel
) -> Scored:
    ranking, rankers, reasons = rank_query(library, query, engine, limit, margin, cancelled, standing=standing)
    lexicon, sought = lexicon_of(library, rankers, query)
    if lists(query):
        fused, rows = listed(query, library.store, ranking.rows)
        return Scored(dataclasses.replace(ranking, fused=fused, rows=rows, weak=False), tuple(rankers), tuple(reasons))
    if lexicon is None:
        return Scored(ranking, tuple(rankers), tuple(reasons))
    ranking = first(ranking, named(query, lexicon, library.store, ranking, cancelled))
    words = with_unknown(query, sought)
    spelled = {term.text: term.spelled for term in query.terms if term.spelled}
    return Scored(
        ranking,
        tuple(rankers),
        tuple(reasons),
        lexicon.name,
        words,
        frozenset(lexicon.ubiquitous(query)) if standing.totals.chunks >= TELLING else frozenset(),
        {spelled.get(word, word): tuple(near) for word, near in lexicon.suggest(query).items() if near}
        if len(words) > len(sought)
        else {},
    )


class WordRanker(Ranker, Lexicon, Protocol):
    """A ranker that knows what a query's words are worth."""


def lexicon_of(
    library: Library, rankers: Mapping[str, Ranker], query: Query
) -> tuple[WordRanker | None, Sequence[Sought]]:
    """The ranker that goes by words, and what it knows of the query: one of these, else one of the lexical engine's; None where it is not
    there or not ready."""
    others = [name for name in library.config.settings.engines.get(LEXICAL, ()) if name not in rankers]
    for name in (*rankers, *others):
        try:
            ranker = rankers[name] if name in rankers else library.ranker(name)
            if all(callable(getattr(ranker, method, None)) for method in ("sought", "suggest", "ubiquitous")):
                known = cast(WordRanker, ranker)
                return known, known.sought(query)
        except (NotReady, PluginError, UnknownName):
            continue
    return None, ()


def rank_query(
    library: Library, query: Query, engine: str, items: int, margin: float, cancelled: Cancel, floor: bool = True,
    standing: Standing | None = None,
) -> tuple[Ranking, Mapping[str, Ranker], list[str]]:  # fmt: skip
    """The ranking, the rankers that took part, and why the answer is incomplete. `standing`: as it was asked for, if it was."""
    names = library.rankers_of(engine)
    standing = standing or standing_of(library, names)
    reasons: list[str] = []
    rankers = _made(library, names, reasons)
    depth = max(items, 100)
    lexicon = lexicon_of(library, rankers, query)[0] if query.excluded else None
    rows = admitted(query, library.store, lexicon)
    heard: Heard = {}

    def ranked(chosen: Mapping[str, Ranker], floor: bool = floor) -> Ranking:
        return rank(
            query, library.store, chosen, library.fuser, rows, items=depth, margin=margin,
            passages=standing.totals.chunks, floor=floor, cancelled=cancelled, heard=heard,
        )  # fmt: skip

    ranking = ranked(rankers)
    took_part = {name: ranker for name, ranker in rankers.items() if name not in ranking.missing}
    reasons += [f"{name}: {why}" for name, why in ranking.missing.items()]
    if not took_part and engine != LEXICAL and LEXICAL in library.config.settings.engines:
        took_part = _made(library, library.rankers_of(LEXICAL), reasons)
        ranking = ranked(took_part)
        reasons.append("answered by words alone")
    if floor and took_part and not ranking.fused:
        ranking = ranked(took_part, floor=False)
        ranking = dataclasses.replace(ranking, fused=ranking.fused[:FALLBACK], weak=True)
    chosen = library.config.settings.reranker
    if chosen.use and not ranking.weak:
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
    unfinished = standing.degraded(took_part)
    if unfinished and not any(INDEX in reason for reason in (*reasons, *unfinished)):
        unfinished.append(f"run {INDEX}")
    return ranking, took_part, list(dict.fromkeys((*reasons, *unfinished)))


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
