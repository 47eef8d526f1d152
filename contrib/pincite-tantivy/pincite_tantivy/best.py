"""The best rows of a query: by their words, which tantivy finds without scoring all, and by what neighbouring words add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import tantivy

from pincite.values.search import Rows, RowSet
from pincite_tantivy.clauses import Scored
from pincite_tantivy.hits import MUST, NOTHING, Scores, among, constant, found, looked_up

MOST = 20_000
"""Admitted rows up to which tantivy is given them; of more, what it finds is filtered."""

BESIDES = 32
"""Rows looked at beyond those asked for: neighbours may bring one forward."""


@dataclass(frozen=True)
class Asked:
    """A query as tantivy scores it. `holding`: the rows with neighbouring words of the query, `added`: what these add to their scores."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    base: tantivy.Query
    holding: Rows
    added: Scores

    @classmethod
    def of(
        cls,
        schema: tantivy.Schema,
        searcher: tantivy.Searcher,
        base: tantivy.Query,
        pairs: Sequence[Scored],
        most: int,
    ) -> Asked:
        """`most`: rows that hold pairs, the best of which are taken."""
        return cls(schema, searcher, base, *(found(searcher, constant(pairs), most) if pairs else NOTHING))

    def best(
        self,
        limit: int,
        required: Sequence[tantivy.Query] = (),
        excluded: Sequence[tantivy.Query] = (),
        rows: RowSet | None = None,
    ) -> tuple[Rows, Scores]:
        """Rows and scores of the `limit` best that are found by all of `required` and none of `excluded`."""
        parts = [(MUST, self.base)]
        parts += [(MUST, tantivy.Query.const_score_query(one, 0.0)) for one in required]
        parts += [(tantivy.Occur.MustNot, one) for one in excluded]
        filtered = rows is not None and len(rows) > MOST
        if rows is not None and not filtered:
            parts.append((MUST, among(self.schema, rows.rows)))
        query = tantivy.Query.boolean_query(parts) if len(parts) > 1 else self.base
        taken, admitted = limit + BESIDES, rows if filtered else None
        while True:
            seen, scores = found(self.searcher, query, taken)
            exhausted = len(seen) < taken
            unseen = 0.0 if exhausted else float(scores[-1])  # all others have this at most, neighbours aside
            ids, scores = self._admitted(seen, scores, admitted)
            if len(self.holding) and not exhausted:
                least = np.partition(scores, -limit)[-limit] if len(scores) >= limit else 0.0
                reaching = self.holding[unseen + self.added >= least]
                beyond = reaching[~np.isin(reaching, seen)] if len(reaching) else reaching
                if len(beyond):
                    also = tantivy.Query.boolean_query([(MUST, query), (MUST, among(self.schema, beyond))])
                    others = self._admitted(*found(self.searcher, also, len(beyond)), admitted)
                    ids, scores = np.concatenate([ids, others[0]]), np.concatenate([scores, others[1]])
            order = np.lexsort((ids, -scores))[:limit]
            if exhausted or (len(order) == limit and unseen < scores[order[-1]]):
                return ids[order], scores[order]
            taken = min(4 * taken, max(taken + 1, self.searcher.num_docs))

    def _admitted(self, ids: Rows, scores: Scores, rows: RowSet | None) -> tuple[Rows, Scores]:
        """Those of `rows`, with what neighbours add to their scores."""
        scores = scores + looked_up(ids, self.holding, self.added)
        if rows is None:
            return ids, scores
        kept = rows.mask(ids)
        return ids[kept], scores[kept]
