"""What tantivy finds, as arrays of rows and scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import tantivy

from pincite.values.search import Rows
from pincite_tantivy.clauses import SHOULD, Clause, Scored, any_of

MUST = tantivy.Occur.Must

BITS = 20
"""Words that one search can tell apart: a score is a float of 24 bits."""

FREQUENT = 50
"""Rows of a word for each row asked about, from which on it is sooner looked up in each of them than its rows are gone through."""

FEW = 1_000
"""Rows that are sooner looked up one by one than found by a walk over all row numbers."""

Scores = npt.NDArray[np.float64]
NOTHING: tuple[Rows, Scores] = (np.empty(0, np.int64), np.empty(0, np.float64))


def among(schema: tantivy.Schema, ids: Rows) -> tantivy.Query:
    """These rows alone, at no score."""
    numbers = ids[ids >= 0].tolist()
    if len(numbers) > FEW:
        rows = tantivy.Query.term_set_query(schema, "row", numbers)
    else:
        one = tantivy.Query.term_query
        rows = any_of([one(schema, "row", number, index_option="basic") for number in numbers])
    return tantivy.Query.const_score_query(rows, 0.0)


def rows_of(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> tuple[Rows, npt.NDArray[np.float32]]:
    """Rows and scores as tantivy gives them, best first."""
    hits = searcher.search(query, limit, count=False).hits
    if not hits:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    scores, addresses = zip(*hits, strict=True)
    return np.array(searcher.fast_field_values("row", addresses), np.int64), np.array(scores, np.float32)


def found(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> tuple[Rows, Scores]:
    """Rows and scores, best first. Scores to six digits: the last ones depend on how segments are laid."""
    ids, given = rows_of(searcher, query, limit)
    scores = given.astype(np.float64)
    unit = 10.0 ** (np.floor(np.log10(np.maximum(scores, 1e-30))) - 5)
    return ids, np.round(scores / unit) * unit


def looked_up(ids: Rows, holding: Rows, added: Scores) -> Scores:
    """What each row gets: what is added where it is among `holding`."""
    if not len(holding):
        return np.zeros(len(ids))
    order = np.argsort(holding)
    at = order[np.minimum(np.searchsorted(holding, ids, sorter=order), len(order) - 1)]
    return np.where(holding[at] == ids, added[at], 0.0)


def said(
    searcher: tantivy.Searcher, schema: tantivy.Schema, words: Sequence[Clause], ids: Rows
) -> list[tuple[str, ...]]:
    """The words that each row says. In a search among the rows each word adds another power of two to a score."""
    if not words:
        return [()] * len(ids)
    parts = [words[at : at + BITS] for at in range(0, len(words), BITS)]
    order, rows_alone = np.argsort(ids), among(schema, ids)
    held = np.zeros((len(parts), len(ids)), np.int64)
    for part, bits in zip(parts, held, strict=True):
        rows, scores = rows_of(searcher, _flagged(rows_alone, part, FREQUENT * len(ids)), len(ids))
        bits[order[np.searchsorted(ids, rows, sorter=order)]] = scores
    says: dict[tuple[int, ...], tuple[str, ...]] = {}  # few sets of words come again and again
    found = []
    for key in zip(*held.tolist(), strict=True):
        if key not in says:
            says[key] = tuple(
                word.word
                for bits, part in zip(key, parts, strict=True)
                for bit, word in enumerate(part)
                if bits >> bit & 1
            )
        found.append(says[key])
    return found


def _flagged(rows: tantivy.Query, words: Sequence[Clause], frequent: int) -> tantivy.Query:
    """A query for `rows` whose scores have the n-th bit set where the n-th word is said. Words in more rows than `frequent` are each put
    around what there is: together with others, all their rows would be gone through."""
    flags = [
        tantivy.Query.const_score_query(any_of([one for one, _ in word.scored]), float(1 << bit))
        for bit, word in enumerate(words)
    ]
    rare = [(SHOULD, flag) for word, flag in zip(words, flags, strict=True) if word.df <= frequent]
    query = tantivy.Query.boolean_query([(MUST, rows), *rare]) if rare else rows
    for word, flag in zip(words, flags, strict=True):
        if word.df > frequent:
            query = tantivy.Query.boolean_query([(MUST, query), (SHOULD, flag)])
    return query


def constant(scored: Sequence[Scored]) -> tantivy.Query:
    """The sum of what each query gives to all that it finds."""
    return tantivy.Query.boolean_query(
        [(SHOULD, tantivy.Query.const_score_query(query, score)) for query, score in scored]
    )


def total(scored: Sequence[Scored]) -> tantivy.Query:
    """The sum of queries' scores, weighted."""
    return any_of([tantivy.Query.boost_query(query, weight) if weight != 1.0 else query for query, weight in scored])
