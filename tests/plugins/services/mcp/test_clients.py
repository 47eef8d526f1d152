"""Several clients, cancelled calls, clients that die, and the first index (specs/29-mcp.md, "Clients")."""

import os
import signal
import subprocess
from contextlib import contextmanager

import anyio
import pytest
from mcp import Client, MCPError

from mcp_clients import arguments, command, environment, eventually, http_client, over_stdio, said, start_http

HEAT = {"query": "why is it warm at night in old streets"}
WORDS = {**HEAT, "engine": "lexical"}


@contextmanager
def served(place, *more, **variables):
    """The address of a server over HTTP, which is told to end afterwards."""
    server, url = start_http(place, *more, **variables)
    try:
        yield url
    finally:
        server.terminate()
        _, errors = server.communicate(timeout=60)
        assert "Traceback" not in errors


async def two(first, second):
    """The answers of two clients that ask at once."""
    answers = {}

    async def ask(name, client):
        async with client as asked:
            for number in range(3):
                answers[name, number] = said(await asked.call_tool("best_match", HEAT))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "first", first)
        tasks.start_soon(ask, "second", second)
    return answers


def test_two_clients_of_one_server_get_the_same_answer(http):
    answers = anyio.run(two, http_client(http), http_client(http))
    assert len(answers) == 6
    assert all(answer == answers["first", 0] and answer["hits"] for answer in answers.values())


def test_two_servers_of_one_library_get_the_same_answer(place):
    answers = anyio.run(two, Client(over_stdio(place)), Client(over_stdio(place)))
    assert all(answer == answers["first", 0] and answer["hits"] for answer in answers.values())


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_call_that_is_cancelled_or_late_is_left_and_the_server_goes_on(place, gate, transport):
    """The model answers nothing until the gate is there: whoever waits for it waits in vain. Over HTTP another client has died in the
    middle of a call before."""

    async def run(client, dying=None):
        async with client as asked:
            if dying is not None:
                with anyio.move_on_after(1.0):
                    async with dying as other:
                        await other.call_tool("semantic_search", HEAT)
            with pytest.raises(MCPError, match=r"[Tt]ime"):
                await asked.call_tool("semantic_search", HEAT, read_timeout_seconds=1.5)
            with anyio.move_on_after(0.5) as scope:
                await asked.call_tool("semantic_search", HEAT)
            assert scope.cancelled_caught
            assert (await asked.list_tools()).tools
            assert not gate.exists()
            gate.touch()
            return said(await asked.call_tool("semantic_search", HEAT))

    if transport == "stdio":
        found = anyio.run(run, Client(over_stdio(place, TINY_GATE=str(gate))))
    else:
        with served(place, TINY_GATE=str(gate)) as url:
            found = anyio.run(run, http_client(url), http_client(url))
    assert found["hits"]


def test_a_client_that_dies_mid_call_takes_its_server_with_it(place, gate):
    """Its pipes are closed in the middle of a call, as they are when a process is killed; the call would never end."""
    server = subprocess.Popen(
        command(*arguments(place)),
        env=environment(place.home, TINY_GATE=str(gate)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    for line in (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        b'"clientInfo":{"name":"t","version":"1"}}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"semantic_search","arguments":{"query":"heat"}}}\n',
    ):
        server.stdin.write(line)
        server.stdin.flush()
    assert b'"id":1' in server.stdout.readline()
    assert any(b"a child embeds" in line for line in iter(server.stderr.readline, b""))  # it is in the model's hands
    server.stdout.close()
    server.stdin.close()
    assert server.wait(timeout=60) == 0
    errors = server.stderr.read().decode()
    server.stderr.close()
    assert "Traceback" not in errors


def test_the_first_question_indexes_the_library_and_tells_how_far_it_is(fresh):
    told = []

    async def note(progress, total, message):
        told.append((progress, total, message))

    async def run():
        async with Client(over_stdio(fresh)) as client:
            return said(await client.call_tool("best_match", HEAT, progress_callback=note))

    assert "warm" in anyio.run(run)["hits"][0]["title"]
    assert told
    assert [one for one, _, _ in told] == sorted({one for one, _, _ in told})
    assert all(total == 3 and message for _, total, message in told)


def test_others_may_ask_by_words_while_a_library_is_indexed_and_a_cancelled_question_leaves_the_run_alone(fresh, gate):
    async def run(url):
        async with http_client(url) as one, http_client(url) as other:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(one.call_tool, "best_match", HEAT)
                with anyio.fail_after(60):
                    while said(await other.call_tool("semantic_status", {}))["files"]["indexed"] < 3:
                        await anyio.sleep(0.1)
                tasks.cancel_scope.cancel()
            with anyio.fail_after(60):  # files count as indexed a moment before their words do
                while not (found := said(await other.call_tool("best_match", WORDS)))["hits"]:
                    await anyio.sleep(0.1)
            return said(await other.call_tool("semantic_status", {})), found

    with served(fresh, TINY_GATE=str(gate)) as url:
        status, found = anyio.run(run, url)
        gate.touch()
    assert status["vectors"]["ready"] == 0
    assert status["indexing"]
    assert "indexing is under way" in found["degraded"]
    assert "warm" in found["hits"][0]["title"]


def test_a_server_that_is_told_to_end_leaves_an_index_that_is_gone_on_with(fresh, gate):
    server, url = start_http(fresh, TINY_GATE=str(gate), PINCITE_INDEX__PATIENCE="0")

    async def begin():
        async with http_client(url) as client:
            await client.call_tool("best_match", HEAT)

    try:
        anyio.run(begin)
        eventually(lambda: any(fresh.home.rglob("index.db")))
        os.kill(server.pid, signal.SIGINT)
        gate.touch()
        _, errors = server.communicate(timeout=60)
    finally:
        server.kill()
    assert "Traceback" not in errors

    async def again():
        async with Client(over_stdio(fresh)) as client:
            await client.call_tool("best_match", HEAT)
            with anyio.fail_after(60):
                while True:
                    found = said(await client.call_tool("semantic_status", {}))
                    if found["vectors"]["ready"] == found["vectors"]["wanted"] > 0 and not found["files"]["waiting"]:
                        return found
                    await anyio.sleep(0.1)

    assert anyio.run(again)["files"]["indexed"] == 3
