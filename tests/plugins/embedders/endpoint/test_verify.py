"""Verification (specs/22-endpoints.md): every verdict, with what was seen and what to do."""

from __future__ import annotations

import json
import socket

import numpy as np
import pytest

from hash_model import vectors
from pincite.endpoints.records import Verdict, load
from pincite.endpoints.texts import FIXED, SENTINELS


def verdict(bench, server, **settings):
    embedder = bench.embedder(server, **settings)
    return embedder.verify(embedder.servers[0])


@pytest.mark.parametrize("format", ["openai", "tei", "ollama"])
def test_a_right_server_is_ok_in_every_format(format, bench, server):
    found = verdict(bench, server, format=format)
    assert found.verdict is Verdict.OK, found.line
    assert found.figures["median"] == pytest.approx(1.0, abs=1e-4)
    assert server.calls[0].path == {"openai": "/v1/embeddings", "tei": "/embed", "ollama": "/api/embed"}[format]


def test_base64_is_as_good_as_numbers(bench, server):
    assert verdict(bench, server, encoding="base64").ok
    assert server.calls[0].body["encoding_format"] == "base64"


def test_base64_that_was_not_asked_for_is_read(bench, server):
    server.fault = lambda handler, call, number: call.body.update(encoding_format="base64")
    assert verdict(bench, server).ok


def test_vectors_of_any_length_are_normalised(bench, server):
    server.rows = lambda rows, call: rows * 17
    assert verdict(bench, server).ok


def test_a_server_that_adds_the_prefix_itself_is_ok_when_told(bench, server):
    server.embed = lambda texts: vectors([f"passage: {text}" for text in texts])
    assert verdict(bench, server, prefix="server").ok
    assert not any(text.startswith("passage: ") for text in server.texts)


def test_a_little_noise_of_other_weights_is_ok(bench, server):
    def noisy(rows, call):
        random = np.random.default_rng([sum(text.encode()) for text in call.texts[:1]])
        noise = random.standard_normal(rows.shape[1]).astype(np.float32)
        return rows + 0.02 * noise / np.linalg.norm(noise)

    server.rows = noisy
    assert verdict(bench, server).ok


WRONG = {
    "another model": (lambda texts: vectors(texts, "other"), "another model"),
    "vectors of queries": (lambda texts: vectors([text.replace("passage:", "query:") for text in texts]), "vectors of queries"),
    "first words only": (lambda texts: vectors([" ".join(text.split()[:2]) for text in texts]), "look"),
    "rows in reverse": (lambda texts: vectors(texts)[::-1], "place in a request"),
    "rows shifted by one": (lambda texts: np.roll(vectors(texts), 1, axis=0), "place in a request"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_other_vectors_are_low_agreement(name, bench, server):
    server.embed, says = WRONG[name]
    found = verdict(bench, server)
    assert found.verdict is Verdict.LOW_AGREEMENT, found.line
    assert says in found.seen
    assert found.remedy


def test_another_width_is_a_width_mismatch(bench, server):
    server.embed = lambda texts: vectors(texts, width=32)
    found = verdict(bench, server)
    assert found.verdict is Verdict.WIDTH_MISMATCH
    assert "32 numbers wide" in found.seen
    assert "64" in found.seen


@pytest.mark.parametrize("tokens", [90, 60])
def test_a_window_that_is_cut_is_a_context_too_small(tokens, bench, server):
    server.embed = lambda texts: vectors([" ".join(text.split()[:tokens]) for text in texts])
    found = verdict(bench, server)
    assert found.verdict is Verdict.CONTEXT_TOO_SMALL, found.line
    assert f"cut to {tokens} tokens" in found.seen


def test_a_window_so_small_that_ordinary_texts_are_cut_is_a_context_too_small(bench, server):
    server.embed = lambda texts: vectors([" ".join(text.split()[:26]) for text in texts])
    found = verdict(bench, server)
    assert found.verdict is Verdict.CONTEXT_TOO_SMALL, found.line
    assert "longer ones do not" in found.seen


def test_a_window_that_is_refused_is_a_context_too_small(bench, server):
    server.longest = 500
    found = verdict(bench, server)
    assert found.verdict is Verdict.CONTEXT_TOO_SMALL
    assert "too large to process" in found.seen


def test_the_same_vector_for_everything_is_not_embeddings(bench, server):
    server.rows = lambda rows, call: np.repeat(rows[:1], len(rows), axis=0)
    found = verdict(bench, server)
    assert not found.ok
    server.embed = lambda texts: np.repeat(vectors(["one and the same"]), len(texts), axis=0)
    server.rows = None
    found = verdict(bench, server)
    assert found.verdict is Verdict.NOT_EMBEDDINGS
    assert "have the vector of another" in found.seen


UNPOOLED = {"data": [{"index": 0, "embedding": [[0.1, 0.2]]}]}
ANSWERS = {
    "401": (lambda handler: handler.say(401, {"error": {"message": "no key"}}), Verdict.UNAUTHORIZED, "no key"),
    "403": (lambda handler: handler.say(403, {}), Verdict.UNAUTHORIZED, "403"),
    "404": (lambda handler: handler.say(404, b"<html>Not found</html>"), Verdict.NOT_EMBEDDINGS, "404"),
    "501": (lambda handler: handler.say(501, {"error": "This server does not support embeddings"}), Verdict.NOT_EMBEDDINGS, "support"),
    "503": (lambda handler: handler.say(503, {"error": "loading model"}), Verdict.UNREACHABLE, "loading model"),
    "429": (lambda handler: handler.say(429, {"error": "slow down"}), Verdict.UNREACHABLE, "slow down"),
    "web page": (lambda handler: handler.say(200, b"<!doctype html><p>welcome"), Verdict.NOT_EMBEDDINGS, "not JSON"),
    "chat": (lambda handler: handler.say(200, {"choices": [{"message": {"content": "Hello"}}]}), Verdict.NOT_EMBEDDINGS, "data"),
    "closes": (lambda handler: handler.connection.close(), Verdict.UNREACHABLE, "closed without a reply"),
    "several vectors": (lambda handler: handler.say(200, UNPOOLED), Verdict.NOT_EMBEDDINGS, "pool"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_what_gives_no_vectors_has_its_verdict(name, bench, server):
    answer, expected, says = ANSWERS[name]

    def fault(handler, call, number):
        answer(handler)
        handler.close_connection = (
            name == "closes"
        )  # else a connection that is used again might be closed under the question
        return True

    server.fault = fault
    found = verdict(bench, server)
    assert found.verdict is expected, found.line
    assert says in found.seen
    assert found.remedy
    assert len(server.calls) <= 4


def test_nobody_there_is_unreachable(bench):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    found = verdict(bench, url)
    assert found.verdict is Verdict.UNREACHABLE
    assert "refused" in found.seen


def test_a_verdict_is_kept_for_address_model_and_format(bench, server):
    embedder = bench.embedder(server)
    found = embedder.verify(embedder.servers[0])
    identity = embedder.identity(embedder.servers[0])
    assert (identity.model, identity.format) == ("hash@1/64", "openai")
    known = load(bench.home, identity)
    assert known == found
    assert known.sentinels.shape == (2, 64)
    other = bench.embedder(server, format="tei")
    assert load(bench.home, other.identity(other.servers[0])) is None


def test_a_record_that_is_cut_short_counts_as_none(bench, server):
    embedder = bench.embedder(server)
    embedder.verify(embedder.servers[0])
    identity = embedder.identity(embedder.servers[0])
    path = bench.home / "endpoints" / f"{identity.key}.json"
    whole = path.read_bytes()
    for size in (0, 10, len(whole) // 2):
        path.write_bytes(whole[:size])
        assert load(bench.home, identity) is None
    value = json.loads(whole)
    path.write_text(json.dumps({**value, "sentinels": ""}), "utf-8")
    assert load(bench.home, identity) is None


def test_a_server_that_takes_few_texts_a_request_is_ok(bench, server):
    server.most = 3
    assert verdict(bench, server).ok


def test_the_key_is_in_no_file(bench, server, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret-indeed-0123456789")
    found = verdict(bench, server, key_env="MY_KEY")
    assert found.ok
    assert server.calls[0].headers["authorization"] == "Bearer sk-very-secret-indeed-0123456789"
    written = b"".join(path.read_bytes() for path in bench.home.rglob("*") if path.is_file())
    assert b"secret" not in written
    server.fault = lambda handler, call, number: (
        handler.say(401, {"error": {"message": f"bad key {call.headers['authorization']}"}}) or True
    )
    found = verdict(bench, server, key_env="MY_KEY")
    assert found.verdict is Verdict.UNAUTHORIZED
    assert "secret" not in found.line + "".join(bench.notes)


def test_fixed_texts_differ_and_sentinels_are_not_among_them():
    texts = [*FIXED.values(), *SENTINELS]
    assert len(set(texts)) == len(texts)
