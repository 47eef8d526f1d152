"""RRF (specs/18-fusion.md)."""

import pytest

from pincite.search.lists import cut_margin, lift
from pincite.values.query import Query
from pincite.values.search import Evidence
from pincite_plugins.fusers.rrf.rrf import ReciprocalRankFusion

QUERY = Query("glacier surge")


def ranked(scores):
    evidence = [Evidence(item * 10, score, score) for item, score in scores.items()]
    return lift(evidence, {item * 10: item for item in scores})


def test_an_item_in_both_lists_comes_before_items_in_one():
    fused = ReciprocalRankFusion().fuse(QUERY, {"words": ranked({1: 0.9, 2: 0.5}), "meaning": ranked({2: 0.8, 3: 0.6})})
    assert [one.item for one in fused] == [2, 1, 3]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert fused[0].relevance == 0.8
    assert fused[0].parts == {"words": 1 / 62, "meaning": 1 / 61}


def test_equal_scores_share_a_rank_and_the_next_is_one_more():
    assert [(one.item, one.rank) for one in ranked({4: 0.7, 5: 0.7, 6: 0.1})] == [(4, 1), (5, 1), (6, 2)]


def test_one_list_alone_keeps_its_order():
    one = ranked({3: 0.2, 1: 0.9, 2: 0.5})
    assert [fused.item for fused in ReciprocalRankFusion().fuse(QUERY, {"words": one})] == [1, 2, 3]


def test_nothing_fuses_to_nothing():
    assert ReciprocalRankFusion().fuse(QUERY, {}) == []


def test_lifting_takes_the_best_passage_not_the_average():
    evidence = [Evidence(1, 0.9, 0.9), Evidence(2, 0.1, 0.1), Evidence(3, 0.5, 0.5)]
    lifted = lift(evidence, {1: 7, 2: 7, 3: 8})
    assert [(one.item, one.score) for one in lifted] == [(7, 0.9), (8, 0.5)]


def test_the_margin_cuts_on_the_fraction_and_drops_what_is_below_the_floor():
    evidence = [Evidence(1, 0.89, 0.8), Evidence(2, 0.88, 0.41), Evidence(3, 0.87, 0.39), Evidence(4, 0.8, 0.0)]
    assert [one.row for one in cut_margin(evidence, 0.5)] == [1, 2]
    assert [one.row for one in cut_margin(evidence, 0.0)] == [1, 2, 3]
    assert cut_margin([Evidence(1, 0.5, 0.0)], 0.5) == []
