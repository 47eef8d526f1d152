"""From passages to a list of items (specs/18-fusion.md)."""

import pytest

from pincite.search.lists import BACKGROUND, LEAST, background, lift
from pincite.values.search import Evidence


def test_a_score_stands_as_far_out_as_it_is_above_the_best_passages_mean():
    whole = background([5.0, 3.0, 3.0, 1.0])
    assert (whole.mean, whole.deviation) == (3.0, pytest.approx(2**0.5))
    assert whole.standing(5.0) == pytest.approx(2**0.5)
    assert whole.standing(3.0) == 0.0


def test_equal_scores_and_no_scores_have_nothing_that_stands_out():
    assert background([0.1] * 7).standing(0.1) == 0.0
    assert background([]).standing(4.0) == 0.0


def test_only_the_best_are_the_background():
    best = [float(score) for score in range(BACKGROUND, 0, -1)]
    assert background(best + [-1000.0] * 50) == background(best)


def test_the_one_passage_that_has_a_word_stands_out_from_those_that_do_not():
    assert background([4.0], silent=1_000).standing(4.0) == pytest.approx((LEAST - 1) ** 0.5)
    assert background([4.0], silent=9).standing(4.0) == pytest.approx(3.0)


def test_passages_without_a_word_are_no_background_to_a_list_that_is_long_enough():
    scores = [float(score) for score in range(LEAST, 0, -1)]
    assert background(scores, silent=1_000) == background(scores)


def test_what_the_margin_cuts_still_counts_as_background():
    found = [Evidence(row, score, score) for row, score in ((1, 0.9), (2, 0.4), (3, 0.2))]
    whole = background([one.score for one in found])
    cut = lift(found[:1], {1: 10}, whole)
    assert cut[0].standing == lift(found, {1: 10, 2: 20, 3: 30})[0].standing > 1
