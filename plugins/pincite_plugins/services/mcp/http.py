"""HTTP on this machine alone: a token for each request, and the Host and Origin of no other place."""

from __future__ import annotations

import hmac
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError, UsageError

HOST = "127.0.0.1"
PATH = "/mcp"

TOKEN = "PINCITE_MCP_TOKEN"
"""A token of the person's own; else one is made and kept in `TOKEN_FILE` of the data folder, for its owner's eyes."""

TOKEN_FILE = "mcp-token"
SHORTEST = 16

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def token_of(home: Path) -> str:
    """The token, made at the first use. Raises `PinciteError`."""
    given = os.environ.get(TOKEN, "").strip()
    if given:
        if len(given) < SHORTEST:
            raise UsageError(f"{TOKEN} is too short; give {SHORTEST} characters or more")
        return given
    path = home / TOKEN_FILE
    try:
        if path.is_file() and (kept := path.read_text("ascii").strip()):
            return kept
        home.mkdir(parents=True, exist_ok=True)
        made = secrets.token_urlsafe(24)
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(made + "\n")
        return made
    except (OSError, UnicodeDecodeError) as error:
        raise PinciteError(f"{path}: the token cannot be kept: {error}; set {TOKEN}") from None


class TokenGate:
    """Lets through what carries ``Authorization: Bearer TOKEN``; anything else is answered with 401."""

    def __init__(self, app: App, token: str) -> None:
        self._app = app
        self._wanted = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or self._admitted(scope):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a token is needed: Authorization: Bearer TOKEN\n"})

    def _admitted(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, token = b"".join(given[:1]).partition(b" ")
        return len(given) == 1 and scheme.lower() == b"bearer" and hmac.compare_digest(token, self._wanted)


def bound(port: int) -> socket.socket:
    """A socket on the loopback address. Raises `UsageError` where the port is taken."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen()  # whoever is told the address may connect at once
    except OSError as error:
        made.close()
        raise UsageError(f"port {port} of {HOST}: {error.strerror}; give another with --port") from None
    return made


def app_of(server: Any, port: int, token: str) -> App:
    """The application: token, then Host and Origin, then the protocol."""
    from mcp.server.transport_security import TransportSecuritySettings

    names = [f"{HOST}:{port}", f"localhost:{port}"]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )
    return TokenGate(server.streamable_http_app(streamable_http_path=PATH, transport_security=security), token)


async def serve(server: Any, socket: socket.socket, token: str) -> None:
    """Until it is told to stop (Ctrl-C)."""
    import uvicorn

    app: Any = app_of(server, socket.getsockname()[1], token)
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=2)
    await uvicorn.Server(config).serve(sockets=[socket])
