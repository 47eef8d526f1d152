"""Sentences (specs/19-sentences.md)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["The tide fell.", "Crabs came out!", "Why?"],
        ["Okafor et al. (2018) saw it in Fig. 3 near the wall.", "Then it went."],
        ["It grew by 3.5 mm.", "Next year it grew by 4 mm."],
        ["J. R. Brandt and Dr. Okafor agree.", "We do not."],
        ["See e.g. Brandt for this.", "Others differ, i.e. Okafor."],
        ["They lack vitamin C.", "The crabs do not."],
        ["1. Introduction to tides"],
        ["Am 3. Mai fiel die Flut.", "Z. B. Herr Brandt sah es."],
        ["潮退了。", "螃蟹出来了！", "为什么？"],
        ["「潮が引いた。」", "と言った。"],
    ],
)
def test_parts_are_sentences(parts):
    spaced = " " if parts[0].isascii() or "ü" in parts[0] or parts[0][0] == "A" else ""
    assert cut(spaced.join(parts)) == parts


def test_a_line_end_is_white_space_and_a_blank_line_an_end():
    assert cut("The tide\nfell\n\nand rose") == ["The tide\nfell", "and rose"]


def test_thai_is_cut_at_spaces_once_it_is_long():
    text = " ".join(["ป่าชายเลนเป็นที่อยู่ของปูและปลาเล็กจำนวนมาก"] * 8)
    found = cut(text)
    assert len(found) > 1
    assert all(len(sentence) < 200 for sentence in found)


@given(st.text())
def test_spans_rise_and_hold_every_character_that_is_not_white_space(text):
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    held = set().union(*(range(start, end) for start, end in spans))
    assert all(char.isspace() or at in held for at, char in enumerate(text))
