"""What the fts5 ranker's index is given is what `pincite.text.tokens` says of a text (specs/14-text.md)."""

from __future__ import annotations

import re
from collections import Counter

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.text.scripts import holds_cjk
from pincite.text.tokens import STOP, index_text, tokens
from pincite_plugins.rankers.fts5.lexicon import Lexicon
from pincite_plugins.rankers.fts5.reading import Reader

FTS5_TOKEN = re.compile("[0-9A-Za-z\\-_./:+#\x80-\U0010ffff]+")
"""As the tokenizer of the FTS5 table has it."""

WORDS = ["old-world", "e.g.", "Fig. 3", "3.14", "gpt-4.", "don't", "al.", "J.", "c++", "α-helix", "∑", "--", "潮汐", "3月", "第2.5章", "v2的。",
         "甲:乙", "한국", "ประเทศ", "Straße", "x" * 70, "end!", "well-\nknown", "“so”", "·", "\x00"]  # fmt: skip

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=5).map("".join),
)


@pytest.fixture(scope="module")
def connection():
    made = apsw.Connection(":memory:")
    made.execute("CREATE TABLE term(id)")
    return made


def read(lexicon: Lexicon, given: list[str]) -> tuple[list[Counter[str]], list[list[str]]]:
    """For each text its words with their number, and FTS5's tokens in order."""
    reader = Reader(lexicon)
    rows: list[list[object]] = [[number, ""] for number in range(len(given))]
    for row, text in zip(rows, given, strict=True):
        reader.add(text, "en", row, 1)
    reader.read()
    words = [Counter[str]() for _ in given]
    for word, text in zip(*(part.tolist() for part in reader.mentions()), strict=True):
        words[text][lexicon.words[word]] += 1
    return words, [FTS5_TOKEN.findall(str(row[1])) for row in rows]


@given(st.lists(texts, max_size=4))
@example(["2008年潮汐 2008", "the 2008 tide"])
def test_words_are_those_of_each_text(connection, given):
    words, _ = read(Lexicon(connection), given)
    for found, text in zip(words, given, strict=True):
        del found[STOP]
        assert found == Counter(word for word in index_text(text).split() if word != STOP)


@given(st.lists(texts, max_size=4))
def test_fts5_is_given_the_parts_in_order_and_then_what_stands_beside_them(connection, given):
    _, rows = read(Lexicon(connection), given)
    for row, text in zip(rows, given, strict=True):
        found = [token for token in row if token != STOP]
        parts = [token.text for token in tokens(text) if not token.whole]
        assert found[: len(parts)] == parts
        beside = Counter(word for word in index_text(text).split() if word != STOP) - Counter(parts)
        assert Counter(found[len(parts) :]) == Counter(
            {word: count for word, count in beside.items() if len(word) > 1 or not holds_cjk(word)}
        )


@given(texts.filter(lambda text: not holds_cjk(text)))
def test_stops_stand_where_sentences_end(connection, text):
    _, (row,) = read(Lexicon(connection), [text])
    assert row == index_text(text).split()


def test_a_word_that_was_met_before_keeps_its_number(connection):
    lexicon = Lexicon(connection)
    read(lexicon, ["the tide, the moon"])
    count = len(lexicon.words)
    words, _ = read(lexicon, ["the moon. The tide"])
    assert (words[0]["the"], words[0]["moon"], words[0]["tide"]) == (2, 1, 1)
    assert len(lexicon.words) == count


def test_the_table_of_words_grows(connection):
    lexicon = Lexicon(connection)
    made = [
        " ".join(f"w{number * 7919 % 100_003}" for number in range(at, at + 1_000)) for at in range(0, 20_000, 1_000)
    ]
    for text in made:
        read(lexicon, [text])
    words, _ = read(lexicon, made)
    assert [set(one) for one in words] == [set(text.split()) for text in made]


def test_many_texts_read_as_few_do(connection):
    given = [
        f"row {number} of the " + ("Straße, 潮汐。" if number % 3 else "old-world tide. ") * 9
        for number in range(1_000)
    ]
    words, rows = read(Lexicon(connection), given)
    one_by_one = [read(Lexicon(connection), [text]) for text in given[:50]]
    assert [(words[at], rows[at]) for at in range(50)] == [(found[0], row[0]) for found, row in one_by_one]
