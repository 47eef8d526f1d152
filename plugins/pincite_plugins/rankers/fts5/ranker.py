"""`Fts5Ranker`: catches up with the store's words, and ranks passages by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np

from pincite.errors import Cancelled, NotReady
from pincite.spec import Cancel, Store
from pincite.values.query import Query, Term
from pincite.values.quick import dataclass
from pincite.values.search import Evidence, RankerStatus, Rows, RowSet, Sought
from pincite_plugins.rankers.fts5 import WEIGHTS, Settings, batches
from pincite_plugins.rankers.fts5.concepts import Concept, Vocabulary, concepts_of
from pincite_plugins.rankers.fts5.database import Database, about, version_of
from pincite_plugins.rankers.fts5.documents import Documents, Mask, gone_of, load
from pincite_plugins.rankers.fts5.gate import strict
from pincite_plugins.rankers.fts5.phrases import bonuses, rows_of, rows_of_any
from pincite_plugins.rankers.fts5.postings import Ordinals, Postings
from pincite_plugins.rankers.fts5.scoring import K1, B, Bonus, Scorer
from pincite_plugins.rankers.fts5.suggest import suggest

if TYPE_CHECKING:
    from pincite_plugins.rankers.fts5.updating import Updater


@dataclass(frozen=True)
class State:
    """One state of the index, as a search sees it."""

    version: tuple[int, int]
    documents: Documents
    vocabulary: Vocabulary
    scorer: Scorer
    connection: apsw.Connection
    applied: int


class PreparedQuery:
    """What a query means in one state of the index. The last is kept: once its works are known, it is asked of their passages."""

    def __init__(self, state: State, query: Query) -> None:
        self.state = state
        self.query = query
        self.concepts = concepts_of(query, state.vocabulary)

    @cached_property
    def extra(self) -> list[Bonus]:
        """What its phrases and neighbouring words add."""
        return bonuses(self.query, self.state.vocabulary, self.state.documents, self.state.connection)

    @cached_property
    def best(self) -> float:
        """The best score of all documents, 0 where none has any."""
        _, scores = self.state.scorer.best(self.concepts, self.extra, self.state.documents.admitted(None), 1)
        return float(scores.max(initial=0.0))


class Fts5Ranker:
    """Implements `pincite.spec.Ranker`."""

    name = "fts5"

    def __init__(self, folder: Path, store: Store, settings: Settings, note: Callable[[str], None]) -> None:
        self._store = store
        self._settings = settings
        self._weights = {**WEIGHTS, **settings.weights}
        self._database = Database(folder, {"weights": self._weights, "stems": settings.stems}, note)
        self._kept: State | None = None
        self._last: PreparedQuery | None = None

    def catch_up(
        self, progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = lambda: False
    ) -> None:
        """Takes in what the store has gained and lost since the last time."""
        self._updater.catch_up(progress, cancelled)

    def compact(self) -> None:
        """Makes the index anew where rows are gone, and gives the room that is free back."""
        self._updater.compact()

    @cached_property
    def _updater(self) -> Updater:
        from pincite_plugins.rankers.fts5.updating import Updater  # a search needs nothing of it

        return Updater(self._store, self._database, self._weights, self._settings.stems)

    def status(self) -> RankerStatus:
        """From the batches' counts; the store is asked for its count where it is ahead."""
        connection = self._database.read()
        if connection is None:
            return RankerStatus(0, self._store.totals().chunks, 0, "no words indexed yet")
        gone, count = gone_of(connection)
        rows, applied = count - gone, about(connection, "applied")
        expected = rows if applied == self._store.last_change() else self._store.totals().chunks
        degraded = f"{rows:,} of {expected:,} passages are indexed by their words" if rows < expected else None
        return RankerStatus(rows, expected, applied, degraded)

    def rank(self, query: Query, rows: RowSet | None, limit: int, cancelled: Cancel = lambda: False) -> list[Evidence]:
        """The best passages among `rows`. Fraction: the share of the query that a passage carries (§4 of the page)."""
        prepared = self._prepared(query)
        state, concepts = prepared.state, prepared.concepts
        if not query.terms or limit <= 0 or (rows is not None and not len(rows)):
            return []
        admitted = self._admitted(state, query, rows)
        if admitted is not None and not admitted.any():
            return []
        if cancelled():
            raise Cancelled("stopped")
        if self._settings.gate == "strict":
            admitted = strict(concepts, state.scorer, state.documents, admitted)
        ordinals, scores = state.scorer.best(concepts, prepared.extra, admitted, limit)
        if not len(ordinals):
            return []
        if admitted is state.documents.admitted(None):
            prepared.best = float(scores[0])
        ceiling = max(ceiling_of(concepts), float(scores[0]), prepared.best if rows is not None else 0.0)
        met = _met(concepts, state.scorer, ordinals)
        ids = state.documents.runs.rows_of(ordinals).tolist()
        return [
            Evidence(row, score, min(1.0, score / ceiling), terms)
            for row, score, terms in zip(ids, scores.tolist(), met, strict=True)
        ]

    def explain(self, query: Query, row: int) -> Mapping[str, Any]:
        """What each word adds to a passage's score."""
        prepared = self._prepared(query)
        state, concepts = prepared.state, prepared.concepts
        at = state.documents.runs.ordinals(np.array([row], np.int64)).astype(np.int32)
        if not len(at):
            return {"indexed": False}
        words = []
        for concept in concepts:
            frequency = float(state.scorer.frequency(concept, at)[0])
            added = float(state.scorer._at(concept, at)[0])
            words.append(
                {
                    "word": concept.word,
                    "forms": [form.text for form in concept.forms],
                    "idf": round(concept.idf, 4),
                    "weight": concept.weight,
                    "frequency": frequency,
                    "adds": round(added, 4),
                }
            )
        extra = sum(float(added[ordinals == at[0]].sum()) for ordinals, added in prepared.extra)
        return {
            "indexed": True,
            "words": words,
            "phrases_add": round(extra, 4),
            "length": round(batches.length_of(state.connection, int(at[0])), 2),
            "norm": round(float(state.documents.norm[at[0]]), 4),
            "ceiling": round(ceiling_of(concepts), 4),
        }

    def suggest(self, query: Query) -> dict[str, list[str]]:
        """For each word of the query that the library does not have in any form, up to three that it has, nearest first."""
        prepared = self._prepared(query)
        return suggest(query, prepared.concepts, prepared.state.connection)

    def sought(self, query: Query) -> tuple[Sought, ...]:
        """The query's words that the library has, with the forms that say them and their weights."""
        return tuple(
            Sought(concept.word, concept.top, frozenset(form.text for form in concept.forms))
            for concept in self._prepared(query).concepts
            if concept.forms
        )

    def ubiquitous(self, query: Query) -> frozenset[str]:
        """The query's words that more than half of the passages hold, in one of their forms: forms share passages, and are not added up."""
        prepared = self._prepared(query)
        half = max(prepared.state.documents.items, prepared.state.documents.texts) / 2
        return frozenset(one.word for one in prepared.concepts if any(form.df > half for form in one.forms))

    def rows_holding(self, terms: tuple[Term, ...]) -> Rows:
        """The chunk rows that hold any of the terms, for exclusion by every engine."""
        return rows_of_any(terms, self._state().connection) if terms else np.empty(0, np.int64)

    def close(self) -> None:
        """Closes the database."""
        self._kept = self._last = None
        self._database.close()

    def _admitted(self, state: State, query: Query, rows: RowSet | None) -> Mask | None:
        """The filter, without what is excluded and within what is required (words of a title)."""
        admitted = state.documents.admitted(rows)
        required = [term for term in query.terms if term.column]
        if not query.excluded and not required:
            return admitted
        mask = state.documents.live.copy() if admitted is None else admitted.copy()
        if query.excluded:
            mask[state.documents.runs.ordinals(rows_of_any(query.excluded, state.connection))] = False
        for term in required:
            within = np.zeros(len(mask), np.bool_)
            within[state.documents.runs.ordinals(rows_of(term, state.connection))] = True
            mask &= within
        return mask

    def _prepared(self, query: Query) -> PreparedQuery:
        state = self._state()
        if self._last is None or self._last.state is not state or self._last.query.terms != query.terms:
            self._last = PreparedQuery(state, query)
        return self._last

    def _state(self) -> State:
        """The index as it is now; read again where it has changed."""
        connection = self._database.read()
        if connection is None:
            raise NotReady("no words indexed yet; run `pincite index`")
        version = version_of(connection)
        if self._kept is None or self._kept.version != version or self._kept.connection is not connection:
            documents = load(connection, K1, B)
            postings = Postings(connection)
            vocabulary = Vocabulary(connection, documents, postings, self._settings.stems)
            scorer = Scorer(documents, postings)
            self._kept = State(version, documents, vocabulary, scorer, connection, about(connection, "applied"))
        return self._kept


def ceiling_of(concepts: list[Concept]) -> float:
    """The most that the query's words can add up to; a word that the library does not have counts for nothing."""
    return (K1 + 1) * sum(concept.top for concept in concepts if concept.forms)


def _met(concepts: list[Concept], scorer: Scorer, ordinals: Ordinals) -> list[tuple[str, ...]]:
    """For each document the words of the query that it says, in any form."""
    order = np.argsort(ordinals, kind="stable")
    rising = ordinals[order]
    met: list[list[str]] = [[] for _ in ordinals]
    for concept in concepts:
        for position in order[scorer.frequency(concept, rising) > 0].tolist():
            met[position].append(concept.word)
    return [tuple(words) for words in met]
