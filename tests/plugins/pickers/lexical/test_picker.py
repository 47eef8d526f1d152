"""The lexical picker (specs/19-sentences.md)."""

from __future__ import annotations

import pytest

from pincite.query import parse
from pincite.text.sentences import sentences
from pincite_plugins.pickers.lexical.picker import LexicalPicker

TEXT = "The plots lie on the coast. Storms thin the kelp. The kelp is brown. Light reaches the floor where storms thinned it."


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("did storms thin kelp ", "Storms thin the kelp."),
        ("light on the floor ", "Light reaches the floor where storms thinned it."),
        ("brown ", "The kelp is brown."),
        ("kelp ", "Storms thin the kelp."),
        ("where do the plots lie", "The plots lie on the coast."),
    ],
)
def test_the_sentence_that_says_most_of_the_query(query, expected):
    start, end = LexicalPicker().pick(parse(query), TEXT, sentences(TEXT))
    assert TEXT[start:end] == expected


@pytest.mark.parametrize("query", ["urchin ", "", "?"])
def test_no_sentence_where_none_says_any_word(query):
    assert LexicalPicker().pick(parse(query), TEXT, sentences(TEXT)) is None
