"""Which words of a query some rows say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import tantivy

from pincite.values.search import Rows
from pincite_tantivy.clauses import SHOULD, Clause, any_of
from pincite_tantivy.hits import MUST, among
from pincite_tantivy.often import Often

BITS = 24
"""Terms that one search can tell apart: a score is a float of as many bits. Where there are more, those of a word are taken together."""

FREQUENT = 50
"""Rows of a word for each row asked about, from which on it is sooner looked up in each of them than its rows are gone through."""


def said(
    searcher: tantivy.Searcher, schema: tantivy.Schema, often: Often, words: Sequence[Clause], rows: Rows
) -> dict[int, tuple[str, ...]]:
    """Row → the words that it says, of those that are there: by searches among the rows, where each term adds a power of two, and by the
    column."""
    if not len(rows):
        return {}
    terms = [(query, at) for at, word in enumerate(words) for query, _ in word.searched]
    if len(terms) > BITS:
        terms = [(any_of([query for query, _ in word.searched]), at) for at, word in enumerate(words) if word.searched]
    masks = [0] * len(words)  # of each word, the bits that tell of it
    held: dict[int, int] = {}  # of each row, the bits
    for first in range(0, max(1, len(terms)), BITS):
        flags = []
        for n, (term, at) in enumerate(terms[first : first + BITS]):
            masks[at] |= 1 << first + n
            flags.append((tantivy.Query.const_score_query(term, float(1 << n)), words[at].df))
        query = _flagged(among(schema, rows), flags, FREQUENT * len(rows))
        hits = searcher.search(query, len(rows), count=False).hits
        if not hits:
            return {}
        scores, addresses = zip(*hits, strict=True)
        ids = searcher.fast_field_values("row", addresses)
        for row, score in zip(ids, scores, strict=True):
            held[row] = held.get(row, 0) | int(score) << first
    slots = sorted({formula.slot for word in words for formula in word.often})
    if slots:
        columns = often.read(addresses)
        if columns is None:
            return said(
                searcher, schema, often, [replace(word, searched=word.scored, often=()) for word in words], rows
            )
        for n, slot in enumerate(slots, len(terms)):
            for at, word in enumerate(words):
                masks[at] |= (slot in {formula.slot for formula in word.often}) << n
        more = (columns[:, slots] > 0) @ (1 << np.arange(len(slots)))
        for row, bits in zip(ids, more.tolist(), strict=True):
            held[row] |= bits << len(terms)
    told = {bits: _words(bits, words, masks) for bits in set(held.values())}  # few kinds of rows come again and again
    return {row: told[bits] for row, bits in held.items()}


def _words(held: int, words: Sequence[Clause], masks: Sequence[int]) -> tuple[str, ...]:
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
