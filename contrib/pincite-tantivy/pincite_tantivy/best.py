"""The best rows of a query: by their words, which tantivy finds without scoring all, and by what neighbouring words add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import tantivy

from pincite.values.quick import dataclass
from pincite.values.search import RowSet
from pincite_tantivy.clauses import Clause, Scored
from pincite_tantivy.hits import MUST, Hits, among, constant, found, rows_of, total
from pincite_tantivy.often import Formula, Often

MOST = 20_000
"""Admitted rows up to which tantivy is given them; of more, what it finds is filtered."""

BESIDES, BESIDES_NEIGHBOURS, BESIDES_OFTEN = 8, 32, 60
"""Rows looked at beyond those asked for: the last may be one of many equals; neighbours may bring one forward; or words of the column."""

ROUNDED = 1e-5
"""Share of a score by which rounding may have raised it."""

DEEPEST = 2_000
"""Rows that are looked at for these: where more are needed, a search for all words is quicker."""


@dataclass(frozen=True, slots=True)
class TantivyQuery:
    """A query as tantivy scores it: `whole` by all its words, `rest` by those that are not in the column, where some are. `formulas`: what
    the others add. `neighbours`: the rows with neighbouring words of the query, and what these add."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    often: Often
    whole: Sequence[Scored]
    rest: Sequence[Scored]
    formulas: tuple[Formula, ...]
    neighbours: Mapping[int, float]

    @classmethod
    def of(
        cls,
        schema: tantivy.Schema,
        searcher: tantivy.Searcher,
        often: Often,
        words: Sequence[Clause],
        quoted: Sequence[Scored],
        pairs: Sequence[Scored],
        most: int,
    ) -> TantivyQuery:
        """`most`: rows that hold pairs, the best of which are taken."""
        formulas = tuple(one for word in words for one in word.often)
        whole = [one for word in words for one in word.scored] + list(quoted)
        rest = [one for word in words for one in word.searched] + list(quoted) if formulas else []
        neighbours = rows_of(searcher, constant(pairs), most) if pairs else {}
        return cls(schema, searcher, often, whole, rest, formulas, neighbours)

    def best(
        self,
        limit: int,
        required: Sequence[tantivy.Query] = (),
        excluded: Sequence[tantivy.Query] = (),
        rows: RowSet | None = None,
    ) -> Hits:
        """The `limit` best that are found by all of `required` and none of `excluded`."""
        parts = [(MUST, tantivy.Query.const_score_query(one, 0.0)) for one in required]
        parts += [(tantivy.Occur.MustNot, one) for one in excluded]
        filtered = rows is not None and len(rows) > MOST
        if rows is not None and not filtered:
            parts.append((MUST, among(self.schema, rows.rows)))
        admitted = rows if filtered else None
        if self.rest and (rows is None or filtered):
            hits = self._best(limit, narrowed(total(self.rest), parts), self.formulas, admitted)
            if hits is not None:
                return hits
        hits = self._best(limit, narrowed(total(self.whole), parts), (), admitted)
        assert hits is not None  # that comes of words in the column alone
        return hits

    def _best(
        self, limit: int, query: tantivy.Query, formulas: Sequence[Formula], admitted: RowSet | None
    ) -> Hits | None:
        """By `query` and what words in the column add; None where that takes more than a search for all words."""
        most = sum(one.most for one in formulas)
        taken = limit + (BESIDES_OFTEN if formulas else BESIDES_NEIGHBOURS if self.neighbours else BESIDES)
        while not formulas or taken <= DEEPEST:
            seen = self._found(query, taken, formulas)
            if seen is None:
                return None
            exhausted = len(seen) < taken
            # what all others have at most, neighbours aside
            unseen = (1 + ROUNDED) * (most + (0.0 if exhausted else float(seen.by_search[-1])))
            hits = self._admitted(seen, admitted)
            order = np.lexsort((hits.rows, -hits.scores))[:limit]
            if self.neighbours and (formulas or not exhausted):
                least = hits.scores[order[-1]] if len(order) == limit else 0.0
                reaching = {row for row, more in self.neighbours.items() if unseen + more >= least}
                beyond = reaching.difference(seen.rows.tolist()) if reaching else reaching
                if beyond:
                    rows = among(self.schema, np.array(sorted(beyond), np.int64))
                    also = tantivy.Query.boolean_query([(MUST, query), (MUST, rows)])
                    others = self._found(also, len(beyond), formulas)
                    if others is None or (formulas and len(others) < len(beyond)):
                        return None  # neighbours that are words of the column, both
                    hits = hits.and_others(self._admitted(others, admitted))
                    order = np.lexsort((hits.rows, -hits.scores))[:limit]
            if (exhausted and not formulas) or (len(order) == limit and unseen < hits.scores[order[-1]]):
                return hits.at(order)
            if exhausted:
                return None  # rows with words of the column alone are not found
            taken = min((2 if formulas else 4) * taken, max(taken + 1, self.searcher.num_docs))
        return None

    def _found(self, query: tantivy.Query, limit: int, formulas: Sequence[Formula]) -> Hits | None:
        return found(self.searcher, query, limit, self.often, formulas)

    def _admitted(self, hits: Hits, rows: RowSet | None) -> Hits:
        """Those of `rows`, with what neighbours add to their scores."""
        if self.neighbours:
            hits = hits.with_more(np.array([self.neighbours.get(row, 0.0) for row in hits.rows.tolist()]))
        hits = hits.rounded()
        return hits if rows is None else hits.at(np.flatnonzero(rows.mask(hits.rows)))


def narrowed(query: tantivy.Query, parts: Sequence[tuple[tantivy.Occur, tantivy.Query]]) -> tantivy.Query:
    """What `query` finds and all `parts` let through."""
    return tantivy.Query.boolean_query([(MUST, query), *parts]) if parts else query
