"""A server that misbehaves in the middle of an index run: the index is the one of a local run, vector for vector."""

from __future__ import annotations

import json
import time
from email.utils import formatdate
from pathlib import Path

import numpy as np
import pytest

import hash_model
import pincite
from hash_model import HashEmbedder, vectors
from indexes import differences, said
from pincite.errors import PinciteError

MODEL = HashEmbedder().facts.id
GOOD = 2
"""Requests with passages that the server answers as it should before it misbehaves."""
LOCAL = """
import sys
sys.path.insert(0, {tests!r})
import hash_model
from pincite.spec import hookimpl

@hookimpl
def register_embedders(register):
    register("hash", lambda settings, context: hash_model.HashEmbedder(), settings=hash_model.Settings)
"""
CONFIG = """
[embedder]
use = "hash"
[index]
floor = 0
workers = 1
"""
THERE = {
    "use": "endpoint",
    "model": "hash",
    "passage_prefix": "passage: ",
    "query_prefix": "query: ",
    "local": {"use": "hash"},
    "retries": 0,
}
THINGS = ("kelp", "brass", "salt", "amber", "flax", "slate", "otters", "bells", "pears", "ropes", "lamps")
QUERIES = ("kelp and brass", "what is said of lamps")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a library and a configuration."""
    folder = tmp_path_factory.mktemp("place")
    shelf, config = folder / "shelf", folder / "config"
    shelf.mkdir()
    config.mkdir()
    for number, (one, other) in enumerate((a, b) for a in THINGS for b in THINGS if a < b):
        paragraphs = [
            f"Of {one} the book says in chapter {number * 7 + part} that {other} was dearer in year {1500 + 3 * number + part}."
            f" {'It weighed more, and was kept dry in the loft until the spring fair. ' * (2 + part)}"
            for part in range(3)
        ]
        (shelf / f"{one}-{other}.md").write_text(f"# On {one} and {other}\n\n" + "\n\n".join(paragraphs), "utf-8")
    (config / "pincite_local.py").write_text(LOCAL.format(tests=str(Path(hash_model.__file__).parent)), "utf-8")
    (config / "pincite.toml").write_text(CONFIG, "utf-8")
    return folder


def opened(place, index, settings):
    """The library, with an index of its own."""
    library = pincite.open(place / "shelf", config=place / "config" / "pincite.toml", **settings)
    library.folder = index
    return library


@pytest.fixture(scope="module")
def local(place):
    """What the index of a local run says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(place / "home"))
        with opened(place, place / "local", {}) as library:
            library.index()
            return said(library, QUERIES, MODEL)


@pytest.fixture
def through(place, tmp_path, server):
    """Opens the library with an index whose passages go to the server."""

    def open_one(**settings):
        given = {**THERE, "url": server.url, **settings}
        return opened(place, tmp_path / "index", {f"embedder__{name}": value for name, value in given.items()})

    return open_one


def with_passages(call):
    """Whether a request is one of the run, and not of a verification or of a sentinel alone."""
    return any(thing in text for text in call.texts for thing in THINGS)


def from_then_on(server, answer):
    """A fault that begins once `GOOD` requests with passages were answered; `answer` says whether it has answered itself."""
    seen = [0]

    def fault(handler, call, number):
        seen[0] += with_passages(call)
        return seen[0] > GOOD and answer(handler, call)

    server.fault = fault


def wrong(rows):
    """Rows that are wrong in requests of passages and, since the same model answers, in verifications."""
    return lambda server: from_then_on(server, lambda handler, call: handler.answer(call, rows(call)) or True)


def says(status, value, **headers):
    return lambda server: from_then_on(server, lambda handler, call: handler.say(status, value, **headers) or True)


def hangs(server):
    from_then_on(server, lambda handler, call: server.hang() or True)


def closes(server):
    def answer(handler, call):
        handler.close_connection = True
        return True

    from_then_on(server, answer)


def two_models(server):
    """Every second request is answered by another model, as by a balancer in front of two servers."""
    server.embed = lambda texts: vectors(texts, "other" if len(server.calls) % 2 else "")


def right(call):
    return vectors(call.texts)


MISCHIEF = {
    "another model": wrong(lambda call: vectors(call.texts, "other")),
    "another prefix": wrong(lambda call: vectors([text.replace("passage:", "query:") for text in call.texts])),
    "a row dropped": wrong(lambda call: right(call)[:-1]),
    "a row dropped and another twice": wrong(lambda call: np.concatenate([right(call)[:1], right(call)[:-1]])),
    "rows in reverse": wrong(lambda call: right(call)[::-1]),
    "rows shifted by one": wrong(lambda call: np.roll(right(call), 1, axis=0)),
    "NaN": wrong(lambda call: np.where(np.arange(len(call.texts))[:, None] == 1, np.nan, right(call))),
    "another width": wrong(lambda call: vectors(call.texts, width=32)),
    "401": says(401, {"error": {"message": "the key has expired"}}),
    "404": says(404, {"error": {"message": "no such model"}}),
    "429 for an hour": says(429, {"error": "slow down"}, Retry_After="3600"),
    "500": says(500, {"error": "out of memory"}),
    "hangs": hangs,
    "closes": closes,
}  # fmt: skip


def unharmed(library, local):
    """The index says what a local one says, and every vector in it is the local model's."""
    mine = said(library, QUERIES, MODEL)
    assert differences(mine, local) == []
    worst = max(float(np.abs(mine["vectors"][key] - row).max()) for key, row in local["vectors"].items())
    assert worst < 0.01, "a vector that is not the local model's was stored"
    assert len(local["vectors"]) > 100


@pytest.mark.parametrize("name", MISCHIEF)
def test_a_run_goes_on_locally_and_stores_nothing_wrong(name, through, server, local):
    MISCHIEF[name](server)
    with through(timeout=1.0 if name == "hangs" else 60.0) as library:
        report = library.index()
        assert (report.unfinished, report.problems, report.failures) == ("", [], [])
        counts = dict(library.embedder.counts)
        unharmed(library, local)
        asked = len(server.calls)
        again = library.index()
        assert (again.embedded, len(server.calls)) == (0, asked)
    assert counts["there"] > 0
    assert counts["here"] > 0
    assert counts["there"] + counts["here"] == report.embedded
    assert sum(map(with_passages, server.calls)) <= GOOD + 3


def test_one_bad_batch_is_made_again_here_and_the_server_goes_on(through, server, local):
    bad = [0]

    def rows(rows, call):
        bad[0] += with_passages(call)
        return vectors(call.texts, "other") if with_passages(call) and bad[0] == 2 else rows

    server.rows = rows
    with through() as library:
        report = library.index()
        counts = dict(library.embedder.counts)
        unharmed(library, local)
    assert 0 < counts["here"] <= 32
    assert counts["there"] == report.embedded - counts["here"]


def test_a_balancer_before_two_models_is_found_out(through, server, local):
    two_models(server)
    with through() as library:
        assert library.index().unfinished == ""
        unharmed(library, local)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_short_wait_is_kept_and_the_server_used_again(form, through, server, local):
    refused = []

    def answer(handler, call):
        if refused:
            return False
        refused.append(call)
        handler.say(
            429,
            {"error": "slow down"},
            Retry_After="1" if form == "seconds" else formatdate(time.time() + 1, usegmt=True),
        )
        return True

    from_then_on(server, answer)
    with through(retries=1) as library:
        report = library.index()
        assert library.embedder.counts == {"there": report.embedded, "here": 0, "refused": 0}
        unharmed(library, local)


def test_500_with_a_size_error_halves_and_all_is_embedded_there(through, server, local):
    def answer(handler, call):
        if len(json.dumps(call.body)) < 3000:
            return False
        return (
            handler.say(500, {"error": {"message": "input is too large to process. increase the batch size"}}) or True
        )

    from_then_on(server, answer)
    with through() as library:
        report = library.index()
        assert library.embedder.counts == {"there": report.embedded, "here": 0, "refused": 0}
        unharmed(library, local)


def test_with_otherwise_stop_the_run_ends_and_the_next_one_goes_on(through, server, local):
    says(500, {"error": "out of memory"})(server)
    with (
        through(otherwise="stop") as library,
        pytest.raises(PinciteError, match="run `pincite index` again"),
    ):
        library.index()
    first = sum(map(with_passages, server.calls)) - 3
    assert first == GOOD
    server.fault = None
    with through(otherwise="stop") as library:
        report = library.index()
        assert (report.unfinished, report.problems) == ("", [])
        assert library.embedder.counts["here"] == 0
        unharmed(library, local)


def test_a_server_of_another_model_from_the_start_is_given_nothing(through, server, local):
    server.embed = lambda texts: vectors(texts, "other")
    with through() as library:
        library.index()
        unharmed(library, local)
    assert not any(map(with_passages, server.calls))
