"""Servers over the Model Context Protocol for tests, and clients of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

EXAMPLES = Path(__file__).parents[1] / "examples" / "library"
TOKEN = "a token for tests only"

NOISE = '''
print("printed while it is loaded")
os.write(1, b"written while it is loaded\\n")
import subprocess

def embed(self, texts, kind, cancelled=lambda: False, quiet=Tiny.embed):
    """Says what it does, on standard output, in three ways; and waits at the gate, where there is one."""
    print("embedding", kind)
    os.write(1, b"embedding\\n")
    subprocess.run(["echo", "a child embeds"])
    gate = os.environ.get("TINY_GATE")
    while gate and not os.path.exists(gate):
        time.sleep(0.02)
    return quiet(self, texts, kind)

Tiny.embed = embed
'''


def environment(home, **more):
    """Variables of a server: nothing of the person's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    return {**kept, "PINCITE_HOME": str(home), "PINCITE_MCP_TOKEN": TOKEN, "XDG_CONFIG_HOME": str(home), **more}


def command(*arguments):
    return [sys.executable, "-m", "pincite.cli.main", *map(str, arguments)]


def arguments(place, *more):
    return ["mcp", "--library", str(place.library), "--config", str(place.config), *more]


def over_stdio(place, *more, **variables):
    """What a client of its own process starts."""
    executable, *rest = command(*arguments(place, *more))
    return StdioServerParameters(command=executable, args=rest, env=environment(place.home, **variables))


def start_http(place, *more, **variables):
    """(process, address)."""
    server = subprocess.Popen(
        command(*arguments(place, "--http", "--port", "0", *more)),
        env=environment(place.home, **variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for line in server.stderr:
        if "serving http://" in line:
            return server, line.split("serving ")[1].split(";")[0]
    raise AssertionError(server.communicate()[0])


@asynccontextmanager
async def http_client(url, token=TOKEN, **given):
    """A client of a server over HTTP."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as session,
        Client(streamable_http_client(url, http_client=session), **given) as client,
    ):
        yield client


def said(result):
    """The data of an answer, checked against its text; the line of an error."""
    (content,) = result.content
    if result.is_error:
        assert "\n" not in content.text
        assert "Traceback" not in content.text
        return content.text
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


def eventually(true, seconds=60.0):
    """Waits until `true` gives something; gives it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = true()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come about")
