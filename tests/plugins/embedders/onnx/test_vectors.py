"""Vectors (specs/08-model-cards.md, "Vectors"): true to the weights, and a text's own whatever is embedded with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pincite.errors import Cancelled, ConfigError, PinciteError, UsageError
from pincite.models.commands import verify_model
from pincite.spec import Context, Embedder
from pincite_plugins.embedders.onnx import OnnxSettings, make

pytestmark = pytest.mark.model

PLAIN = [
    "The glacier surged twice in that decade.",
    "Moss crept over the basalt, a few millimetres a year, and nobody had measured it before. " * 12,
    "Flechten wachsen langsam.",
    "冰川在冬天缓慢移动，夏天则快得多。",
    "short",
    "",
    "Ледник движется медленно. " * 30,
]


def short(varied, count):
    return [text for text in varied(200) if len(text) < 120][:count]


def cosines(one, other):
    return (one * other).sum(axis=1)


@pytest.mark.parametrize(("precision", "least"), [("q4", 0.999), ("int8", 0.985)])
@pytest.mark.parametrize("kind", ["passage", "query"])
def test_vectors_are_those_of_the_package(embedder_of, engine, varied, precision, least, kind):
    texts = PLAIN + short(varied, 24)
    vectors = embedder_of(precision=precision).embed(texts, kind)
    assert cosines(vectors, engine.embed(texts, kind)).min() >= least


@pytest.mark.parametrize("model", ["multilingual-e5-small", "bge-small-en", "all-MiniLM-L6-v2"])
def test_recorded_vectors_come_out_again(embedder_of, models_home, model):
    embedder = embedder_of(model)
    faults = [verdict for verdict in verify_model(embedder.card, embedder, models_home) if verdict.fault]
    assert faults == []


@pytest.mark.parametrize("model", ["multilingual-e5-small", "bge-small-en", "all-MiniLM-L6-v2"])
def test_a_wrong_pooling_or_prefix_is_named(embedder_of, models_home, model):
    embedder = embedder_of(model)
    right = embedder.card
    if right.query_prefix:
        embedder.card = replace(right, query_prefix=right.passage_prefix, passage_prefix=right.query_prefix)
        faults = {verdict.fault for verdict in verify_model(right, embedder, models_home)}
        assert "prefix" in faults
        assert faults <= {"prefix", ""}


@pytest.mark.parametrize("model", ["multilingual-e5-small", "bge-small-en", "all-MiniLM-L6-v2"])
def test_a_text_has_one_vector_whatever_is_with_it(embedder_of, varied, model):
    embedder = embedder_of(model)
    texts = PLAIN + short(varied, 24)
    together = embedder.embed(texts, "passage")
    alone = np.concatenate([embedder.embed([text], "passage") for text in texts])
    backwards = embedder.embed(texts[::-1], "passage")[::-1]
    assert cosines(together, alone).min() >= 0.99999
    assert cosines(together, backwards).min() >= 0.99999


def test_every_vector_is_of_unit_length_and_right_width(e5):
    vectors = e5.embed(["", "a", "b" * 5000], "passage")
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert e5.embed([], "query").shape == (0, 384)


def test_any_text_is_embedded(e5):
    vectors = e5.embed(["\0", "\ud800 lone", "a\0b", "\u202e", "</s><s>"], "passage")
    assert np.isfinite(vectors).all()
    assert np.allclose(vectors[2], e5.embed(["ab"], "passage")[0], atol=1e-6)


def test_a_text_beyond_the_window_is_not_cut(e5, engine):
    head = "Moss crept over the basalt. " * 80
    texts = [head, head + "Herons nested in the reeds every spring until the dam was built. " * 20]
    assert min(e5.count(texts)) > e5.facts.window
    vectors = e5.embed(texts, "passage")
    assert float(vectors[0] @ vectors[1]) < 0.99
    assert cosines(vectors, engine.embed(texts, "passage")).min() >= 0.985


@pytest.mark.parametrize("model", ["multilingual-e5-small", "bge-small-en", "all-MiniLM-L6-v2"])
def test_the_room_on_the_card_is_the_room_there_is(embedder_of, model):
    embedder = embedder_of(model)
    tokens = embedder.tokens
    special = len(tokens.before) + len(tokens.after)
    text = "one two three"
    prefix = len(tokens.encode(embedder.card.passage_prefix + text)) - len(tokens.encode(text))
    assert embedder.facts.window == embedder.card.tokens - special - prefix


def test_nothing_is_padded_and_the_work_is_counted(embedder_of, varied):
    embedder = embedder_of()
    texts = varied(20)
    embedder.embed(texts, "passage")
    stats = embedder.stats
    assert stats.texts == 20
    assert stats.efficiency == 1.0
    assert stats.tokens == sum(embedder.count(texts)) + texts.count("") + 2 * stats.windows + 2 * 20
    assert stats.tokens_per_second > 0


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_tokens_in_context_come_with_the_same_vectors(e5, kind):
    texts = ["Moss crept over the basalt.", "herons", "水獭 and otters"]
    vectors, tokens = e5.with_tokens(texts, kind)
    assert np.array_equal(vectors, e5.embed(texts, kind))
    assert [one.shape for one in tokens] == [(count, 384) for count in e5.count(texts)]
    assert np.allclose([np.linalg.norm(row) for one in tokens for row in one], 1, atol=1e-5)


def test_a_token_means_something_else_in_another_context(e5):
    texts = ["the bank of the river", "the bank lends money"]
    _, (river, money) = e5.with_tokens(texts, "passage")
    at = 1
    assert e5.pieces(texts)[0][0][at] @ e5.pieces(texts)[1][0][at] == pytest.approx(1, abs=1e-5)
    assert river[at] @ money[at] < 0.95


def test_cancelling_stops_between_calls(e5):
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        e5.embed(PLAIN * 5, "passage", lambda: next(asked, True))
    assert e5.embed(["still works"], "query").shape == (1, 384)


def test_a_closed_engine_comes_back(embedder_of):
    embedder = embedder_of()
    before = embedder.embed(["moss"], "passage")
    embedder.close()
    embedder.close()
    assert np.array_equal(embedder.embed(["moss"], "passage"), before)


def test_facts_need_no_files(tmp_path):
    embedder = make(OnnxSettings(), Context(home=tmp_path / "nothing"))
    assert isinstance(embedder, Embedder)
    assert embedder.facts.id == "multilingual-e5-small@1/384"
    assert not (tmp_path / "nothing").exists()


def test_precision_is_part_of_what_vectors_are_called(tmp_path):
    assert make(OnnxSettings(precision="q4"), Context(home=tmp_path)).facts.id == "multilingual-e5-small@1/384+q4"


def test_a_precision_that_a_model_does_not_have_is_one_line(embedder_of):
    with pytest.raises(PinciteError, match=r"no graph for precision q4; there is: int8"):
        embedder_of("bge-small-en", precision="q4").embed(["moss"], "query")


def test_a_model_of_another_embedder_is_refused_by_name(tmp_path):
    with pytest.raises(UsageError, match=r'needs the embedder static: set \[embedder\] use = "static"'):
        make(OnnxSettings(model="potion-multilingual-128M"), Context(home=tmp_path))


def test_a_folder_without_the_files_is_one_line(tmp_path):
    with pytest.raises(PinciteError, match=r"does not have .*e5-small-q4\.bin.*put the files there"):
        make(OnnxSettings(folder=str(tmp_path)), Context(home=tmp_path / "home")).count(["moss"])


def test_a_damaged_model_file_is_refused(tmp_path):
    (tmp_path / "e5-small-q4.bin").write_bytes(b"E5S1" + b"\1" * 5000)
    with pytest.raises(PinciteError, match="is not the file that its card names"):
        make(OnnxSettings(folder=str(tmp_path)), Context(home=tmp_path / "home")).count(["moss"])
    assert not list((tmp_path / "home" / "models").glob("multi*"))


def test_a_broken_card_is_named(tmp_path):
    (tmp_path / "heron.toml").write_text("schema = 1\nname = 'heron'")
    with pytest.raises(ConfigError, match=r"heron\.toml"):
        make(OnnxSettings(model=str(tmp_path / "heron.toml")), Context(home=tmp_path))
