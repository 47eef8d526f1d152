"""The numbers of headings."""

from __future__ import annotations

import pytest

from pincite.markup.headings import folded, numbering


@pytest.mark.parametrize(
    ("title", "level"),
    [
        ("1 Ebb", 1),
        ("2.1 Flow", 2),
        ("2.1.3. Neap tides", 3),
        ("IV. The shore", 1),
        ("A.1 Tables", 2),
        ("Chapter 12: The cove", 1),
        ("Kapitel 3 Die Bucht", 1),
        ("第三章 海岸", 1),
        ("第2節 蟹", 2),
        ("一、引言", 1),
        ("（二）方法", 2),
        ("§ 4 Law of the shore", 1),
        ("Ebb and flow", None),
        ("2011 was a dry year", None),
        ("Mixed tides", None),
    ],
)
def test_the_number_gives_the_level(title, level):
    found = numbering(title)
    assert (found[0] if found else None) == level


def test_names_are_compared_without_case_accents_and_marks():
    assert folded("  Résumé : ") == folded("RESUME")
    assert folded("A B S T R A C T") == "abstract"
    assert folded("はじめに") != folded("はしめに")
