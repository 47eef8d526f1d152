"""Z-score fusion (specs/18-fusion.md)."""

import math

import pytest

from pincite.query.parse import parse
from pincite.values.search import Ranked
from pincite_plugins.fusers.zscore.zscore import StandingFusion

QUERY = parse("glacier surge ")


def by_words(*entries, met=("glacier", "surge")):
    """A list by words: (item, standing), best first."""
    return [Ranked(item, standing + 9, 0.5, rank, met, standing) for rank, (item, standing) in enumerate(entries, 1)]


def by_meaning(*entries):
    return [Ranked(item, standing + 9, 0.7, rank, (), standing) for rank, (item, standing) in enumerate(entries, 1)]


def order(query, **lists):
    return [one.item for one in StandingFusion().fuse(query, lists)]


def test_an_item_counts_by_how_far_it_stands_out_in_each_list():
    fused = StandingFusion().fuse(QUERY, {"words": by_words((1, 4.0), (2, 0.5)), "meaning": by_meaning((2, 2.0))})
    assert [one.item for one in fused] == [1, 2]
    assert fused[0].score == pytest.approx(math.log1p(math.exp(4)))
    assert fused[1].parts == pytest.approx({"words": math.log1p(math.exp(0.5)), "meaning": math.log1p(math.exp(2))})
    assert fused[1].relevance == 0.7


def test_one_that_stands_out_in_a_list_is_not_voted_down_by_two_that_are_middling_in_both():
    words = by_words((1, 6.0), (2, 0.1), (3, 0.0))
    meaning = by_meaning((2, 0.2), (3, 0.1), (1, 0.0))
    assert order(QUERY, words=words, meaning=meaning)[0] == 1


def test_to_be_listed_counts_more_than_not_to_be_listed():
    assert order(QUERY, words=by_words((5, 1.0), (4, -8.0)), meaning=by_meaning((5, 1.0), (3, -9.0), (4, -9.5))) == [
        5,
        4,
        3,
    ]


def test_a_question_in_another_language_is_answered_by_meaning():
    """Only the name is found: the list that it makes changes nothing, and what stands in it alone comes last."""
    query = parse("Warum rutscht der Gletscher Vatnajökull manchmal so schnell? ")
    words = by_words((1, 5.0), (3, 4.0), met=("vatnajokull",))
    assert order(query, words=words, meaning=by_meaning((2, 1.0), (3, 0.5))) == [2, 3, 1]


def test_without_a_list_by_meaning_words_count_fully():
    words = by_words((7, 1.0), (8, 0.0), met=("vatnajokull",))
    fused = StandingFusion().fuse(parse("Warum rutscht Vatnajökull "), {"words": words})
    assert [one.item for one in fused] == [7, 8]
    assert fused[0].score > fused[1].score > 0


def test_lists_without_standings_are_judged_by_their_own_scores():
    words = [Ranked(1, 0.9, 0.9, 1), Ranked(2, 0.5, 0.5, 2)]
    meaning = [Ranked(2, 0.8, 0.8, 1), Ranked(3, 0.6, 0.6, 2)]
    assert order(QUERY, words=words, meaning=meaning) == [2, 1, 3]


def test_the_weight_rises_from_none_to_full():
    fuser = StandingFusion(none=0.6, full=0.8)
    assert [fuser.weight(share) for share in (0.0, 0.6, 0.7, 0.8, 1.0)] == pytest.approx([0, 0, 0.5, 1, 1])
