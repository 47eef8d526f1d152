"""How many of a query's words a list holds (specs/18-fusion.md)."""

import pytest

from pincite.query.parse import parse
from pincite.search.covered import by_words, covered, words_of
from pincite.values.search import Ranked


def listed(*entries):
    """A list by words: (item, terms met), best first."""
    return [Ranked(item, 1.0 / rank, 0.5, rank, terms) for rank, (item, terms) in enumerate(entries, 1)]


def test_a_list_goes_by_words_if_its_items_name_terms():
    assert by_words({"a": listed((1, ("glacier",))), "b": listed((1, ())), "c": []}) == {"a"}


def test_words_may_be_found_in_several_works():
    words = listed((1, ("glacier",)), (4, ("surge",)), (5, ("winter",)))
    query = parse("glacier surge winter ")
    assert covered(query, words) == 1.0
    assert covered(query, words[:2]) == pytest.approx(2 / 3)


def test_only_the_ten_best_are_looked_at():
    words = listed(*((item, ("glacier",)) for item in range(10)), (99, ("surge",)))
    assert covered(parse("glacier surge "), words) == 0.5


def test_a_compound_counts_by_its_parts_and_a_run_by_its_characters():
    assert words_of(parse("gpt-4 ")) == {"gpt", "4"}
    assert covered(parse("冰川运动"), listed((1, ("冰川", "动")))) == 0.75
