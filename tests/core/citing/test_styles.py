"""Citations with their locators (specs/24-citing.md)."""

import pytest

from pincite.citing.styles import STYLES, Place, key_of, page_place
from pincite.values.library import Creator, Item

REEF = Item(
    "r1", "article-journal", "Reefs at night", creators=(Creator("Okafor", "Ada"),), year=2018, key="okafor2018"
)
TWO = Item(
    "r2", "book", "Tides", creators=(Creator("Okafor", "Ada"), Creator("Brandt", "Uwe")), year=2020, key="tides/20"
)
NAMELESS = Item("r3", "book", "Élan vital", creators=(Creator("Müller-Lüdenscheidt", "K."),), year=1999)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("pandoc", "[@okafor2018, p. 12]"),
        ("latex", "\\autocite[12]{okafor2018}"),
        ("typst", "@okafor2018[p. 12]"),
        ("plain", "(Okafor 2018, p. 12)"),
    ],
)
def test_a_page(style, expected):
    assert STYLES[style](REEF, Place("page", "12")) == expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("pandoc", "[@okafor2018]"),
        ("latex", "\\autocite{okafor2018}"),
        ("typst", "@okafor2018"),
        ("plain", "(Okafor 2018)"),
    ],
)
def test_the_work_as_a_whole(style, expected):
    assert STYLES[style](REEF, Place()) == expected


def test_the_printed_label_wins_over_the_ordinal_page_and_none_is_invented():
    assert page_place("xii", 14).value == "xii"
    assert page_place(None, 14).value == "14"
    assert page_place(None, None).value == ""


def test_several_pages_are_plural_and_other_locators_keep_their_name():
    assert STYLES["pandoc"](REEF, Place("page", "12-15")) == "[@okafor2018, pp. 12-15]"
    assert STYLES["latex"](REEF, Place("figure", "3")) == "\\autocite[fig. 3]{okafor2018}"
    assert STYLES["latex"](REEF, Place("page", "S_3")) == "\\autocite[p. S\\_3]{okafor2018}"


def test_keys_that_the_syntax_cannot_hold_bare():
    odd = Item("r4", key="doe 2020;x")
    assert STYLES["pandoc"](odd, Place("page", "1")) == "[@{doe 2020;x}, p. 1]"
    assert STYLES["typst"](TWO, Place("page", "1")) == '#cite(label("tides/20"), supplement: [p. 1])'


def test_names_of_two_and_of_more():
    many = Item("r5", creators=tuple(Creator(name) for name in ("Ito", "Ode", "Uhl")), year=2001)
    assert STYLES["plain"](TWO, Place()) == "(Okafor and Brandt 2020)"
    assert STYLES["plain"](many, Place()) == "(Ito et al. 2001)"


def test_a_key_is_made_where_there_is_none():
    assert key_of(NAMELESS) == "mullerludenscheidt1999"
    assert key_of(Item("a/b:c")) == "a-b-c"
