"""One query through rankers and a fuser (specs/18-fusion.md)."""

from types import SimpleNamespace

import numpy as np
import pytest

from pincite.query.parse import parse
from pincite.search.engine import rank
from pincite.values.query import Query
from pincite.values.search import Evidence
from pincite_plugins.fusers.rrf.rrf import ReciprocalRankFusion
from pincite_plugins.fusers.zscore.zscore import StandingFusion

STORE = SimpleNamespace(items_of=lambda rows: np.asarray(rows) // 10)
"""Chunk rows 10 to 19 are those of item 1, and so on."""


def ranker(*found):
    """A ranker that gives (chunk row, fraction) pairs, best first; the fraction is the score too."""
    evidence = [Evidence(row, fraction, fraction) for row, fraction in found]
    return SimpleNamespace(rank=lambda query, rows, limit, cancelled: evidence[:limit])


def ranked(margin, **rankers):
    return rank(Query("tides"), STORE, rankers, ReciprocalRankFusion(), None, items=50, margin=margin)


WORDS = ranker((10, 0.9), (20, 0.8), (30, 0.1))
MEANING = ranker((30, 0.9), (20, 0.2), (10, 0.1), (40, 0.05))


def test_what_is_below_the_margin_of_every_ranker_is_left_out():
    found = ranked(0.5, words=WORDS, meaning=MEANING)
    assert {one.item for one in found.fused} == {1, 2, 3}
    assert [one.item for one in found.lists["words"]] == [1, 2]
    assert [one.item for one in found.lists["meaning"]] == [3]


def test_an_item_that_one_ranker_shows_is_judged_by_the_others_too():
    found = ranked(0.5, words=WORDS, meaning=MEANING)
    parts = {one.item: set(one.parts) for one in found.fused}
    assert parts == {1: {"words", "meaning"}, 2: {"words", "meaning"}, 3: {"words", "meaning"}}
    uncut = ranked(0.0, words=WORDS, meaning=MEANING)
    assert [one.item for one in found.fused] == [one.item for one in uncut.fused if one.item != 4]


def test_nothing_above_a_floor_is_nothing_found():
    assert ranked(0.5, words=ranker((10, 0.0)), meaning=ranker((20, 0.0))).fused == []


def test_relevance_is_the_strongest_evidence_of_any_ranker():
    found = {one.item: one.relevance for one in ranked(0.5, words=WORDS, meaning=MEANING).fused}
    assert found == pytest.approx({1: 0.9, 2: 0.8, 3: 0.9})


def test_a_name_that_one_passage_alone_has_is_not_drowned_by_what_means_nothing_of_it():
    named = SimpleNamespace(rank=lambda query, rows, limit, cancelled: [Evidence(350, 4.0, 0.7, frozenset({"tides"}))])
    meaning = ranker(*((row, 0.9 - row / 1_000) for row in range(10, 400, 10)))
    found = rank(
        parse("tides"),
        STORE,
        {"words": named, "meaning": meaning},
        StandingFusion(),
        None,
        items=50,
        margin=0,
        passages=100,
    )
    assert [one.item for one in found.fused[:2]] == [35, 1]
