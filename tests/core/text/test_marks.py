"""Highlight marks (specs/19-sentences.md)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.query import parse
from pincite.text.marks import marks


def marked(query: str, sentence: str, **known) -> list[str]:
    return [sentence[start:end] for start, end in marks(parse(query), sentence, **known)]


@pytest.mark.parametrize(
    ("query", "sentence", "expected"),
    [
        ("creme ", "Crème and CRÈME, not cremes?", ["Crème", "CRÈME", "cremes"]),
        ("sed", "Sediment and used", ["Sediment"]),
        ("floods ", "Flooding floods the flood plain", ["Flooding", "floods", "flood"]),
        ('"floods"', "Flooding floods the flood plain", ["floods"]),
        ("salt marsh ", "a salt-marsh", ["salt", "marsh"]),
        ("salt-marsh ", "a saltmarsh, a salt marsh", ["saltmarsh", "salt marsh"]),
        ('"salt marsh" ', "marsh of salt; salt marsh", ["salt marsh"]),
        ("sediment ", "the sedi-\nment moved", ["sedi-\nment"]),
        ("湿地", "海岸湿地的螃蟹", ["湿地"]),
        ("蟹", "螃蟹", ["蟹"]),
        ("Mueller ", "Müller was here", ["Müller"]),
        ("nabla ", "the operator ∇ acts", ["∇"]),
        ("ion ", "condition", []),
    ],
)
def test_words_are_marked_in_their_own_spelling(query, sentence, expected):
    assert marked(query, sentence) == expected


def test_ubiquitous_words_stay_unmarked_unless_there_are_no_others():
    assert marked("the crab ", "The crab and the mud", ubiquitous=frozenset({"the"})) == ["crab"]
    assert marked("the ", "The crab", ubiquitous=frozenset({"the"})) == ["The"]


def test_stems_are_those_of_the_language():
    assert marked("Krabben ", "eine Krabbe", language="de") == ["Krabbe"]


@given(st.text(), st.text())
def test_marks_rise_and_lie_in_the_sentence(query, sentence):
    spans = marks(parse(query), sentence)
    assert all(0 <= start < end <= len(sentence) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
