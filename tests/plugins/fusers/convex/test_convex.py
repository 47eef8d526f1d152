"""The mean of calibrated fractions (specs/18-fusion.md)."""

import pytest

from pincite.values.query import Query
from pincite.values.search import Ranked
from pincite_plugins.fusers.convex.convex import ConvexFusion

QUERY = Query("glacier surge")
WORDS = [Ranked(1, 9.0, 0.9, 1), Ranked(2, 5.0, 0.5, 2)]
MEANING = [Ranked(2, 0.8, 0.8, 1), Ranked(3, 0.6, 0.6, 2)]


def test_the_score_is_the_mean_of_the_fractions():
    fused = ConvexFusion().fuse(QUERY, {"words": WORDS, "meaning": MEANING})
    assert [(one.item, one.score) for one in fused] == [
        (2, pytest.approx(0.65, abs=1e-6)),
        (1, pytest.approx(0.45, abs=1e-6)),
        (3, pytest.approx(0.3, abs=1e-6)),
    ]


def test_a_ranker_may_weigh_more():
    fused = ConvexFusion({"words": 3.0}).fuse(QUERY, {"words": WORDS, "meaning": MEANING})
    assert [one.item for one in fused] == [1, 2, 3]
    assert fused[0].score == pytest.approx(0.675, abs=1e-6)


def test_where_fractions_are_full_the_rankers_own_order_holds():
    full = [Ranked(9, 0.99, 1.0, 1), Ranked(4, 0.97, 1.0, 2), Ranked(7, 0.96, 1.0, 3)]
    assert [one.item for one in ConvexFusion().fuse(QUERY, {"meaning": full})] == [9, 4, 7]
