"""Works that are alike lend each other some of their scores (specs/18-fusion.md)."""

import numpy as np
import pytest

from pincite.query.parse import parse
from pincite.values.search import Fused, Ranked
from pincite_plugins.fusers.zscore.neighbours import HEAD, NEAREST, averaged, moved
from pincite_plugins.fusers.zscore.zscore import StandingFusion

QUERY = parse("glacier surge ")


def alike(*pairs, count):
    """A matrix in which only these pairs are alike, fully."""
    found = np.eye(count)
    for one, other in pairs:
        found[one, other] = found[other, one] = 1.0
    return found


def test_a_work_among_those_that_answer_rises_and_one_among_strangers_stays():
    found = averaged(np.array([5.0, 2.0, 2.1]), alike((0, 1), count=3), 0.2)
    assert found == pytest.approx([(5 + 0.2 * 2) / 1.2, (2 + 0.2 * 5) / 1.2, 2.1])


def test_only_the_nearest_count():
    count = NEAREST + 3
    near = np.full((count, count), 0.5)
    near[0, 1:] = np.linspace(0.9, 0.1, count - 1)
    scores = np.arange(count, dtype=float)
    weights = 0.2 * near[0, 1 : NEAREST + 1]
    expected = (scores[0] + (weights * scores[1 : NEAREST + 1]).sum()) / (1 + weights.sum())
    assert averaged(scores, near, 0.2)[0] == pytest.approx(expected)


def test_a_ranking_is_reordered_and_says_what_each_gained():
    fused = [Fused(7, 5.0, 0.9), Fused(3, 2.1, 0.5), Fused(9, 2.0, 0.4)]
    found = moved(fused, lambda items: alike((items.index(7), items.index(9)), count=3), 0.2)
    assert [one.item for one in found] == [7, 9, 3]
    assert [one.relevance for one in found] == [0.9, 0.4, 0.5]
    assert found[1].parts["neighbours"] == pytest.approx(found[1].score - 2.0)


def test_what_is_below_the_head_is_not_asked_about_and_stays_below():
    fused = [Fused(item, 1000.0 - item, 0.5) for item in range(HEAD + 20)]
    asked = []

    def likeness(items):
        asked.extend(items)
        return np.random.default_rng(3).random((len(items), len(items)))

    found = moved(fused, likeness, 0.5)
    assert asked == list(range(HEAD))
    assert found[HEAD:] == fused[HEAD:]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_the_fuser_asks_only_where_words_and_meaning_meet():
    """Words alone look at no vector, and a list alone keeps its order."""
    words = [Ranked(1, 2.0, 0.5, 1, ("glacier", "surge"), 2.0), Ranked(2, 1.0, 0.4, 2, ("glacier", "surge"), 1.0)]
    meaning = [Ranked(2, 0.9, 0.7, 1, (), 1.5), Ranked(3, 0.8, 0.6, 2, (), 0.5)]
    asked = []

    def likeness(items):
        asked.append(sorted(items))
        return np.eye(len(items))

    fuser = StandingFusion(alike=likeness)
    for lists in ({"words": words}, {"meaning": meaning}, {"words": words, "meaning": []}, {"a": words, "b": words}):
        fuser.fuse(QUERY, lists)
    assert asked == []
    fuser.fuse(QUERY, {"words": words, "meaning": meaning})
    assert asked == [[1, 2, 3]]
    StandingFusion(neighbours=0.0, alike=likeness).fuse(QUERY, {"words": words, "meaning": meaning})
    assert asked == [[1, 2, 3]]
