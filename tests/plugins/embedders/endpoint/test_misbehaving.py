"""A server that misbehaves after it was verified: the run goes on, in bounded time and memory, and nothing wrong is taken."""

from __future__ import annotations

import json
import resource
import threading
import time
from email.utils import formatdate

import numpy as np
import pytest

from embedding_server import EmbeddingServer
from hash_model import HashEmbedder, vectors
from pincite.errors import Cancelled

TEXTS = [
    f"passage {number} about the {('red', 'green', 'blue')[number % 3]} thing {number * 7}" for number in range(90)
]
RIGHT = HashEmbedder().embed(TEXTS, "passage")


@pytest.fixture
def ready(bench, server):
    """An embedder whose server was verified."""
    embedder = bench.embedder(server)
    assert embedder.verify(embedder.servers[0]).ok
    return embedder


def run(embedder, calls=1):
    """Embeds as the embedding pass does, some texts a call; what comes out must be the model's, whatever the server did."""
    size = len(TEXTS) // calls
    parts = [embedder.embed(TEXTS[at : at + size], "passage") for at in range(0, len(TEXTS), size)]
    assert np.allclose(np.concatenate(parts), RIGHT, atol=1e-5)


def always(answer):
    def fault(handler, call, number):
        answer(handler, call)
        return True

    return fault


# ---------------------------------------------------------------------------- vectors that are wrong

ROWS = {
    "another model": lambda rows, call: vectors(call.texts, "other"),
    "another prefix": lambda rows, call: vectors([text.replace("passage:", "query:") for text in call.texts]),
    "rows in reverse": lambda rows, call: rows[::-1],
    "rows shifted by one": lambda rows, call: np.roll(rows, 1, axis=0),
    "rows shuffled": lambda rows, call: rows[np.random.default_rng(len(call.texts)).permutation(len(rows))],
    "a row dropped": lambda rows, call: rows[:-1],
    "a row too many": lambda rows, call: np.concatenate([rows, rows[:1]]),
    "a row dropped and another twice": lambda rows, call: np.concatenate([rows[:3], rows[2:-1]]),
    "all rows alike": lambda rows, call: np.repeat(rows[:1], len(rows), axis=0),
    "NaN in one row": lambda rows, call: np.where(np.arange(len(rows))[:, None] == 2, np.nan, rows),
    "infinity": lambda rows, call: np.where(np.arange(len(rows))[:, None] == 2, np.inf, rows),
    "a row of zeros": lambda rows, call: np.where(np.arange(len(rows))[:, None] == 2, 0, rows),
    "another width": lambda rows, call: rows[:, :32],
    "rows of several widths": lambda rows, call: [*rows[:-1], rows[-1][:10]],
    "one vector a token": lambda rows, call: [np.stack([row, row]) for row in rows],
    "negated": lambda rows, call: -rows,
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_wrong_rows_are_thrown_away_and_three_in_a_row_end_it(name, ready, server, bench):
    server.rows = ROWS[name]
    before = len(server.calls)
    run(ready, calls=5)
    assert ready.counts["there"] == 0
    assert "left out for the rest of this run" in bench.notes[-1]
    assert len(server.calls) - before <= 12
    after = len(server.calls)
    run(ready)
    assert len(server.calls) == after


def test_a_model_switched_in_the_middle_is_caught_on_that_batch_and_named(ready, server, bench):
    ready.embed(TEXTS[:30], "passage")
    assert ready.counts["there"] == 30
    server.name = "somebody-elses-model"
    server.rows = ROWS["another model"]
    assert np.allclose(ready.embed(TEXTS[30:60], "passage"), RIGHT[30:60], atol=1e-5)
    assert ready.counts == {"there": 30, "here": 30, "refused": 0}
    assert "sentinel" in bench.notes[0]
    assert "somebody-elses-model" in bench.notes[0]


def test_a_server_that_comes_back_right_is_verified_again_and_used(ready, server):
    server.rows = ROWS["another model"]
    ready.embed(TEXTS[:30], "passage")
    server.rows = None
    assert np.allclose(ready.embed(TEXTS[30:], "passage"), RIGHT[30:], atol=1e-5)
    assert ready.counts == {"there": 60, "here": 30, "refused": 0}


def test_a_row_twice_is_noticed_where_no_sentinel_moved(ready, server):
    def doubled(rows, call):
        rows = rows.copy()
        places = [place for place, text in enumerate(call.texts) if text.startswith("passage: passage")]
        rows[places[4]] = rows[places[3]]
        return rows

    server.rows = doubled
    run(ready, calls=3)
    assert ready.counts["there"] == 0


def test_two_texts_of_one_vector_are_no_fault(ready, server):
    texts = ["green  thing", "green thing", "blue thing"]
    assert np.allclose(ready.embed(texts, "passage"), HashEmbedder().embed(texts, "passage"), atol=1e-6)
    assert ready.counts["there"] == 3


# ---------------------------------------------------------------------------- statuses

LASTING = {401: "authorisation", 403: "authorisation", 404: "configuration", 405: "configuration"}


@pytest.mark.parametrize("status", LASTING)
def test_a_lasting_refusal_ends_it_at_once(status, ready, server, bench):
    server.fault = always(lambda handler, call: handler.say(status, {"error": {"message": "go away"}}))
    before = len(server.calls)
    run(ready, calls=5)
    assert len(server.calls) == before + 1
    assert f"HTTP {status}, go away" in bench.notes[-1]


def test_a_refusal_of_everything_as_an_item_is_a_matter_of_configuration(ready, server, bench):
    server.fault = always(lambda handler, call: handler.say(400, {"error": {"message": "unknown parameter"}}))
    before = len(server.calls)
    run(ready)
    assert "unknown parameter" in bench.notes[-1]
    assert len(server.calls) - before < 12


def test_5xx_is_tried_again_after_one_two_and_four_seconds(ready, server, bench):
    start = len(server.calls)
    server.fault = lambda handler, call, number: number <= start + 3 and (handler.say(500, {"error": "oops"}) or True)
    before = bench.time.at
    ready.embed(TEXTS[:20], "passage")
    assert bench.time.at - before == pytest.approx(7.0)
    assert ready.counts["there"] == 20


def test_tries_have_an_end(ready, server, bench):
    server.fault = always(lambda handler, call: handler.say(500, {"error": "oops"}))
    before = len(server.calls)
    run(ready, calls=9)
    assert len(server.calls) - before == 3 * 4
    assert "3 failures in a row" in bench.notes[-1]


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_429_waits_as_long_as_it_says(form, ready, server, bench):
    start = len(server.calls)

    def fault(handler, call, number):
        if number != start + 1:
            return False
        value = "9" if form == "seconds" else formatdate(1_000_000.0 + bench.time.at + 9, usegmt=True)
        handler.say(429, {"error": "slow down"}, Retry_After=value)
        return True

    server.fault = fault
    before = bench.time.at
    ready.embed(TEXTS[:20], "passage")
    assert bench.time.at - before == pytest.approx(9.0, abs=1.0)
    assert ready.counts["there"] == 20


def test_429_for_an_hour_puts_the_server_aside_and_not_the_run(ready, server, bench):
    server.fault = always(lambda handler, call: handler.say(429, {"error": "come later"}, Retry_After="3600"))
    before, start = len(server.calls), bench.time.at
    run(ready, calls=9)
    assert len(server.calls) == before + 1
    assert bench.time.at == start
    server.fault = None
    bench.time.at += 3601
    ready.embed(TEXTS[:20], "passage")
    assert ready.counts["there"] == 20


@pytest.mark.parametrize("status", [413, 500])
def test_a_size_error_halves(status, ready, server):
    def fault(handler, call, number):
        if len(call.texts) <= 8:
            return False
        handler.say(status, {"error": {"message": "input is too large to process"}})
        return True

    server.fault = fault
    run(ready)
    assert ready.counts == {"there": 90, "here": 0, "refused": 0}


def test_a_body_of_more_bytes_than_it_takes_is_halved(ready, server):
    server.fault = lambda handler, call, number: len(json.dumps(call.body)) > 900 and (handler.say(413, {}) or True)
    run(ready)
    assert ready.counts["here"] == 0


# ---------------------------------------------------------------------------- connections


def test_a_server_that_closes_early_is_tried_again(ready, server):
    start = len(server.calls)

    def fault(handler, call, number):
        if number > start + 2:
            return False
        if number == start + 2:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{")
        handler.wfile.flush()
        handler.close_connection = True
        return True

    server.fault = fault
    ready.embed(TEXTS[:20], "passage")
    assert ready.counts["there"] == 20


def drip(handler, pieces, pause=0.02):
    """Sends byte by byte, each well within the time-out of a single read."""
    try:
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(pause)
    except OSError:
        pass
    handler.close_connection = True


SLOW = {
    "hangs": lambda handler: handler.server_of.hang(),
    "drips its headers": lambda handler: drip(handler, [b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 2000]),
    "drips one header line": lambda handler: drip(handler, [b"HTTP/1.1 200 OK\r\nX-A: ", *[b"b"] * 2000]),
    "drips its body": lambda handler: drip(handler, [b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", *[b" "] * 2000]),
    "drips its chunks": lambda handler: drip(handler, [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"1\r\n \r\n"] * 2000]),
    "drips the size of a chunk": lambda handler: drip(handler, [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"0"] * 2000]),
}  # fmt: skip


@pytest.mark.parametrize("name", SLOW)
def test_a_server_that_takes_for_ever_costs_three_time_outs(name, ready, server, bench):
    server.fault = always(lambda handler, call: SLOW[name](handler))
    ready.servers[0].transport.timeout = 0.5
    before, threads = len(server.calls), threading.active_count()
    run(ready, calls=9)
    assert 3 <= len(server.calls) - before <= 6
    assert "no whole reply within 0.5 s" in bench.notes[-1]
    assert threading.active_count() < threads + 20  # one for each connection that drips on, at most


@pytest.mark.parametrize("how", ["declared", "chunked", "packed"])
def test_a_huge_body_is_not_read(how, ready, server, bench):
    def huge(handler, call):
        import gzip

        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        if how == "packed":
            data = gzip.compress(b" " * 200_000_000, 1)
            pieces = [head + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(data), data]
        elif how == "declared":
            pieces = [head + b"Content-Length: 400000000\r\n\r\n", *[b" " * 1_000_000] * 400]
        else:
            pieces = [head + b"Transfer-Encoding: chunked\r\n\r\n", *[b"f4240\r\n" + b" " * 1_000_000 + b"\r\n"] * 400]
        drip(handler, pieces, 0)

    server.fault = always(huge)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ready.embed(TEXTS[:20], "passage")
    assert ready.counts["here"] == 20
    assert "larger than" in bench.notes[-1]
    if how != "packed":  # the server of the test itself holds what it packs
        assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 60


def test_a_redirect_to_another_host_is_not_followed_and_carries_nothing(bench, server, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret-indeed-0123456789")
    with EmbeddingServer(vectors) as other:
        embedder = bench.embedder(server, key_env="MY_KEY")
        embedder.verify(embedder.servers[0])
        there = other.url.replace("127.0.0.1", "localhost")
        for status in (301, 302, 307, 308):
            server.fault = lambda handler, call, number, status=status: (
                handler.say(status, {}, Location=f"{there}/v1/embeddings") or True
            )
            assert np.allclose(embedder.embed(TEXTS[:9], "passage"), RIGHT[:9], atol=1e-6)
            assert f"HTTP {status}, it sends on to {there}" in bench.notes[-1]
            embedder.close()
        assert other.calls == []
        assert "secret" not in "".join(bench.notes)


def test_a_password_file_is_not_read(bench, server, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login ana password hunter2\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    bench.embedder(server).embed(TEXTS[:2], "passage")
    assert not any("authorization" in call.headers for call in server.calls)


def test_stopping_does_not_wait_for_hanging_servers(bench, server):
    with EmbeddingServer(vectors) as second:
        embedder = bench.embedder(server, second)
        embedder.embed(TEXTS[:4], "passage")
        for one in (server, second):
            one.fault = always(lambda handler, call: handler.server_of.hang())
        asked = [0]

        def cancelled():
            asked[0] += 1
            return asked[0] > 10

        began = time.monotonic()
        with pytest.raises(Cancelled):
            embedder.embed(TEXTS, "passage", cancelled)
        assert time.monotonic() - began < 15


def test_limits_of_a_minute_are_kept_with_a_warning(bench, server):
    embedder = bench.embedder(server, requests_per_minute=10, batch=2)
    run(embedder)
    assert sum("of 10 requests a minute" in note for note in bench.notes) == 1
    assert bench.time.at > 1000 + 60 * (len(server.calls) // 10 - 1)
