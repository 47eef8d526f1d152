"""The first look at sentences (specs/19-sentences.md)."""

import numpy as np
import pytest

from pincite.search.glance import MOST, nearness


def pieces(*directions, weights=None):
    vectors = np.eye(8, dtype=np.float32)[list(directions)]
    return vectors, np.array(weights if weights is not None else [1.0] * len(directions), np.float32)


def test_each_token_of_the_query_counts_by_its_weight_and_its_nearest_one():
    near = nearness(pieces(0, 1, weights=[3, 1]), [pieces(0, 5), pieces(1), pieces(7)])
    assert near == pytest.approx([0.75, 0.25, 0])


def test_a_sentence_without_tokens_is_near_to_nothing():
    assert nearness(pieces(0), [pieces(), pieces(0)]) == pytest.approx([0, 1])
    assert nearness(pieces(), [pieces(0)]) == pytest.approx([0])


def test_of_a_long_query_the_tokens_that_weigh_most_are_looked_at():
    long = pieces(*[0] * MOST, *[1] * 30, weights=[1.0] * MOST + [0.5] * 30)
    assert nearness(long, [pieces(0), pieces(1)]) == pytest.approx([1, 0])
