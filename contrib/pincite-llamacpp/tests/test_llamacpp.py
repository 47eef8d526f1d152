"""The GGUF embedder, and llama-cpp-python's own server, over the default model: ``tox -e llamacpp``."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import numpy as np
import pytest
import requests

from gguf_model import write_gguf
from pincite.config.load import load
from pincite.errors import PinciteError
from pincite.plugin.making import context_without_library, make_with, plugins_of

pytest.importorskip("llama_cpp", reason="tox -e llamacpp installs llama-cpp-python")

TEXTS = [
    "The tide turns twice a day.",
    "Les marées suivent la lune.",
    "潮汐はおよそ一日に二度起こる。",
    "",
    "kelp " * 600,
]


@pytest.fixture(scope="module")
def gguf(tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "e5.gguf"
    write_gguf(path)
    return path


@pytest.fixture
def made(model_home):
    """Makes embedders by name."""
    open_ones = []

    def make(name, **settings):
        found = load(None, environ={"PINCITE_HOME": str(model_home)})
        plugins = plugins_of(found)
        context = context_without_library(found, plugins, lambda line: sys.stderr.write(line + "\n"))
        open_ones.append(make_with(plugins, "embedder", name, settings, context))
        return open_ones[-1]

    yield make
    for one in open_ones:
        one.close()


def test_the_file_gives_the_local_models_vectors(gguf, made):
    embedder = made("llamacpp", file=str(gguf))
    assert embedder.verify().ok
    there = embedder.embed(TEXTS, "passage")
    here = made("onnx").embed(TEXTS, "passage")
    assert (there * here).sum(axis=1).min() > 0.985
    assert embedder.facts.id == made("onnx").facts.id


def test_a_file_of_another_pooling_is_refused(tmp_path, made):
    path = tmp_path / "cls.gguf"
    write_gguf(path, pooling="cls")
    with pytest.raises(PinciteError, match="low-agreement"):
        made("llamacpp", file=str(path)).embed(TEXTS[:1], "passage")


def test_what_is_no_gguf_file_is_one_line(tmp_path, made):
    path = tmp_path / "no.gguf"
    path.write_bytes(b"no model")
    with pytest.raises(PinciteError, match="GGUF"):
        made("llamacpp", file=str(path)).embed(TEXTS[:1], "passage")
    with pytest.raises(PinciteError, match="cannot be read"):
        made("llamacpp", file=str(tmp_path / "none.gguf")).embed(TEXTS[:1], "passage")


def test_the_packages_own_server_is_ok_as_an_endpoint(gguf, made):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(gguf), "--embedding", "true", "--host", "127.0.0.1",
               "--port", str(port), "--n_ctx", "512", "--n_batch", "512", "--n_ubatch", "512"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    try:
        for _ in range(240):
            assert process.poll() is None
            try:
                requests.get(f"http://127.0.0.1:{port}/v1/models", timeout=2)
                break
            except requests.ConnectionError:
                time.sleep(0.5)
        embedder = made("endpoint", url=f"http://127.0.0.1:{port}", timeout=300.0)
        found = embedder.verify(embedder.servers[0])
        assert found.ok, found.line
        assert np.isfinite(embedder.embed(TEXTS, "passage")).all()
    finally:
        process.terminate()
        process.wait(30)
