"""Locators at the end of what a person types (specs/24-citing.md)."""

import pytest

from pincite.citing.locators import KINDS, read_locator


@pytest.mark.parametrize(
    ("text", "label", "value", "stretch", "alone"),
    [
        ("line 10-15", "line", "10-15", "line 10-15", True),
        ("line10-15", "line", "10-15", "line10-15", True),
        ("l. 7, 9", "line", "7, 9", "l. 7, 9", True),
        ("l.10-15", "line", "10-15", "l.10-15", True),
        ("line    3", "line", "3", "line    3", True),
        ('n."the lost leaf"', "note", "the lost leaf", 'n."the lost leaf"', True),
        ("tides and kelp p10-15", "page", "10-15", "p10-15", False),
        ("chap'one and two'", "chapter", "one and two", "chap'one and two'", True),
        ("tides and kelp: 10-15", "page", "10-15", ": 10-15", False),
        (":10", "page", "10", ":10", True),
        ("Okafor 2018 P. 12", "page", "12", "P. 12", False),
        ("s.v. 'holdfast'", "sub-verbo", "holdfast", "s.v. 'holdfast'", True),
        ("okafor sec 3", "section", "3", "sec 3", False),
    ],
)
def test_reads(text, label, value, stretch, alone):
    found = read_locator(text)
    assert found is not None
    assert (found.label, found.value, found.alone) == (label, value, alone)
    assert text[found.start :].strip() == stretch


@pytest.mark.parametrize(
    "text",
    [
        "10-15",
        '"a quoted text"',
        "chapter seven",
        "page",
        "pword12",
        'page word "x"',
        "p. 12 and more",
        'XX:"text"',
        "p",
        "map 12",
        "",
    ],
)
def test_reads_nothing(text):
    assert read_locator(text) is None


def test_bare_numbers_are_a_page_where_a_work_was_just_chosen():
    found = read_locator("12-14", chosen=True)
    assert found is not None
    assert (found.label, found.value) == ("page", "12-14")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_label_is_read_in_full_and_short(kind):
    for label in filter(None, (kind.full, kind.short, kind.short.replace(".", ""), kind.full.upper())):
        found = read_locator(f"reefs {label} 4")
        assert found is not None, label
        assert (found.label, found.value) == (kind.name, "4")


def test_there_are_27_kinds():
    assert len({kind.name for kind in KINDS}) == 27
