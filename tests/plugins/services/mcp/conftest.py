"""Servers of the example library, with a tiny embedder and a plugin that prints wherever it can."""

from __future__ import annotations

import shutil
import subprocess
from functools import partial
from types import SimpleNamespace

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client

import pincite
from indexes import configure
from mcp_clients import EXAMPLES, NOISE, command, environment, http_client, over_stdio, said, start_http
from pincite.indexing.lock import file_lock


@pytest.fixture(scope="session")
def place(shared_tmp):
    """`library`, `config` and `home` of the indexed example library: made once a run, never written to afterwards."""
    folder = shared_tmp / "mcp"
    made = SimpleNamespace(
        library=folder / "library" / "library.bib", config=folder / "config" / "pincite.toml", home=folder / "home"
    )
    with file_lock(shared_tmp / "mcp.lock", patience=120):
        if not (folder / "made").exists():
            shutil.copytree(EXAMPLES, folder / "library")
            configure(made.config.parent)
            local = made.config.parent / "pincite_local.py"
            local.write_text(local.read_text("utf-8") + NOISE, "utf-8")
            done = subprocess.run(
                command("index", "--library", made.library, "--config", made.config),
                env=environment(made.home), capture_output=True, text=True, timeout=120,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            (folder / "made").touch()
    return made


@pytest.fixture
def library(place):
    """The indexed library, opened."""
    with pincite.open(place.library, config=place.config) as library:
        library.folder = place.home / "indexes" / library.folder.name
        yield library


@pytest.fixture
def fresh(place, tmp_path):
    """A small library without an index."""
    return SimpleNamespace(library=EXAMPLES / "notes", config=place.config, home=tmp_path / "fresh-home")


@pytest.fixture
def gate(tmp_path):
    """Where there is no such file, the model does not answer."""
    return tmp_path / "gate"


@pytest.fixture(scope="session")
def http(place):
    """The address of a server over HTTP."""
    server, url = start_http(place)
    yield url
    server.terminate()
    server.communicate(timeout=60)


@pytest.fixture(scope="session")
def portal():
    """An event loop in a thread, which keeps clients open from test to test."""
    with start_blocking_portal() as made:
        yield made


@pytest.fixture(scope="session")
def stdio_session(place, portal):
    """A client that started its own server."""
    with portal.wrap_async_context_manager(Client(over_stdio(place))) as client:
        yield client


@pytest.fixture(scope="session")
def http_session(http, portal):
    """A client of the server over HTTP."""
    with portal.wrap_async_context_manager(http_client(http)) as client:
        yield client


@pytest.fixture(params=["stdio", "http"])
def client(request, portal):
    """Each of the two: its methods, called from here."""
    session = request.getfixturevalue(f"{request.param}_session")
    return lambda method, *given, **named: portal.call(partial(getattr(session, method), *given, **named))


@pytest.fixture
def ask(client):
    """Calls one tool; gives the data of its answer, or the line of its error."""
    return lambda name, **given: said(client("call_tool", name, given))
