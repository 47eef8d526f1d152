"""The picker `dense` (specs/19-sentences.md)."""

import numpy as np
import pytest

from pincite.query.parse import parse
from pincite.search.quote import LONGEST
from pincite.spec import Context
from pincite.text.sentences import sentences
from pincite.values.search import Quotable
from pincite_plugins.pickers.dense import Settings
from pincite_plugins.pickers.dense.picker import AROUND, READ, DensePicker
from pincite_plugins.pickers.dense.reading import KEPT, Reader
from token_vectors import TokenEmbedder

TEXT = "Storms thin the canopy. The holdfast grips the rock while urchins graze. Nothing else was seen that day."

ALIKE = "The holdfast grips rock. The holdfast grips sand. The holdfast grips wood."
"""At first sight one sentence answers as well as another."""


def quotable(text=TEXT):
    return Quotable(text, tuple(sentences(text)))


def picker(embedder, **settings):
    return DensePicker(lambda: embedder, Settings(**settings))


def passages_read(embedder, asked):
    """Without the question, which is read as a passage, too."""
    return [text for text, kind in embedder.calls if kind == "passage" and text != asked.semantic]


def test_the_model_reads_no_more_than_its_limit_of_tokens_best_passages_first():
    embedder = TokenEmbedder()
    many = [quotable(ALIKE.replace("grips", f"grips {number}")) for number in range(6)]
    asked = parse("what does the holdfast grip ")
    chosen = picker(embedder, tokens=8 * 26).pick_all(asked, many)
    read = passages_read(embedder, asked)
    assert read == [
        text[slice(*span)] for text, spans in ((one.text, one.sentences) for one in many[:2]) for span in spans
    ]
    assert sum(embedder.count(read)) + AROUND * (len(read) + 1) <= 8 * 26
    assert all(one is not None for one in chosen)


def test_a_sentence_that_stands_out_at_first_sight_is_not_read():
    embedder = TokenEmbedder()
    chosen = picker(embedder).pick_all(parse("holdfast rock "), [quotable()])
    assert TEXT[slice(*chosen[0])].startswith("The holdfast")
    assert embedder.calls == []


def test_a_long_question_is_read_once():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip " * 20)
    picker(embedder).pick_all(asked, [quotable(ALIKE)])
    assert [kind for text, kind in embedder.calls if text == asked.semantic] == ["query"]
    assert passages_read(embedder, asked)


def test_passages_beyond_the_first_looks_are_left_to_the_next_picker():
    chosen = picker(TokenEmbedder(), looks=2).pick_all(parse("holdfast rock "), [quotable()] * 5)
    assert [one is None for one in chosen] == [False, False, True, True, True]


def test_all_sentences_of_a_passage_are_read_in_one_call():
    embedder = TokenEmbedder()
    picker(embedder).pick_all(parse("what does the holdfast grip "), [quotable(ALIKE)] * 3)
    assert len([kind for _, kind in embedder.calls if kind == "query"]) == 1


def test_without_text_for_an_embedder_the_choice_is_left():
    assert picker(TokenEmbedder()).pick_all(parse("type:book"), [quotable()]) == [None]


def test_a_model_without_token_vectors_is_looked_at_by_words():
    from hash_model import HashEmbedder

    chosen = picker(HashEmbedder(), tokens=0).pick_all(parse("holdfast rock "), [quotable()])
    assert TEXT[slice(*chosen[0])].startswith("The holdfast")


@pytest.mark.model
def test_the_default_model_finds_the_sentence_of_another_language(model_home):
    from pincite_plugins.embedders.onnx import OnnxSettings, make

    text = (
        "The survey lasted from March until the end of May. Its members slept in two tents near the harbour. "
        "Sea urchins eat the young plants as soon as the otters have left. The cook came from the village."
    )
    embedder = make(OnnxSettings(), Context(home=model_home))
    query = parse("Was fressen Seeigel, wenn die Otter fort sind?")
    expected = text.index("Sea urchins")
    assert picker(embedder).pick_all(query, [quotable(text)])[0][0] == expected
    assert picker(embedder, tokens=0).pick_all(query, [quotable(text)])[0][0] == expected


class Fixed:
    """A model of three directions that knows these texts alone."""

    def __init__(self, vectors):
        self.vectors = vectors

    def count(self, texts):
        return [1 for _ in texts]

    def embed(self, texts, kind, cancelled=lambda: False):
        rows = np.array(
            [self.vectors[text] if text in self.vectors else self.vectors[text, kind] for text in texts], np.float32
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def chosen_by(vectors, question):
    text = "The alder leans. The birch sways. The cedar falls."
    chosen = picker(Fixed(vectors)).pick_all(parse(question), [quotable(text)])[0]
    return text[slice(*chosen)]


def test_a_sentence_that_is_near_to_all_others_loses_to_one_that_is_as_near_to_the_question():
    hub, other = (1.0, 1.0, 0.0), (1.0, 0.0, 1.0)
    vectors = {
        "The alder leans.": hub,
        "The birch sways.": other,
        "The cedar falls.": (0.0, 1.0, 0.0),
        "quoi": (1.0, 0.0, 0.0),
    }
    assert chosen_by(vectors, "quoi") == "The birch sways."


def test_the_question_is_read_as_a_passage_too():
    vectors = {
        "The alder leans.": (1.0, 0.0, 0.0),
        "The birch sways.": (0.0, 1.0, 0.0),
        "The cedar falls.": (0.0, 0.0, 1.0),
    }
    vectors |= {("quoi", "query"): (0.55, 0.5, 0.0), ("quoi", "passage"): (0.0, 1.0, 0.0)}
    assert chosen_by(vectors, "quoi") == "The birch sways."


class InContext(Fixed):
    """Its tokens have the directions that are given for each text."""

    def __init__(self, vectors, tokens):
        super().__init__(vectors)
        self.tokens = tokens

    def with_tokens(self, texts, kind):
        return self.embed(texts, kind), [np.array(self.tokens[text], np.float32) for text in texts]


def test_where_vectors_tell_little_the_tokens_as_they_are_read_decide():
    alike = (1.0, 0.2, 0.0)
    texts = ("The alder leans.", "The birch sways.", "The cedar falls.", "quoi")
    tokens = dict(zip(texts, ([(1, 0, 0)], [(0, 0, 1), (0, 1, 0)], [(1, 0, 0)], [(0, 1, 0)]), strict=True))
    embedder = InContext(dict.fromkeys(texts, alike), tokens)
    text = " ".join(texts[:3])
    chosen = picker(embedder).pick_all(parse("quoi"), [quotable(text)])[0]
    assert text[slice(*chosen)] == "The birch sways."


def passage(text, worth):
    return Quotable(text, tuple(sentences(text)), worth=worth)


SAID = "Urchins graze at night. The holdfast grips the rock."
ELSEWHERE = "Storms thin the canopy. Otters eat urchins."


def test_the_passage_whose_sentence_says_it_stands_first_although_another_is_worth_more():
    asked = parse("what does the holdfast grip ")
    assert picker(TokenEmbedder()).order(asked, [passage(ELSEWHERE, 0.5), passage(SAID, 0.4)]) == [1, 0]


def test_what_passages_are_worth_decides_between_sentences_that_say_the_same():
    asked = parse("what does the holdfast grip ")
    alike = [passage(SAID + " Once.", 0.4), passage(SAID + " Twice.", 0.3), passage(SAID + " Thrice.", 0.2)]
    assert picker(TokenEmbedder()).order(asked, alike) == [0, 1, 2]


def test_what_got_no_look_stays_as_it_is_behind_what_did():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip ")
    many = [passage(ELSEWHERE.replace("thin", f"thin {number}"), 0.5 - number / 100) for number in range(8)]
    found = picker(embedder).order(asked, [*many, passage(SAID, 0.15), passage(SAID, 0.1)])
    assert sorted(found[:8]) == list(range(8))
    assert found[8:] == [8, 9]
    assert len(passages_read(embedder, asked)) == READ


def test_passages_in_contention_that_are_not_read_follow_by_the_first_look():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip ")
    many = [passage(f"{ELSEWHERE} {number}", 0.5) for number in range(READ)]
    read = [passage(f"{SAID} Then {number}.", 0.5) for number in range(READ)]
    assert set(picker(embedder).order(asked, [*many, *read])[:READ]) == {READ, READ + 1, READ + 2}


def test_the_order_reads_no_more_than_its_limit_of_tokens():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip ")
    both = [passage(ELSEWHERE, 0.5), passage(SAID, 0.4)]
    assert picker(embedder, order=0).order(asked, both) == [0, 1]
    assert picker(embedder, order=AROUND).order(asked, both) == [0, 1]
    assert picker(embedder).order(parse("type:book"), both) == [0, 1]
    assert embedder.calls == []


def test_of_an_endless_sentence_as_much_is_read_as_would_be_shown():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip ")
    picker(embedder, order=10_000).order(asked, [passage("the holdfast grips " * 400, 0.5), passage(SAID, 0.4)])
    assert max(map(len, passages_read(embedder, asked))) <= LONGEST


def test_what_the_order_read_is_not_read_again_to_pick():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip ")
    dense = picker(embedder)
    both = [passage(ALIKE, 0.5), passage(ALIKE.replace("grips", "holds"), 0.4)]
    dense.order(asked, both)
    dense.pick_all(asked, both)
    read = [one for one in embedder.calls if one[1] == "passage"]
    assert len(read) == len(set(read))
    alone = picker(TokenEmbedder()).pick_all(asked, both)
    assert dense.pick_all(asked, both) == alone


class Looking(TokenEmbedder):
    """Knows which texts got a first look."""

    def __init__(self):
        super().__init__()
        self.looked_at = []

    def pieces(self, texts):
        self.looked_at += texts[1:]
        return super().pieces(texts)


def test_what_got_a_first_look_to_be_put_in_order_gets_none_to_be_picked_from():
    embedder = Looking()
    asked = parse("what does the holdfast grip ")
    dense = picker(embedder)
    both = [passage(ALIKE, 0.5), passage(ALIKE.replace("grips", "holds"), 0.4)]
    dense.order(asked, both)
    before = list(embedder.looked_at)
    dense.pick_all(asked, [*both, passage(TEXT, 0.3)])
    new = embedder.looked_at[len(before) :]
    assert new == [TEXT[start:end] for start, end in sentences(TEXT)]
    dense.pick_all(parse("which rock "), both)
    assert embedder.looked_at == [*before, *new, *before]


def test_what_is_remembered_of_a_question_is_bounded_and_found_again():
    reader = Reader(lambda: TokenEmbedder())
    many = [f"The holdfast grips rock number {number}." for number in range(KEPT + 10)]
    whole = reader.read("what grips", None, many, True)
    again = reader.read("what grips", None, [many[1], "Otters eat urchins."], True)
    assert again.cosines[0] == pytest.approx(whole.cosines[1], abs=1e-6)
    assert again.by_tokens[0] == pytest.approx(whole.by_tokens[1], abs=1e-6)


def test_a_long_sentence_is_judged_by_the_part_of_it_that_would_be_shown():
    embedder = TokenEmbedder()
    asked = parse("what does the holdfast grip ")
    far = "urchins graze and otters eat them and storms come " * 12 + "and the holdfast grips the rock"
    picker(embedder).order(asked, [passage(ELSEWHERE, 0.5), passage(far, 0.5)])
    assert any("holdfast grips the rock" in one for one in passages_read(embedder, asked))
