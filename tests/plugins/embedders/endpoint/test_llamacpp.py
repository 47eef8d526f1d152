"""A real llama.cpp server (xllamacpp runs it in this process), serving the default model from the same blocks of weights.

Run by ``tox -e endpoints``; skipped where xllamacpp or gguf is not installed.
"""

from __future__ import annotations

import sys

import pytest

from llama_server import serving
from pincite.endpoints.records import Verdict
from pincite.plugin.making import context_without_library

pytest.importorskip("xllamacpp", reason="tox -e endpoints installs xllamacpp")
pytest.importorskip("gguf", reason="tox -e endpoints installs gguf")
pytestmark = pytest.mark.model


@pytest.fixture
def endpoint(model_home):
    """Makes endpoint embedders over the default model."""
    from pincite.config.load import load
    from pincite.plugin.making import make_with, plugins_of

    made = []

    def make(url, **settings):
        found = load(None, environ={"PINCITE_HOME": str(model_home)})
        plugins = plugins_of(found)
        context = context_without_library(found, plugins, lambda line: sys.stderr.write(line + "\n"))
        made.append(make_with(plugins, "embedder", "endpoint", {"url": url, "timeout": 300.0, **settings}, context))
        return made[-1]

    yield make
    for one in made:
        one.close()


def verdict(embedder):
    return embedder.verify(embedder.servers[0])


@pytest.mark.parametrize("weights", ["q4_0", "q4_1", "q8_0", "f16"])
def test_the_same_model_in_any_weights_is_ok(weights, gguf, endpoint):
    with serving(gguf(weights)) as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.OK, found.line
    assert "refused" in found.figures["beyond"]


@pytest.mark.parametrize("pooling", ["cls", "last"])
def test_another_pooling_is_low_agreement(pooling, gguf, endpoint):
    with serving(gguf("q4_0"), pooling) as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.LOW_AGREEMENT, found.line
    assert "pooling" in found.seen


@pytest.mark.parametrize("layers", [11, 8])
def test_another_model_of_the_same_width_is_low_agreement(layers, gguf, endpoint):
    with serving(gguf("q4_0", layers)) as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.LOW_AGREEMENT, found.line


def test_no_pooling_is_not_embeddings(gguf, endpoint):
    with serving(gguf("q4_0"), "none") as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.NOT_EMBEDDINGS, found.line


def test_no_prefix_and_the_prefix_of_queries_are_low_agreement(gguf, endpoint):
    with serving(gguf("q4_0")) as url:
        without = verdict(endpoint(url, prefix="server"))
        queries = verdict(endpoint(url, passage_prefix="query: "))
    assert without.verdict is Verdict.LOW_AGREEMENT, without.line
    assert queries.verdict is Verdict.LOW_AGREEMENT, queries.line
    assert "vectors of queries" in queries.seen


def test_a_slot_or_a_batch_that_is_too_small_is_a_context_too_small(gguf, endpoint):
    with serving(gguf("q4_0"), context=1024, slots=4) as url:
        slot = verdict(endpoint(url))
    with serving(gguf("q4_0"), context=2048, batch=256) as url:
        batch = verdict(endpoint(url))
    for found in (slot, batch):
        assert found.verdict is Verdict.CONTEXT_TOO_SMALL, found.line
        assert "tokens" in found.seen


def test_the_command_of_the_facts_serves_a_whole_window(gguf, endpoint):
    from pincite_plugins.embedders.endpoint.command import llama_cpp

    embedder = endpoint("http://127.0.0.1:9")
    words = llama_cpp(embedder, "mean").split()
    value = {name: words[words.index(name) + 1] for name in ("--pooling", "--ctx-size", "--parallel", "--ubatch-size")}
    with serving(
        gguf("q4_0"),
        value["--pooling"],
        int(value["--ctx-size"]),
        int(value["--ubatch-size"]),
        int(value["--parallel"]),
    ) as url:
        assert verdict(endpoint(url)).ok
