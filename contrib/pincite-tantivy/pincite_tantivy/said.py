"""Which words of a query each of its best rows says."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy

from pincite_tantivy.clauses import SHOULD, Clause, Scored, any_of
from pincite_tantivy.hits import MUST, Hits, among

BITS = 20
"""Words that one search can tell apart: a score is a float of 24 bits."""

FREQUENT = 50
"""Rows of a word for each row asked about, from which on it is sooner looked up in each of them than its rows are gone through."""


def said(
    searcher: tantivy.Searcher, schema: tantivy.Schema, words: Sequence[Clause], hits: Hits
) -> list[tuple[str, ...]]:
    """The words that each row says: by its columns, and in a search among the rows, where each adds another power of two to a score."""
    by_columns, held = hits.columns is not None, [0] * len(hits)  # a bit for each word
    if hits.columns is not None:
        for bit, word in enumerate(words):
            for one in word.often:
                for at in hits.columns[:, one.slot].nonzero()[0].tolist():
                    held[at] |= 1 << bit
    rows = hits.rows.tolist()
    for first in range(0, len(words), BITS):
        part = [(word.searched if by_columns else word.scored, word.df) for word in words[first : first + BITS]]
        if any(scored for scored, _ in part):
            query = _flagged(among(schema, hits.rows), part, FREQUENT * len(rows))
            found = searcher.search(query, len(rows), count=False).hits
            ids = searcher.fast_field_values("row", [address for _, address in found])
            bits = {row: int(score) for row, (score, _) in zip(ids, found, strict=True)}
            held = [one | bits.get(row, 0) << first for one, row in zip(held, rows, strict=True)]
    told = {one: tuple(word.word for bit, word in enumerate(words) if one >> bit & 1) for one in set(held)}
    return [told[one] for one in held]


def _flagged(rows: tantivy.Query, words: Sequence[tuple[Sequence[Scored], int]], frequent: int) -> tantivy.Query:
    """A query for `rows` whose scores have the n-th bit set where the n-th of `words` is said. `words`: with the rows of each. One in more
    than `frequent` is put around what there is: beside others, all its rows would be gone through."""
    flags = [
        (tantivy.Query.const_score_query(any_of([one for one, _ in scored]), float(1 << bit)), df)
        for bit, (scored, df) in enumerate(words)
        if scored
    ]
    rare = [(SHOULD, flag) for flag, df in flags if df <= frequent]
    query = tantivy.Query.boolean_query([(MUST, rows), *rare]) if rare else rows
    for flag, df in flags:
        if df > frequent:
            query = tantivy.Query.boolean_query([(MUST, query), (SHOULD, flag)])
    return query
