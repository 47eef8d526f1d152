"""Which words of a query each of its best rows says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import tantivy

from pincite_tantivy.clauses import SHOULD, Clause, any_of
from pincite_tantivy.hits import MUST, Hits, among

BITS = 24
"""Terms that one search can tell apart: a score is a float of as many bits. Where there are more, those of a word are taken together."""

FREQUENT = 50
"""Rows of a word for each row asked about, from which on it is sooner looked up in each of them than its rows are gone through."""


def said(
    searcher: tantivy.Searcher, schema: tantivy.Schema, words: Sequence[Clause], hits: Hits
) -> list[tuple[str, ...]]:
    """The words that each row says: by its column, and in searches among the rows, where each term adds a power of two."""
    rows = hits.rows.tolist()
    masks = [0] * len(words)  # of each word, the bits that tell of it
    bits: list[list[float]] = []  # of each row, BITS at a time
    if hits.columns is not None:
        slots = sorted({formula.slot for word in words for formula in word.often})
        masks = [sum(1 << slots.index(slot) for slot in {formula.slot for formula in word.often}) for word in words]
        bits.append(((hits.columns[:, slots] > 0) @ (1 << np.arange(len(slots)))).tolist())
    asked = [word.scored if hits.columns is None else word.searched for word in words]
    terms = [(query, at) for at, scored in enumerate(asked) for query, _ in scored]
    if len(terms) > BITS:
        terms = [(any_of([query for query, _ in scored]), at) for at, scored in enumerate(asked) if scored]
    for first in range(0, len(terms), BITS):
        flags = []
        for n, (term, at) in enumerate(terms[first : first + BITS]):
            masks[at] |= 1 << n + BITS * len(bits)
            flags.append((tantivy.Query.const_score_query(term, float(1 << n)), words[at].df))
        query = _flagged(among(schema, hits.rows), flags, FREQUENT * len(rows))
        found = searcher.search(query, len(rows), count=False).hits
        ids = searcher.fast_field_values("row", [address for _, address in found])
        scores = dict(zip(ids, (score for score, _ in found), strict=True))
        bits.append([scores[row] for row in rows])
    if not bits:
        return [()] * len(rows)
    kinds = list(zip(*bits, strict=True))
    told = {kind: _words(kind, words, masks) for kind in set(kinds)}  # few kinds of rows come again and again
    return [told[kind] for kind in kinds]


def _words(bits: Sequence[float], words: Sequence[Clause], masks: Sequence[int]) -> tuple[str, ...]:
    held = sum(int(each) << BITS * n for n, each in enumerate(bits))
    return tuple([word.word for word, mask in zip(words, masks, strict=True) if held & mask])


def _flagged(rows: tantivy.Query, flags: Sequence[tuple[tantivy.Query, int]], frequent: int) -> tantivy.Query:
    """A query for `rows` that gives them the scores of the flags that find them. `flags`: with the rows of each. One with more than
    `frequent` is put around what there is: beside others, all its rows would be gone through."""
    rare = [(SHOULD, flag) for flag, df in flags if df <= frequent]
    query = tantivy.Query.boolean_query([(MUST, rows), *rare]) if rare else rows
    for flag, df in flags:
        if df > frequent:
            query = tantivy.Query.boolean_query([(MUST, query), (SHOULD, flag)])
    return query
