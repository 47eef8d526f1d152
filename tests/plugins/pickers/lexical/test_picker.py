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


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("rock storm", "The rock is grey. A storm passed. The rock is wet. Some rock is old.", "A storm passed."),
        ("tide pool", "The pool has a tide. A tide pool is small.", "A tide pool is small."),
        ("it storms", "Here it is. There it storms. Or storms pass. Then it ends.", "There it storms."),
        ("storm rock", f"{'Rock and ' * 12}rock. A rock in a storm.", "A rock in a storm."),
        ("old rock", "Old and grey. Rock, and rock again. Nothing.", "Rock, and rock again."),
        ("it of storms", "Storms pass. Of the pool, and it. Nothing.", "Storms pass."),
    ],
    ids=["rarer", "side by side", "both", "more words", "said again", "short words count for less"],
)
def test_what_makes_a_sentence_say_more(query, text, expected):
    start, end = LexicalPicker().pick(parse(query), text, sentences(text))
    assert text[start:end] == expected
