"""Whether an answer is weak, and is shown as such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.values.results import Shown
from pincite.values.search import Sought

LEAST_SHARE = 0.34
"""Share of the query that words must carry where nothing but words speaks for a work: one of three, or a rare one of many."""

LEAST_MEANT = 0.1
"""Calibrated fraction (0 at the model's floor, 1 at its ceiling) from which on a meaning alone is no accident."""


def weak(
    said: Sequence[frozenset[str]],
    lists: Mapping[str, Shown],
    lexicon: str,
    sought: Sequence[Sought],
    ubiquitous: frozenset[str],
) -> bool:
    """Whether only words that stand everywhere, or one weak word of several, or nothing above the floor speak for a work.

    `said`: the query's words that each of its passages says together with its title and metadata. `lists`: what each ranker said of it.
    `sought`: the query's words, those that the library does not have among them.
    """
    if any(shown.fraction >= LEAST_MEANT for name, shown in lists.items() if name != lexicon):
        return False
    by_words = lists.get(lexicon)
    if by_words is None or by_words.fraction <= 0:
        return True
    telling = [one for one in sought if one.word not in ubiquitous]
    if sought and not telling:
        return True
    if len(sought) < 2:
        return False
    whole = sum(one.weight for one in sought)
    best = max((sum(one.weight for one in sought if one.word in words) for words in said), default=0.0)
    return best < LEAST_SHARE * whole
