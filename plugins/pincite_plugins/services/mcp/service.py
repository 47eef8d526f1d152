"""The server as a service: to the one client that started it, or over HTTP."""

from __future__ import annotations

import logging
import signal
import sys
from typing import Any, BinaryIO

import anyio

from pincite.library import Library
from pincite_plugins.services.mcp import McpSettings, http
from pincite_plugins.services.mcp.shelf import Shelf


class McpService:
    """Serves until its client leaves, or (HTTP) until it is stopped. `wire`: standard input and output, where they were claimed before."""

    name = "mcp"

    def __init__(self, settings: McpSettings, wire: tuple[BinaryIO, BinaryIO] | None = None) -> None:
        self.settings = settings
        self._wire = wire

    def serve(self, library: Library) -> None:
        """Runs until stopped. Raises `UsageError` where the port is taken."""
        from pincite_plugins.services.mcp.server import make_server

        _quiet()
        shelf = Shelf(library, self.settings.index, _note)
        server = make_server(shelf)
        try:
            if self.settings.http:
                self._over_http(server, library)
            elif self._wire is not None:
                _over(server, self._wire)
            else:
                from pincite_plugins.services.mcp.wire import claimed

                with claimed() as wire:
                    _over(server, wire)
        finally:
            shelf.close()

    def _over_http(self, server: Any, library: Library) -> None:
        token = http.token_of(library.config.home)
        with http.bound(self.settings.port) as socket:
            port = socket.getsockname()[1]
            _note(
                f"serving http://{http.HOST}:{port}{http.PATH}; `pincite mcp --http --config generic` prints the token"
            )
            kept = signal.signal(signal.SIGTERM, _end)
            try:
                anyio.run(http.serve, server, socket, token)
            finally:
                signal.signal(signal.SIGTERM, kept)


def _end(number: int, frame: object) -> None:
    """Told to end: what is open is closed in order. The web server hands the signal on when it has ended itself."""
    raise SystemExit(0)


def _over(server: Any, wire: tuple[BinaryIO, BinaryIO]) -> None:
    from pincite_plugins.services.mcp.wire import frames

    async def run() -> None:
        async with frames(*wire) as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    try:
        anyio.run(run)
    except BaseExceptionGroup as group:
        _, other = group.split(OSError)  # the client has gone
        if other is not None:
            raise


def _quiet() -> None:
    """What the protocol's library logs goes to standard error, a line each and without tracebacks: clients show it to people."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine("pincite: %(name)s: %(message)s"))
    for name in ("mcp", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)


class _OneLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        record.exc_info, record.exc_text = None, None
        text = super().format(record)
        return " ".join(f"{text}{f': {type(error).__name__}: {error}' if error else ''}".split())


def _note(line: str) -> None:
    sys.stderr.write(f"pincite: {line}\n")
    sys.stderr.flush()
