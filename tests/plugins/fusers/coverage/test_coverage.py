"""RRF weighted by coverage (specs/18-fusion.md)."""

import pytest

from pincite.query.parse import parse
from pincite.values.search import Ranked
from pincite_plugins.fusers.coverage.coverage import CoverageFusion

MEANING = [Ranked(2, 0.9, 0.9, 1), Ranked(3, 0.8, 0.8, 2)]


def by_words(*lists):
    """A list by words: (item, terms met), best first."""
    return [Ranked(item, 1.0 / rank, 0.5, rank, terms) for rank, (item, terms) in enumerate(lists, 1)]


def order(query, words):
    return [one.item for one in CoverageFusion().fuse(parse(query), {"words": words, "meaning": MEANING})]


def test_where_the_words_are_found_it_is_plain_rrf():
    words = by_words((1, ("glacier", "surge")), (2, ("glacier",)))
    fused = CoverageFusion().fuse(parse("glacier surge "), {"words": words, "meaning": MEANING})
    assert [one.item for one in fused] == [2, 1, 3]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert fused[0].relevance == 0.9


def test_a_question_in_another_language_is_answered_by_meaning():
    """Only the name is found: the list that it makes changes nothing, and what stands in it alone comes last."""
    words = by_words((1, ("vatnajokull",)), (3, ("vatnajokull",)))
    assert order("Warum rutscht der Gletscher Vatnajökull manchmal so schnell? ", words) == [2, 3, 1]


def test_the_weight_rises_from_none_to_full():
    fuser = CoverageFusion(none=0.6, full=0.8)
    assert [fuser.weight(share) for share in (0.0, 0.6, 0.7, 0.8, 1.0)] == pytest.approx([0, 0, 0.5, 1, 1])


def test_without_a_list_by_meaning_words_count_fully():
    words = by_words((7, ("vatnajokull",)), (8, ("vatnajokull",)))
    fused = CoverageFusion().fuse(parse("Warum rutscht Vatnajökull "), {"words": words})
    assert [one.item for one in fused] == [7, 8]
    assert fused[0].score > fused[1].score > 0
