"""What tantivy finds, as arrays of rows and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import tantivy

from pincite.values.quick import dataclass
from pincite.values.search import Rows
from pincite_tantivy.clauses import SHOULD, Scored, any_of
from pincite_tantivy.often import Formula, Often, Scores, added

MUST = tantivy.Occur.Must

FEW = 1_000
"""Rows that are sooner looked up one by one than found by a walk over all row numbers."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Rows with their scores, of which `by_search` is tantivy's part."""

    rows: Rows
    by_search: Scores
    scores: Scores

    def __len__(self) -> int:
        return len(self.rows)

    def at(self, places: npt.NDArray[np.intp]) -> Hits:
        """Those at these places."""
        return Hits(self.rows[places], self.by_search[places], self.scores[places])

    def with_more(self, extra: Scores) -> Hits:
        """With higher scores."""
        return replace(self, scores=self.scores + extra)

    def rounded(self) -> Hits:
        """Scores to 20 binary digits, six decimal ones: the last ones depend on how segments are laid."""
        return replace(self, scores=((self.scores.view(np.int64) + (1 << 32)) & -(1 << 33)).view(np.float64))

    def and_others(self, others: Hits) -> Hits:
        """These, then the others."""
        return Hits(
            np.concatenate([self.rows, others.rows]),
            np.concatenate([self.by_search, others.by_search]),
            np.concatenate([self.scores, others.scores]),
        )


NO_HITS = Hits(np.empty(0, np.int64), np.empty(0, np.float64), np.empty(0, np.float64))


def among(schema: tantivy.Schema, ids: Rows) -> tantivy.Query:
    """These rows alone, at no score."""
    numbers = ids[ids >= 0].tolist()
    if len(numbers) > FEW:
        rows = tantivy.Query.term_set_query(schema, "row", numbers)
    else:
        one = tantivy.Query.term_query
        rows = tantivy.Query.disjunction_max_query([one(schema, "row", number, "basic") for number in numbers])
    return tantivy.Query.const_score_query(rows, 0.0)


def rows_of(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> dict[int, float]:
    """Row → score, best first."""
    hits = searcher.search(query, limit, count=False).hits
    rows = searcher.fast_field_values("row", [address for _, address in hits])
    return dict(zip(rows, (score for score, _ in hits), strict=True))


def found(
    searcher: tantivy.Searcher, query: tantivy.Query, limit: int, often: Often, adding: Sequence[Formula]
) -> Hits | None:
    """What `query` finds, best first by its own scores; what `adding` gives by the column is added to them. None where that cannot tell."""
    hits = searcher.search(query, limit, count=False).hits
    if not hits:
        return NO_HITS
    given, addresses = zip(*hits, strict=True)
    scores = by_search = np.array(given)
    if adding:
        columns = often.read(addresses)
        more = None if columns is None else added(columns, adding)
        if more is None:
            return None
        scores = scores + more
    return Hits(np.array(searcher.fast_field_values("row", addresses), np.int64), by_search, scores)


def constant(scored: Sequence[Scored]) -> tantivy.Query:
    """The sum of what each query gives to all that it finds."""
    return tantivy.Query.boolean_query(
        [(SHOULD, tantivy.Query.const_score_query(query, score)) for query, score in scored]
    )


def total(scored: Sequence[Scored]) -> tantivy.Query:
    """The sum of queries' scores, weighted."""
    return any_of([tantivy.Query.boost_query(query, weight) if weight != 1.0 else query for query, weight in scored])
