"""Anything may come in: an error goes out, or the server ends cleanly; never a hang, never a traceback on standard output
(specs/29-mcp.md, "Frames")."""

import io
import json
import random
import subprocess
import threading
from contextlib import suppress

import anyio
import pytest

from mcp_clients import arguments, command, environment
from pincite_plugins.services.mcp.server import answered
from pincite_plugins.services.mcp.shelf import Shelf
from pincite_plugins.services.mcp.tool import Call
from pincite_plugins.services.mcp.tools import TOOLS
from pincite_plugins.services.mcp.wire import LONGEST, lines, message_of

HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "0"}},
}
CALL = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "best_match", "arguments": {"query": "heat", "limit": 1, "engine": "lexical"}},
}


def framed(*messages):
    return [json.dumps(message).encode() for message in messages]


MALFORMED = [
    b"",
    b"{",
    b"nonsense",
    b"\xff\xfe\x00",
    b"[]",
    b"null",
    b"42",
    b'"words"',
    b"[" * 100_000,
    b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1}',
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"method":5}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1,2]}',
    b'{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}',
    b'{"jsonrpc":"2.0","id":9,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,"arguments":{}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cite","arguments":[]}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cite","arguments":{"passage":"\\ud800"}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"best_match","arguments":{"query":"\\u0000"}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"best_match","arguments":{"query":{"$gt":""}}}}',
    b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"pincite://item/%00%ff/text/99999999999"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"-1"}}',
]


def conversation(frames, place):
    """The same with standard input kept open until the call after the frames has been answered."""
    server = subprocess.Popen(
        command(*arguments(place)),
        env=environment(place.home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    timer = threading.Timer(120, server.kill)
    timer.start()
    answers = []

    def say():
        with suppress(OSError):  # it has ended
            for frame in [*framed(HELLO), *frames, *framed({**CALL, "id": "last"})]:
                server.stdin.write(frame + b"\n")
            server.stdin.flush()

    saying = threading.Thread(target=say)  # who says all before listening may wait for a server that waits to be heard
    saying.start()
    try:
        while True:
            line = server.stdout.readline()
            assert line, "it ended before it answered"
            answers.append(json.loads(line))
            if answers[-1].get("id") == "last":
                break
        saying.join()
        _, errors = server.communicate(timeout=60)
        assert server.returncode == 0
        assert b"Traceback" not in errors
    finally:
        timer.cancel()
        server.kill()
        saying.join()
    return answers


def changed_at_random(count):
    chance = random.Random(0)
    good = framed(HELLO, CALL, {"jsonrpc": "2.0", "id": 8, "method": "tools/list"}, {**CALL, "id": 9})
    for _ in range(count):
        frame = bytearray(chance.choice(good))
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(frame))
            frame[at : at + chance.randrange(4)] = bytes(chance.randrange(11, 256) for _ in range(chance.randrange(4)))
        yield bytes(frame).replace(b"last", b"lost")


def test_malformed_frames_are_answered_and_the_next_call_works(place):
    huge = framed({**CALL, "params": {"name": "best_match", "arguments": {"query": "x" * 5_000_000}}})
    answers = conversation([*MALFORMED, *huge, *changed_at_random(300)], place)
    assert answers[-1]["result"]["structuredContent"]["hits"]
    codes = [answer["error"]["code"] for answer in answers if answer.get("id") is None]
    assert codes.count(-32700) > 50
    assert codes.count(-32600) > 10
    assert all("error" in answer or "result" in answer for answer in answers)
    assert "Traceback" not in json.dumps(answers)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{\n", -32700),
        (b"\xff\n", -32700),
        (b"[" * 10_000, -32700),
        (b"[]\n", -32600),
        (b'{"id": 1}\n', -32600),
        (None, -32600),
    ],
)
def test_what_is_no_message_is_refused_by_its_code(line, code):
    refused = message_of(line)
    assert refused.error.code == code
    assert refused.id is None


def test_a_line_that_is_too_long_is_passed_over_to_its_end():
    source = io.BytesIO(b"one\n" + b"x" * (2 * LONGEST + 7) + b"\ntwo\n" + b"y" * LONGEST + b"three")
    assert list(lines(source)) == [b"one\n", None, b"two\n", None]


def test_an_end_in_the_middle_of_a_frame_is_a_clean_end(place):
    done = subprocess.run(
        command(*arguments(place)), env=environment(place.home), input=b'{"jsonrpc":"2.0","id":1,"meth', capture_output=True, timeout=60
    )  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout)["error"]["code"] == -32700
    assert b"Traceback" not in done.stderr


WEIRD = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "\u202e\u0000",
    "x" * 3000,
    [],
    {},
    [[]],
    {"a": {"b": []}},
    "../../etc/passwd",
    "'; --",
]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_arguments_of_any_type_are_answered(library, tool):
    shelf = Shelf(library)
    required = {name: "halvorsen2022" for name, one in tool.asks.model_fields.items() if one.is_required()}

    async def run():
        for name in tool.asks.model_fields:
            for value in WEIRD:
                (content,) = (await answered(Call(shelf), tool, {**required, name: value})).content
                assert content.text
                assert "Traceback" not in content.text
                assert "fault of pincite" not in content.text, (name, value)

    anyio.run(run)
