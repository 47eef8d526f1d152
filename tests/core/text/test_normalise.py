"""The normaliser and the tokeniser (specs/14-text.md): the cases of conformance/normalisation.toml, and their laws."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.text.normalise import fold, normalise
from pincite.text.tokens import STOP, index_text, tokens

CASES = tomllib.loads((Path(__file__).parents[2] / "conformance" / "normalisation.toml").read_text("utf-8"))["case"]

# Texts made of what the normaliser knows, besides any text at all.
pieces = st.sampled_from(
    ["-\n", "\u00ad", "<i>", "</i>", "<", "i>", "\\alpha", "\\mathrm{", "\\", "}", "e\u0301", "か\u3099", "\u3099", "ﬃ", "ß",
     "İ", "½", "\u1112", "\u1161", "가", "α", "-", "\n", " ", "a", "B", "9", "क़", "ลำ", "\x00", "。", "東", "c++", "。", "\u0301"]
)  # fmt: skip
texts = st.text() | st.lists(pieces, max_size=12).map("".join)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case):
    assert fold(case["text"]) == case["folded"]
    if "tokens" in case:
        assert index_text(case["text"]) == case["tokens"]


@given(texts)
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_spans_rise_and_lie_in_the_source(text):
    normalised = normalise(text)
    before = (0, 0)
    for at in range(len(normalised.text)):
        start, end = normalised.source_span(at, at + 1)
        assert 0 <= start < end <= len(text)
        assert start >= before[0]
        assert end >= before[1]
        before = (start, end)


@given(texts)
def test_the_whole_covers_what_its_characters_do(text):
    normalised = normalise(text)
    if normalised.text:
        start, end = normalised.source_span(0, len(normalised.text))
        assert start == normalised.source_span(0, 1)[0]
        assert end == normalised.source_span(len(normalised.text) - 1, len(normalised.text))[1]


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "Zs"])))
def test_a_character_without_edits_folds_from_its_own_source(text):
    normalised = normalise(text)
    for at, char in enumerate(normalised.text):
        start, end = normalised.source_span(at, at + 1)
        assert char in fold(text[start:end])


@given(texts)
@example("A-\nа\u1780")
@example("µ1日")
@example("αa-\nb")
def test_tokens_lie_in_the_source_and_are_what_the_index_takes(text):
    found = tokens(text)
    for token in found:
        assert 0 <= token.start < token.end <= len(text)
    assert sorted(token.text for token in found) == sorted(word for word in index_text(text).split() if word != STOP)


@given(texts)
def test_positions_count_the_parts(text):
    parts = [token for token in tokens(text) if not token.whole]
    assert [token.position for token in parts] == list(range(len(parts)))


def test_lone_surrogates_and_nul_are_accepted():
    assert fold("a\ud800b\x00c").startswith("a")
    assert [token.text for token in tokens("mud\x00crab")] == ["mud", "crab"]


def test_a_mark_belongs_to_the_span_of_its_letter():
    normalised = normalise("cafe\u0301 x")
    assert normalised.source_span(3, 4) == (3, 5)
    assert normalised.source_span(0, 4) == (0, 5)


def test_breaks_are_where_a_hyphen_was_taken_out():
    normalised = normalise("sedi-\nment, tide-\nswept")
    assert [normalised.text[:at] for at in normalised.breaks] == ["sedi", "sediment, tide"]


def test_a_token_never_grows_beyond_its_limit():
    assert max(len(token.text) for token in tokens("acgt" * 5_000)) == 64
