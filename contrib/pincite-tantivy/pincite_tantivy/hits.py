"""What tantivy finds, as arrays of rows and scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import tantivy

from pincite.values.search import Rows
from pincite_tantivy.clauses import Clause, Scored

BITS = 20
"""Words that one search can tell apart: a score is a float of 24 bits."""

Scores = npt.NDArray[np.float64]
NOTHING: tuple[Rows, Scores] = (np.empty(0, np.int64), np.empty(0, np.float64))


def found(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> tuple[Rows, Scores]:
    """Rows and scores, best first. Scores to six digits: the last ones depend on how segments are laid."""
    hits = searcher.search(query, limit, count=False).hits
    ids = np.array(searcher.fast_field_values("row", [address for _, address in hits]), np.int64)
    scores = np.array([score for score, _ in hits], np.float64)
    unit = 10.0 ** (np.floor(np.log10(np.maximum(scores, 1e-30))) - 5)
    return ids, np.round(scores / unit) * unit


def looked_up(ids: Rows, holding: Rows, added: Scores) -> Scores:
    """What each row gets: what is added where it is among `holding`."""
    if not len(holding):
        return np.zeros(len(ids))
    order = np.argsort(holding)
    at = order[np.minimum(np.searchsorted(holding, ids, sorter=order), len(order) - 1)]
    return np.where(holding[at] == ids, added[at], 0.0)


def said(searcher: tantivy.Searcher, words: Sequence[Clause], ids: Rows, among: tantivy.Query) -> list[tuple[str, ...]]:
    """The words that each row says. In a search `among` the rows each word adds another power of two to a score."""
    held = np.zeros((len(ids), len(words)), np.bool_)
    order = np.argsort(ids)
    for at in range(0, len(words), BITS):
        part = words[at : at + BITS]
        flags = [(total([(one, 1.0) for one, _ in word.scored]), float(1 << bit)) for bit, word in enumerate(part)]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, among), (tantivy.Occur.Should, constant(flags))])
        hits = searcher.search(query, len(ids), count=False).hits
        rows = np.array(searcher.fast_field_values("row", [address for _, address in hits]), np.int64)
        bits = np.array([score for score, _ in hits], np.int64)
        held[order[np.searchsorted(ids, rows, sorter=order)], at : at + len(part)] = (
            bits[:, None] >> np.arange(len(part)) & 1
        )
    says: dict[bytes, tuple[str, ...]] = {}  # few sets of words come again and again
    for one in held:
        if (key := one.tobytes()) not in says:
            says[key] = tuple(word.word for word, says_it in zip(words, one.tolist(), strict=True) if says_it)
    return [says[one.tobytes()] for one in held]


def constant(scored: Sequence[Scored]) -> tantivy.Query:
    """The sum of what each query gives to all that it finds."""
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Should, tantivy.Query.const_score_query(query, score)) for query, score in scored]
    )


def total(scored: Sequence[Scored]) -> tantivy.Query:
    """The sum of queries' scores, weighted."""
    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should, tantivy.Query.boost_query(query, weight) if weight != 1.0 else query)
            for query, weight in scored
        ]
    )
