"""`TantivyRanker`: catches up with the store's words, and ranks passages by them."""

from __future__ import annotations

import difflib
import functools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import tantivy

from pincite.errors import Cancelled, Damaged, NotReady
from pincite.spec import Cancel, Store
from pincite.text.stems import ALGORITHMS, stem
from pincite.values.query import Query, Term
from pincite.values.search import Evidence, Op, RankerStatus, Rows, RowSet, Sought
from pincite_tantivy import Settings
from pincite_tantivy.best import TantivyQuery
from pincite_tantivy.clauses import MOST_FREQUENT, Clauses
from pincite_tantivy.damage import look_at, noticed, segment_files
from pincite_tantivy.hits import among, rows_of, total
from pincite_tantivy.index import About, Index, frequent
from pincite_tantivy.often import Often, Tally
from pincite_tantivy.said import said

ROWS = 2_000
"""Rows whose words are taken from the store at a time."""

CHANGES = 20_000
SMALL = 2_000
"""Rows up to which an index is made anew as soon as a row is gone: tantivy's frequencies count it otherwise."""

GONE = 0.1
"""Share of rows gone at which a larger one is."""

SAMPLE = 200
"""Rows, from all over the library, by which the words of the column are chosen."""

GROWN = 16
"""Times as many rows as they were chosen of, at which they are chosen anew."""

FEWEST = 0.02
"""Share of the rows that a language must have for its stems to be looked for."""

K1 = 1.2

Method = TypeVar("Method", bound=Callable[..., Any])


def asking(method: Method) -> Method:
    """A question to the index: where that is damaged, it is not ready."""

    @functools.wraps(method)
    def asked(self: TantivyRanker, *given: Any, **named: Any) -> Any:
        try:
            with noticed(self._index.folder):
                return method(self, *given, **named)
        except Damaged as error:
            raise NotReady(str(error)) from None

    return cast(Method, asked)


class TantivyRanker:
    """Implements `pincite.spec.Ranker` and `pincite.spec.Lexicon`."""

    name = "tantivy"

    def __init__(self, folder: Path, store: Store, settings: Settings, note: Callable[[str], None]) -> None:
        self._store = store
        self._settings = settings
        self._index = Index(folder, settings.stems, settings.memory)
        self._note = note
        self._made: tuple[tantivy.Searcher, Clauses] | None = None

    # ------------------------------------------------------------------------------------------ catching up

    def catch_up(
        self, progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = lambda: False
    ) -> None:
        """Takes in what the store has gained and lost since the last time."""
        with noticed(self._index.folder):
            self._catch_up(progress, cancelled)

    def check(self) -> None:
        """Looks at every segment; raises `Damaged`. Once a week, by the run."""
        look_at(segment_files(self._index.folder))

    def _catch_up(self, progress: Callable[[int, int], None], cancelled: Cancel) -> None:
        last = self._store.last_change()
        try:
            self._index.searcher()
        except Damaged as error:
            self._note(str(error))
            self._index.discard()
        about = self._index.about()
        if about is None or not self._store.first_change() <= about.applied <= last or (not about.applied and last):
            self._write_anew(last, progress, cancelled)
            return
        while about.applied < last:
            changes = self._store.changes(about.applied, CHANGES)
            until = changes[-1].seq if changes else last
            ops = {change.row: change.op for change in changes if change.op is not Op.VECTOR}
            put = sorted(row for row, op in ops.items() if op is Op.PUT)
            self._write(about, put, sorted(ops), until, progress, cancelled)
        searcher = self._searcher()
        rows = searcher.num_docs
        many_gone = about.gone and (rows <= SMALL or about.gone > GONE * rows)
        if many_gone or (rows > SMALL and rows > GROWN * about.chosen_of):
            self._write_anew(last, progress, cancelled)

    def _write_anew(self, until: int, progress: Callable[[int, int], None], cancelled: Cancel) -> None:
        """All rows. The words of the column are chosen where there are rows enough to go by."""
        about, rows = self._index.fresh(), self._store.all_rows().tolist()
        if len(rows) > SMALL:
            about.often = frequent(self._store.words(rows[:: max(1, len(rows) // SAMPLE)]))
            about.chosen_of = len(rows)
        self._write(about, rows, None, until, progress, cancelled)

    def _write(
        self,
        about: About,
        put: list[int],
        old: list[int] | None,
        until: int,
        progress: Callable[[int, int], None],
        cancelled: Cancel,
    ) -> None:
        """One commit: without the rows of `old` (None: without any), with those of `put`."""
        often = Tally(about.often) if about.often else None
        with self._index.writer() as writer:
            if old is None:
                writer.delete_all_documents()
            elif old:
                searcher = self._searcher()
                about.gone += len(
                    searcher.search(among(self._index.schema, np.array(old, np.int64)), len(old), count=False).hits
                )
                writer.delete_documents_by_query(among(self._index.schema, np.array(old, np.int64)))
            for at in range(0, len(put), ROWS):
                if cancelled():
                    writer.rollback()
                    raise Cancelled("stopped")
                for text in self._store.words(put[at : at + ROWS]):
                    self._index.add(writer, text, often)
                    about.languages[text.language or "en"] += 1
                progress(min(at + ROWS, len(put)), len(put))
            writer.commit()
            writer.wait_merging_threads()
        about.applied = until
        self._index.save(about)

    # ------------------------------------------------------------------------------------------ asking

    @asking
    def status(self) -> RankerStatus:
        """From tantivy's count; the store is asked for its own where it is ahead."""
        about, searcher = self._index.about(), self._index.searcher()
        if about is None or searcher is None:
            return RankerStatus(0, self._store.totals().chunks, 0, "no words indexed yet")
        rows = searcher.num_docs
        expected = rows if about.applied == self._store.last_change() else self._store.totals().chunks
        degraded = f"{rows:,} of {expected:,} passages are indexed by their words" if rows < expected else None
        return RankerStatus(rows, expected, about.applied, degraded)

    @asking
    def rank(self, query: Query, rows: RowSet | None, limit: int, cancelled: Cancel = lambda: False) -> list[Evidence]:
        """The best passages among `rows`. Fraction: score / max(2.2 · Σ weight · idf, the best score of the whole index)."""
        searcher, schema = self._searcher(), self._index.schema
        if not query.terms or limit <= 0 or (rows is not None and not len(rows)):
            return []
        clauses = self._clauses(searcher)
        words, quoted = [word for word in clauses.of(query) if word.scored], clauses.quoted(query)
        if cancelled():
            raise Cancelled("stopped")
        if not words and not quoted:
            return []
        scored = TantivyQuery.of(schema, searcher, clauses.often, words, quoted, clauses.pairs(query), MOST_FREQUENT)
        required = [clauses.exactly(term) for term in query.terms if term.column]
        excluded = [clauses.exactly(term) for term in query.excluded]
        hits = scored.best(limit, required, excluded, rows)
        if not len(hits):
            return []
        best = float(hits.scores[0])
        if rows is not None:
            best = max(best, *scored.best(1).scores.tolist())
        ceiling = max((K1 + 1) * sum(word.top for word in words), best)
        fractions = np.minimum(1.0, hits.scores / ceiling).tolist()
        return list(map(Evidence, hits.rows.tolist(), hits.scores.tolist(), fractions))

    @asking
    def met(self, query: Query, rows: Rows) -> Mapping[int, tuple[str, ...]]:
        """The terms that each of these rows meets, which takes about as long as to find them."""
        searcher = self._searcher()
        clauses = self._clauses(searcher)
        words = [word for word in clauses.of(query) if word.scored]
        return said(searcher, self._index.schema, clauses.often, words, rows)

    @asking
    def explain(self, query: Query, row: int) -> Mapping[str, Any]:
        """What tantivy says of each word."""
        searcher = self._searcher()
        hits = searcher.search(among(self._index.schema, np.array([row])), 1).hits
        if not hits:
            return {"indexed": False}
        words = []
        for word in self._clauses(searcher).of(query):
            scored = total(word.scored)
            says = bool(word.scored) and bool(
                searcher.search(scored.and_must_match(among(self._index.schema, np.array([row]))), 1, count=False).hits
            )
            why = json.loads(scored.explain(searcher, hits[0][1]).to_json()) if says else {"value": 0.0}
            words.append({"word": word.word, "top": round(word.top, 4), "adds": why["value"], "why": why})
        return {"indexed": True, "words": words}

    @asking
    def sought(self, query: Query) -> tuple[Sought, ...]:
        """The query's words that the library has, with the forms that say them."""
        searcher = self._searcher()
        return tuple(
            Sought(word.word, word.top, frozenset((*word.forms, *self._same_stem(searcher, word.word))))
            for word in self._clauses(searcher).of(query)
            if word.scored
        )

    @asking
    def suggest(self, query: Query) -> dict[str, list[str]]:
        """For each word that the library does not have in any form, up to three that it has and that look like it."""
        searcher = self._searcher()
        found = {}
        for word in self._clauses(searcher).of(query):
            if not word.scored and len(word.word) >= 4 and word.word.isalpha():
                near = [text for text, _ in searcher.terms_with_prefix("words", word.word[:2], limit=20_000)]
                if close := difflib.get_close_matches(word.word, near, 3, 0.75):
                    found[word.word] = close
        return found

    @asking
    def ubiquitous(self, query: Query) -> frozenset[str]:
        """The query's words that more than half of the passages hold."""
        searcher = self._searcher()
        return frozenset(word.word for word in self._clauses(searcher).of(query) if word.df > searcher.num_docs / 2)

    @asking
    def rows_holding(self, terms: tuple[Term, ...]) -> Rows:
        """The chunk rows that hold any of the terms, for exclusion by every engine."""
        searcher = self._searcher()
        if not terms or not searcher.num_docs:
            return np.empty(0, np.int64)
        clauses = self._clauses(searcher)
        holding = total([(clauses.exactly(term), 1.0) for term in terms])
        return np.array([*rows_of(searcher, holding, searcher.num_docs)], np.int64)

    def close(self) -> None:
        """Closes the index."""
        self._made = None
        self._index.close()

    def _same_stem(self, searcher: tantivy.Searcher, word: str) -> list[str]:
        found = []
        for language in self._languages():
            stemmed = stem(word, language)
            near = searcher.terms_with_prefix("words", stemmed[: max(2, len(stemmed) - 1)], limit=500)
            found += [text for text, _ in near if stem(text, language) == stemmed]
        return found

    def _clauses(self, searcher: tantivy.Searcher) -> Clauses:
        if self._made is None or self._made[0] is not searcher:
            about = self._index.about()
            often = Often(searcher, about.often if about is not None else ())
            self._made = (searcher, Clauses(self._index.schema, searcher, self._languages(), often))
        return self._made[1]

    def _languages(self) -> list[str]:
        about = self._index.about()
        if about is None or not self._settings.stems:
            return []
        least = FEWEST * max(about.languages.values(), default=0)
        return sorted(name for name, rows in about.languages.items() if rows >= least and name in ALGORITHMS)

    def _searcher(self) -> tantivy.Searcher:
        searcher = self._index.searcher()
        if searcher is None:
            raise NotReady("no words indexed yet; run `pincite index`")
        return searcher
