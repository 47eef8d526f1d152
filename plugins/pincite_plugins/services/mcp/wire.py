"""Standard input and output as a protocol's wire: frames in, frames out, and nothing else on it, whatever a library prints."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import BinaryIO

import anyio
import anyio.from_thread
import anyio.lowlevel
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

LONGEST = 4 * 1024 * 1024
"""Bytes of one frame; a longer one is refused, as the HTTP transport does."""


@contextmanager
def claimed() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Standard input and output for the protocol alone. Meanwhile descriptor 0 is empty, and what is written to descriptor 1, by
    Python, a C library or a child, goes to standard error."""
    sys.stdout.flush()
    taken, given = os.dup(0), os.dup(1)
    os.set_inheritable(taken, False)
    os.set_inheritable(given, False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        # closefd: the reading thread may still wait on it when the process ends
        yield os.fdopen(taken, "rb", closefd=False), os.fdopen(given, "wb", buffering=0, closefd=False)
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os.dup2(given, 1)
        os.dup2(taken, 0)


@asynccontextmanager
async def frames(
    source: BinaryIO, target: BinaryIO
) -> AsyncIterator[tuple[ObjectReceiveStream[SessionMessage | Exception], ObjectSendStream[SessionMessage]]]:
    """Streams of messages over them, a line each. A line that is no message is answered with an error and passed over."""
    incoming, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    sent, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    refusals = sent.clone()
    token = anyio.lowlevel.current_token()

    def read() -> None:
        """In a thread of its own, which must not keep the process alive: a read cannot be interrupted."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, RuntimeError, OSError, ValueError):
            for line in lines(source):
                if line is None or line.strip():
                    anyio.from_thread.run(pass_on, line, token=token)
        with suppress(RuntimeError):
            anyio.from_thread.run(incoming.aclose, token=token)

    async def pass_on(line: bytes | None) -> None:
        found = message_of(line)
        if isinstance(found, JSONRPCError):
            await refusals.send(SessionMessage(found))
        else:
            await incoming.send(SessionMessage(found))

    async def write() -> None:
        async with outgoing:
            async for each in outgoing:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                await anyio.to_thread.run_sync(_write_all, target, text.encode("utf-8", "replace") + b"\n")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write)
        threading.Thread(target=read, name="pincite-mcp-reading", daemon=True).start()
        try:
            yield received, sent
        finally:
            refusals.close()
            sent.close()
            received.close()


def lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Lines of at most `LONGEST` bytes; None for one that was longer, of which nothing is kept."""
    while line := source.readline(LONGEST + 1):
        if len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST)
        yield None


def message_of(line: bytes | None) -> object:
    """The message of a line, or the error that answers it."""
    if line is None:
        return _refusal(INVALID_REQUEST, f"a message may have {LONGEST:,} bytes")
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        if any(one["type"] == "json_invalid" for one in error.errors(include_input=False, include_url=False)):
            return _refusal(PARSE_ERROR, "a message must be one line of JSON in UTF-8")
        return _refusal(INVALID_REQUEST, "a message must be a JSON-RPC 2.0 request, notification or response")


def _refusal(code: int, why: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=why))


def _write_all(target: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[target.write(view) or 0 :]
