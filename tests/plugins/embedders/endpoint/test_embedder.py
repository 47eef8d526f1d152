"""The endpoint embedder (specs/22-endpoints.md): what goes to a server, what stays here, and that nothing changes by it."""

from __future__ import annotations

import numpy as np
import pytest

import hash_model
from embedding_server import EmbeddingServer
from hash_model import HashEmbedder, vectors
from pincite.endpoints.texts import SENTINELS
from pincite.errors import Cancelled, ConfigError, ItemsRefused, PinciteError

TEXTS = [
    f"passage {number} about the {('red', 'green', 'blue')[number % 3]} thing {number * 7}" for number in range(70)
]


def here(texts, kind="passage"):
    return HashEmbedder().embed(texts, kind)


def test_vectors_are_those_of_the_local_model_and_so_is_their_name(bench, server):
    embedder = bench.embedder(server)
    assert np.allclose(embedder.embed(TEXTS, "passage"), here(TEXTS), atol=1e-6)
    assert embedder.facts.id == HashEmbedder().facts.id
    assert embedder.counts == {"there": 70, "here": 0, "refused": 0}
    assert not [call for call in embedder.local.calls if call[0] in TEXTS]


def test_queries_never_leave(bench, server):
    embedder = bench.embedder(server)
    assert np.allclose(embedder.embed(["what is red?"], "query"), here(["what is red?"], "query"))
    assert server.calls == []


def test_making_it_and_asking_for_facts_and_status_connects_to_nothing(bench, server):
    embedder = bench.embedder(server)
    assert embedder.facts.width == 64
    assert embedder.count(["one two"]) == [2]
    assert embedder.report()["endpoints"][0]["verdict"] == "not verified"
    assert server.calls == []


def test_empty_and_long_texts_stay_here(bench, server):
    texts = ["", "   \n", "word " * 200, "an ordinary one"]
    embedder = bench.embedder(server)
    assert np.allclose(embedder.embed(texts, "passage"), here(texts), atol=1e-6)
    assert embedder.counts["here"] == 3
    assert not any("word word" in text for text in server.texts)


def test_every_request_carries_both_sentinels_at_changing_places(bench, server):
    embedder = bench.embedder(server)
    embedder.verify(embedder.servers[0])
    before = len(server.calls)
    embedder.embed(TEXTS, "passage")
    places = [[call.texts.index(f"passage: {one}") for one in SENTINELS] for call in server.calls[before:]]
    assert len(places) == 3
    assert len({tuple(place) for place in places}) > 1


def test_a_server_is_verified_once_and_the_verdict_kept(bench, server):
    bench.embedder(server).embed(TEXTS[:2], "passage")
    first = len(server.calls)
    bench.embedder(server).embed(TEXTS[:2], "passage")
    assert len(server.calls) == first + 1


def test_a_wrong_server_is_given_nothing(bench, server):
    server.embed = lambda texts: vectors(texts, "other")
    embedder = bench.embedder(server)
    assert np.allclose(embedder.embed(TEXTS, "passage"), here(TEXTS), atol=1e-6)
    assert not set(server.texts) & {f"passage: {text}" for text in TEXTS}
    assert "low-agreement" in bench.notes[0]


def test_several_servers_share_the_work(bench, server):
    with EmbeddingServer(vectors) as second:
        embedder = bench.embedder(server, second)
        assert np.allclose(embedder.embed(TEXTS, "passage"), here(TEXTS), atol=1e-6)
        for one in (server, second):
            assert set(one.texts) & {f"passage: {text}" for text in TEXTS}


def test_when_one_of_several_servers_fails_the_others_take_its_work(bench, server):
    with EmbeddingServer(vectors) as second:
        embedder = bench.embedder(server, second)
        embedder.embed(TEXTS[:4], "passage")
        second.fault = lambda handler, call, number: handler.say(500, {"error": "no memory"}) or True
        assert np.allclose(embedder.embed(TEXTS, "passage"), here(TEXTS), atol=1e-6)
        assert embedder.counts["here"] == 0


def test_a_large_batch_is_halved_and_the_size_remembered(bench, server):
    server.most = 10
    embedder = bench.embedder(server)
    assert np.allclose(embedder.embed(TEXTS, "passage"), here(TEXTS), atol=1e-6)
    assert embedder.counts["here"] == 0
    before = len(server.calls)
    embedder.embed(TEXTS[:32], "passage")
    assert all(len(call.texts) <= 10 for call in server.calls[before:])


def test_a_server_that_takes_one_text_a_request_can_be_used(bench, server):
    server.most = 1
    embedder = bench.embedder(server)
    assert np.allclose(embedder.embed(TEXTS[:5], "passage"), here(TEXTS[:5]), atol=1e-6)
    assert embedder.counts["here"] == 0


def test_one_odd_text_is_found_embedded_here_and_named(bench, server):
    texts = [*TEXTS[:20], "G" * 300 + " is a sequence", *TEXTS[20:30]]
    embedder = bench.embedder(server)
    embedder.verify(embedder.servers[0])
    server.longest = 250
    assert np.allclose(embedder.embed(texts, "passage"), here(texts), atol=1e-6)
    assert embedder.counts == {"there": 30, "here": 1, "refused": 1}
    assert "is embedded here" in bench.notes[-1]


def test_requests_are_bounded_in_bytes_and_tokens(bench, server):
    embedder = bench.embedder(server, batch_bytes=4096, batch_tokens=100)
    texts = [f"{number} " + "x" * 900 for number in range(12)]
    embedder.embed(texts, "passage")
    assert (
        max(sum(len(text) for text in call.texts) for call in server.calls if any("xxx" in text for text in call.texts))
        < 4600
    )
    many = [f"{number} " + "a " * 60 for number in range(6)]
    before = len(server.calls)
    embedder.embed(many, "passage")
    assert len(server.calls) - before == 6


def test_tokens_and_cost_are_counted_per_model(bench, server):
    embedder = bench.embedder(server, price=2.0)
    embedder.embed(TEXTS, "passage")
    embedder.close()
    usage = bench.embedder(server, price=2.0).report()["usage"]
    said = sum(len(text.split()) for text in server.texts)
    assert usage == {
        "requests": len(server.calls),
        "texts": len(server.texts),
        "tokens": said,
        "cost": pytest.approx(said * 2e-6),
    }


def test_it_stops_when_told_to(bench, server):
    with pytest.raises(Cancelled):
        bench.embedder(server).embed(TEXTS, "passage", lambda: True)


def test_without_an_address_it_says_what_is_missing(bench):
    with pytest.raises(ConfigError, match="url: missing"):
        bench.embedder().embed(TEXTS, "passage")


def test_status_says_that_the_address_is_missing_and_goes_on(bench):
    report = bench.embedder().report()
    assert "url: missing" in report["error"]
    assert report["usage"]["tokens"] == 0


def test_an_endpoint_is_no_local_model_of_an_endpoint(bench, server):
    with pytest.raises(ConfigError, match="local model of an endpoint"):
        _ = bench.embedder(server, local={"use": "endpoint"}).facts


def test_otherwise_stop_keeps_the_machine_quiet(bench, server):
    server.embed = lambda texts: vectors(texts, "other")
    embedder = bench.embedder(server, otherwise="stop")
    with pytest.raises(PinciteError, match="low-agreement"):
        embedder.embed(TEXTS, "passage")
    assert not [call for call in embedder.local.calls if call[0] in TEXTS]


# ---------------------------------------------------------------------------- trusted by itself


def alone(bench, server, **settings):
    return bench.embedder(server, trust="self-consistent", model="hosted", window=100, **settings)


def test_a_model_that_is_only_there_must_be_verified_first(bench, server):
    with pytest.raises(PinciteError, match="pincite endpoint verify"):
        alone(bench, server).embed(TEXTS[:2], "passage")


def test_a_model_that_is_only_there_embeds_passages_and_queries(bench, server):
    embedder = alone(bench, server)
    assert embedder.verify(embedder.servers[0]).ok
    assert embedder.facts.id == "hosted@endpoint.1/64"
    assert np.allclose(embedder.embed(TEXTS, "passage"), here(TEXTS), atol=1e-6)
    assert np.allclose(embedder.embed(["red?"], "query"), here(["red?"], "query"), atol=1e-6)
    assert np.isfinite(embedder.embed([""], "passage")).all()


def test_its_queries_can_have_a_model_of_their_own(bench, server):
    embedder = alone(bench, server, server_model="passages", server_query_model="queries")
    embedder.verify(embedder.servers[0])
    embedder.embed(["red?"], "query")
    assert server.calls[-1].body["model"] == "queries"


def test_another_model_behind_its_address_is_noticed_and_has_another_name(bench, server):
    embedder = alone(bench, server)
    embedder.verify(embedder.servers[0])
    server.embed = lambda texts: vectors(texts, "other")
    with pytest.raises(PinciteError, match="sentinel"):
        embedder.embed(TEXTS, "passage")
    assert embedder.facts.id == "hosted@endpoint.1/64"
    embedder.verify(embedder.servers[0])
    assert embedder.facts.id == "hosted@endpoint.2/64"


def test_a_passing_fault_does_not_forget_the_verdict(bench, server):
    embedder = alone(bench, server)
    embedder.verify(embedder.servers[0])
    server.fault = lambda handler, call, number: handler.say(503, {}) or True
    assert not embedder.verify(embedder.servers[0]).ok
    assert embedder.facts.id == "hosted@endpoint.1/64"


def test_a_text_that_it_refuses_is_named_and_the_others_kept(bench, server):
    embedder = alone(bench, server)
    embedder.verify(embedder.servers[0])
    server.longest = 200
    texts = [*TEXTS[:5], "G" * 250, *TEXTS[5:9]]
    with pytest.raises(ItemsRefused, match="too large to process") as caught:
        embedder.embed(texts, "passage")
    assert list(caught.value.reasons) == [5]
    others = [place for place in range(10) if place != 5]
    assert np.allclose(caught.value.vectors[others], here([texts[place] for place in others]), atol=1e-6)


def test_the_hash_model_tells_texts_apart():
    rows = hash_model.vectors(TEXTS)
    assert (rows @ rows.T)[np.triu_indices(len(TEXTS), 1)].max() < 0.9999
