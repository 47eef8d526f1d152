"""specs/04-packs.md, "The text": accents set as glyphs, raised marks."""

import pytest

from pdf_pages import Paper, extract, put
from pincite_plugins.extractors.pdf.letters import composed, is_mark


@pytest.mark.parametrize(
    ("glyphs", "letters"),
    [
        ("L´eon", "Léon"),
        ("na¨ıve", "naïve"),
        ("Cˆot´e", "Côté"),
        ("W¨aschle", "Wäschle"),
        ("Ho˜ao", "Hoão"),
        ("Fran¸cois", "François"),
        ("Franc¸ois", "François"),
        ("Dvoˇr´ak", "Dvořák"),
        ("`quoted", "`quoted"),
        ("5¨", "5¨"),
        ("plain", "plain"),
        ("¨q", "¨q"),
    ],
)
def test_accents_go_to_their_letter(glyphs, letters):
    assert composed(glyphs) == letters


@pytest.mark.parametrize(
    ("before", "after", "raised", "was_raised", "mark"),
    [
        ("cells", "47,50–53", True, False, True),
        ("cells.", "4", True, False, True),
        ("Strand", "1,*", True, False, True),
        ("1", "Measured", False, True, True),
        ("10", "5", True, False, False),
        ("m", "2", True, False, False),
        ("cells", "th", True, False, False),
        ("2", ",", False, True, False),
    ],
)
def test_raised_marks(before, after, raised, was_raised, mark):
    assert is_mark(before, after, raised, was_raised) is mark


def test_a_raised_citation_is_a_word_of_its_own(tmp_path):
    paper = Paper()
    page = paper.page()
    put(page, 60, 100, "harbours")
    put(page, 60 + 38.5, 96, "12,14", 6)
    put(page, 60 + 52, 100, " of the north")
    path = paper.save(tmp_path / "a.pdf")
    assert extract(path).text == "harbours 12,14 of the north"
