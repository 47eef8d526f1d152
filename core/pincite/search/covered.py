"""How many of a query's words a library has: whether a list made by words can be believed (specs/18-fusion.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.values.query import Query, TermKind
from pincite.values.search import Ranked

BEST = 10
"""Items of a list whose words are put together."""


def by_words(lists: Mapping[str, Sequence[Ranked]]) -> frozenset[str]:
    """The rankers whose items name the terms that they met: they go by words, the others by meaning."""
    return frozenset(ranker for ranker, ranking in lists.items() if any(one.terms for one in ranking[:BEST]))


def words_of(query: Query) -> frozenset[str]:
    """The distinct words that a query looks for: parts of a compound, characters of a run without spaces."""
    words: set[str] = set()
    for term in query.terms:
        if term.kind is TermKind.CJK:
            words.update(term.text)
        elif term.kind is TermKind.WORD:
            words.update(term.parts or (term.text,))
    return frozenset(words)


def covered(query: Query, ranking: Sequence[Ranked]) -> float:
    """The share of the query's words that the best items of a list hold between them; 1 where there are no words to judge by."""
    words = words_of(query)
    if not words:
        return 1.0
    met = {term for one in ranking[:BEST] for term in one.terms}
    for term in query.terms:
        if term.kind is TermKind.CJK:  # a pair that is met holds its two characters
            met.update("".join(met.intersection((*term.parts, *term.variants))))
    return len(words & met) / len(words)
