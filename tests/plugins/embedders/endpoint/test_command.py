"""``pincite endpoint`` and what ``pincite status`` says of endpoints (specs/22-endpoints.md), as a person calls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from embedding_server import EmbeddingServer
from hash_model import vectors

LOCAL = """
import hash_model
from pincite.spec import hookimpl

@hookimpl
def register_embedders(register):
    register("hash", lambda settings, context: hash_model.HashEmbedder(), settings=hash_model.Settings)
"""


@pytest.fixture
def pincite(tmp_path):
    """Runs the command with a configuration folder whose local plugin is the hash model."""
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "pincite_local.py").write_text(LOCAL)
    tests = os.path.dirname(os.path.abspath(sys.modules["hash_model"].__file__))
    environ = {**os.environ, "PINCITE_HOME": str(tmp_path / "home"), "PYTHONPATH": tests}

    def run(*arguments, **settings):
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items() if name != "local"]
        text = "[embedder]\nuse = 'endpoint'\nmodel = 'hash'\npassage_prefix = 'passage: '\nquery_prefix = 'query: '\n"
        (folder / "pincite.toml").write_text(text + "\n".join(lines) + "\n[embedder.local]\nuse = 'hash'\n")
        command = [sys.executable, "-m", "pincite.cli.main", *arguments, "--config", str(folder / "pincite.toml")]
        return subprocess.run(command, capture_output=True, text=True, env=environ, timeout=120)

    return run


def test_verify_prints_the_verdict_and_what_was_seen(pincite, server):
    done = pincite("endpoint", "verify", url=server.url)
    assert done.returncode == 0, done.stderr
    assert "\n  ok: vectors agree with the local model's" in done.stdout


def test_verify_of_a_wrong_server_fails_with_a_remedy(pincite, server):
    server.embed = lambda texts: vectors(texts, "other")
    done = pincite("endpoint", "verify", "--json", "--url", server.url)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["schema"] == 1
    [endpoint] = found["endpoints"]
    assert endpoint["verdict"] == "low-agreement"
    assert endpoint["seen"]
    assert endpoint["remedy"]
    assert endpoint["figures"]["own"] < 0.5


def test_facts_say_what_a_server_must_match_and_a_command_to_copy(pincite):
    done = pincite("endpoint", "facts", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["id"], found["width"], found["window"]) == ("hash@1/64", 64, 120)
    assert found["llama_cpp"].startswith("llama-server --model hash.gguf --embeddings --pooling mean ")


def test_a_broken_setting_is_one_line(pincite):
    done = pincite("endpoint", "verify", url="ftp://example.org")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "http://HOST:PORT" in done.stderr


def test_an_index_through_an_endpoint_is_the_local_one_and_status_shows_the_use(pincite, tmp_path):
    library = tmp_path / "library"
    library.mkdir()
    for number in range(4):
        text = "\n\n".join(
            f"Paragraph {number}.{part} speaks of tides, moons and harbours at length. " * 3 for part in range(4)
        )
        (library / f"paper{number}.txt").write_text(text)
    with EmbeddingServer(vectors) as there:
        done = pincite("index", "--library", str(library), url=there.url)
        assert done.returncode == 0, done.stderr + done.stdout
        sent = len(there.calls)
        done = pincite("status", "--json", "--library", str(library), url=there.url, price=3.0)
    found = json.loads(done.stdout)
    assert found["model"]["id"] == "hash@1/64"
    assert found["model"]["endpoints"][0]["verdict"] == "ok"
    assert found["model"]["usage"]["requests"] == sent
    assert found["model"]["usage"]["tokens"] > 0
    assert found["rankers"]["vector"]["rows"] == found["rankers"]["vector"]["expected"] > 0
    again = pincite("index", "--library", str(library), url="http://127.0.0.1:9")
    assert again.returncode == 0, again.stderr
