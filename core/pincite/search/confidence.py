"""Whether an answer is weak, and is shown as such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.search.worth import Candidate
from pincite.values.results import Shown
from pincite.values.search import Sought

LEAST_SHARE = 0.34
"""Share of the query that words must carry where nothing but words speaks for a work: one of three, or a rare one of many."""

LEAST_MEANT = 0.1
"""Calibrated fraction (0 at the model's floor, 1 at its ceiling) from which on a meaning alone is no accident."""


def weak(
    passages: Sequence[Candidate],
    lists: Mapping[str, Shown],
    lexicon: str,
    sought: Sequence[Sought],
    ubiquitous: frozenset[str],
) -> bool:
    """Whether only words that stand everywhere, or one weak word of several, or nothing above the floor speak for a work.

    `lists`: what each ranker said of it. `sought`: the query's words, those that the library does not have among them.
    """
    if any(shown.fraction >= LEAST_MEANT for name, shown in lists.items() if name != lexicon):
        return False
    said = lists.get(lexicon)
    if said is None or said.fraction <= 0:
        return True
    telling = [one for one in sought if one.word not in ubiquitous]
    if sought and not telling:
        return True
    if len(sought) < 2:
        return False
    share = max((one.own for one in passages), default=said.fraction)
    return max(share, said.fraction) < LEAST_SHARE
