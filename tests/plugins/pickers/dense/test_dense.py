"""The picker `dense` (specs/19-sentences.md)."""

import pytest

from pincite.query.parse import parse
from pincite.spec import Context
from pincite.text.sentences import sentences
from pincite.values.search import Quotable
from pincite_plugins.pickers.dense import Settings
from pincite_plugins.pickers.dense.picker import DensePicker
from token_vectors import TokenEmbedder

TEXT = "Storms thin the canopy. The holdfast grips the rock while urchins graze. Nothing else was seen that day."


def quotable(text=TEXT):
    return Quotable(text, tuple(sentences(text)))


def picker(embedder, **settings):
    return DensePicker(lambda: embedder, Settings(**settings))


def passages_read(embedder):
    return [text for text, kind in embedder.calls if kind == "passage"]


def test_the_model_reads_no_more_than_its_limit_of_tokens_best_passages_first():
    embedder = TokenEmbedder()
    many = [quotable(TEXT.replace("day", f"day {number}")) for number in range(6)]
    chosen = picker(embedder, tokens=40, each=9).pick_all(parse("what holds it fast "), many)
    read = passages_read(embedder)
    assert read
    assert sum(embedder.count(read)) <= 40
    assert all(text in many[0].text or text in many[1].text for text in read)
    assert all(one is not None for one in chosen)


def test_passages_beyond_the_first_looks_are_left_to_the_next_picker():
    chosen = picker(TokenEmbedder(), looks=2).pick_all(parse("holdfast rock "), [quotable()] * 5)
    assert [one is None for one in chosen] == [False, False, True, True, True]


def test_all_sentences_of_a_passage_are_read_in_one_call():
    embedder = TokenEmbedder()
    picker(embedder).pick_all(parse("holdfast rock "), [quotable()] * 3)
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
