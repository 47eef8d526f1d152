"""Even pieces (specs/15-chunks.md, "How much" 4 and 5)."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from pincite.text.sentences import sentences
from pincite_plugins.chunkers.structural.layout import Paragraph
from pincite_plugins.chunkers.structural.pieces import atoms, even_pieces


def by_words(texts):
    return [len(text.split()) for text in texts]


@given(st.lists(st.integers(1, 100), min_size=1, max_size=200), st.integers(100, 600), st.integers(0, 48))
def test_pieces_cover_fit_and_go_forward(sizes, budget, overlap):
    pieces = even_pieces(sizes, budget, overlap)
    assert pieces[0][0] == 0
    assert pieces[-1][1] == len(sizes)
    assert all(sum(sizes[start:end]) <= budget for start, end in pieces)
    for (start, end), (after, after_end) in itertools.pairwise(pieces):
        assert start < after <= end < after_end
        assert sum(sizes[after:end]) <= overlap


@given(st.integers(1, 400), st.integers(5, 20))
def test_equal_sentences_give_the_fewest_pieces(n, size):
    budget, overlap = 510, 48
    total = n * size
    wanted = 1 if total <= budget else math.ceil(total / (budget - overlap))
    assert len(even_pieces([size] * n, budget, overlap)) == wanted


def test_a_sentence_over_the_budget_is_halved_at_white_space():
    text = " ".join(["tide"] * 100)
    parts = atoms(text, [Paragraph(((0, len(text)),), -1)], by_words, 60, sentences)
    assert [part.tokens for part in parts] == [49, 51]


def test_no_part_begins_with_a_combining_mark():
    text = "e\u0301" * 3000
    parts = atoms(text, [Paragraph(((0, len(text)),), -1)], lambda texts: [len(t) for t in texts], 500, sentences)
    assert all(text[part.spans[0][0]] == "e" for part in parts)
    assert sum(end - start for part in parts for start, end in part.spans) == len(text)


def test_lower_case_after_a_full_stop_is_a_boundary_where_one_is_needed():
    text = " ".join("one two three four." for _ in range(30))
    parts = atoms(text, [Paragraph(((0, len(text)),), -1)], by_words, 60, sentences)
    assert {part.tokens for part in parts} == {4}


def test_an_atom_over_the_budget_is_a_piece_of_its_own():
    assert even_pieces([2, 2, 2], 1, 0) == [(0, 1), (1, 2), (2, 3)]
    assert even_pieces([1, 5, 1, 1], 2, 1) == [(0, 1), (1, 2), (2, 3), (3, 4)]
