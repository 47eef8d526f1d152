"""Wire formats (specs/22-endpoints.md): what is sent, and what is taken from a reply."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_plugins.embedders.endpoint.failures import Failure, Kind, classify
from pincite_plugins.embedders.endpoint.formats import Ask, body, parse

KEYS = st.sampled_from(["data", "index", "embedding", "embeddings", "usage"])
ROWS = [[0.5, -1.0, 2.0], [1.0, 0.25, 0.0]]


def reply(value):
    return json.dumps(value).encode()


def openai(rows, **more):
    return reply({"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)], **more})


def test_openai_is_asked_for_a_model_and_an_encoding():
    assert json.loads(body(Ask("openai", "e5", "base64", 256), ["one"])) == {
        "model": "e5", "input": ["one"], "encoding_format": "base64", "dimensions": 256,
    }  # fmt: skip


def test_tei_is_asked_not_to_cut():
    assert json.loads(body(Ask("tei"), ["one"])) == {"inputs": ["one"], "normalize": True, "truncate": False}


def test_ollama_is_asked_not_to_cut():
    assert json.loads(body(Ask("ollama", "e5"), ["one"])) == {"model": "e5", "input": ["one"], "truncate": False}


def test_a_lone_surrogate_can_be_sent():
    assert json.loads(body(Ask("tei"), ["a\ud800b"]))["inputs"] == ["a?b"]


def test_floats_are_read_with_the_tokens_and_the_model():
    answer = parse("openai", openai(ROWS, usage={"total_tokens": 7}, model="e5"), 2)
    assert answer.rows.tolist() == ROWS
    assert (answer.tokens, answer.model) == (7, "e5")


def test_base64_is_read_whatever_was_asked_for():
    coded = [base64.b64encode(np.array(row, "<f4").tobytes()).decode() for row in ROWS]
    assert parse("openai", openai(coded), 2).rows.tolist() == ROWS


def test_rows_come_in_the_order_of_their_index():
    data = reply({"data": [{"index": 1, "embedding": ROWS[1]}, {"index": 0, "embedding": ROWS[0]}]})
    assert parse("openai", data, 2).rows.tolist() == ROWS


def test_tei_and_ollama_are_read():
    assert parse("tei", reply(ROWS), 2).rows.tolist() == ROWS
    answer = parse("ollama", reply({"model": "e5", "embeddings": ROWS, "prompt_eval_count": 5}), 2)
    assert answer.rows.tolist() == ROWS
    assert (answer.tokens, answer.model) == (5, "e5")


@pytest.mark.parametrize(
    ("format", "data", "what"),
    [
        ("openai", b"<html>welcome</html>", "not JSON"),
        ("openai", b"[" * 100_000, "not JSON"),
        ("openai", reply([1]), "not an object"),
        ("openai", reply({"error": {"message": "no such model"}}), "no such model"),
        ("openai", reply({"choices": []}), "no list 'data'"),
        ("openai", openai(ROWS[:1]), "1 vectors for 2 texts"),
        ("openai", reply({"data": [{"index": 0, "embedding": ROWS[0]}] * 2}), "twice"),
        (
            "openai",
            reply({"data": [{"index": 5, "embedding": ROWS[0]}, {"index": 0, "embedding": ROWS[0]}]}),
            "out of range",
        ),
        ("openai", openai([[1.0], [1.0, 2.0]]), "several widths: 1, 2"),
        ("openai", openai([[], []]), "widths: 0"),
        ("openai", openai([[float("nan"), 1.0], [1.0, 1.0]]), "NaN"),
        ("openai", openai([[1e300, 1.0], [1.0, 1.0]]), "NaN or infinity"),
        ("openai", openai([[10**400, 1.0], [1.0, 1.0]]), "beyond float32"),
        ("openai", openai([[0.0, 0.0], [1.0, 1.0]]), "zeros"),
        ("openai", openai([[[0.1], [0.2]], [[0.1], [0.2]]]), "does not pool"),
        ("openai", openai(["not base64!", "x"]), "not base64"),
        ("openai", openai(["YWJj", "YWJj"]), "cut short"),
        ("openai", openai([[None, 1], [1, 1]]), "other than numbers"),
        ("openai", openai([[True, 1], [1, 1]]), "other than numbers"),
        ("tei", reply({"error": "x"}), "no list"),
        ("ollama", reply({"embedding": [1]}), "no list"),
    ],
)
def test_anything_but_the_vectors_asked_for_is_a_failure(format, data, what):
    with pytest.raises(Failure, match=what) as caught:
        parse(format, data, 2)
    assert caught.value.kind is Kind.REPLY


@given(st.binary(max_size=200) | st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8).map(lambda value: json.dumps(value).encode()), st.sampled_from(["openai", "tei", "ollama"]))  # fmt: skip
def test_any_reply_is_vectors_or_a_failure(data, format):
    try:
        rows = parse(format, data, 1).rows
    except Failure:
        return
    assert rows.shape[0] == 1
    assert np.isfinite(rows).all()


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (401, "", Kind.AUTHORISATION),
        (403, "", Kind.AUTHORISATION),
        (404, "", Kind.CONFIGURATION),
        (404, "model not found, input too long", Kind.CONFIGURATION),
        (413, "", Kind.SIZE),
        (400, "This model's maximum context length is 8192 tokens", Kind.SIZE),
        (422, "`inputs` must have less than 512 tokens. Given: 700", Kind.SIZE),
        (500, "input is too large to process. increase the physical batch size", Kind.SIZE),
        (422, "batch size 64 > maximum allowed batch size 32", Kind.SIZE),
        (429, "Rate limit reached: too many requests", Kind.RATE),
        (500, "CUDA error", Kind.SERVER),
        (503, "loading model", Kind.SERVER),
        (400, "invalid input", Kind.ITEM),
        (302, "", Kind.CONFIGURATION),
        (408, "", Kind.NETWORK),
        (204, "", Kind.REPLY),
    ],
)
def test_a_status_has_its_class(status, said, kind):
    assert classify(status, said) is kind
