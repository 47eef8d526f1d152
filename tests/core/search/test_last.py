"""Pointing into the last results by number."""

import pytest

from pincite.errors import UsageError
from pincite.search.last import FILE, Last, LastHit, Pointed, point, recall, remember
from pincite.values.library import Item
from pincite.values.results import Hit, Passage

LAST = Last("/lib", "kelp", "hybrid", (LastHit("one", ("one#0", "one#4")), LastHit("two")))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("1", Pointed("one", "one#0")),
        ("1.2", Pointed("one", "one#4")),
        ("2", Pointed("two", "")),
        ("some/file.pdf#3", Pointed("", "some/file.pdf#3")),
    ],
)
def test_points(where, expected):
    assert point(LAST, where) == expected


@pytest.mark.parametrize("where", ["0", "3", "1.3", "1.0", "2.1"])
def test_a_number_that_was_not_shown_is_refused(where):
    with pytest.raises(UsageError):
        point(LAST, where)


def test_a_number_without_any_results_says_what_to_do():
    with pytest.raises(UsageError, match="search first"):
        point(None, "1")


def test_a_search_that_found_nothing_has_no_numbers():
    with pytest.raises(UsageError, match="the last search .“kelp”. found nothing"):
        point(Last("/k", "kelp", "hybrid"), "1")


def test_what_is_remembered_is_recalled_and_a_broken_file_is_as_none(tmp_path):
    passage = Passage("one#0", "t", "t", (0, 1), (), (), None, None, {}, None, "")
    remember(tmp_path, str(tmp_path / "lib"), "kelp", "hybrid", [Hit(1, 1.0, Item("one"), {}, (passage,))])
    assert recall(tmp_path).hits == (LastHit("one", ("one#0",)),)
    (tmp_path / FILE).write_text("{", "utf-8")
    assert recall(tmp_path) is None


def test_what_cannot_be_kept_costs_no_answer(tmp_path):
    (tmp_path / "file").write_text("not a folder", "utf-8")
    remember(tmp_path / "file", str(tmp_path / "lib"), "kelp", "hybrid", [Hit(1, 1.0, Item("one"), {}, ())])
    assert recall(tmp_path / "file") is None
