"""One request and its reply, bounded in time and in memory whatever the server does."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from pincite import __version__
from pincite_plugins.embedders.endpoint.failures import Failure, Kind
from pincite_plugins.embedders.endpoint.keys import Key
from pincite_plugins.embedders.endpoint.urls import Address

CONNECT = 10.0
"""Seconds to reach a server."""
PIECE = 65536


@dataclass(frozen=True, slots=True)
class Reply:
    """Status, headers (names in lower case) and body of a reply."""

    status: int
    headers: dict[str, str]
    body: bytes


class _Sockets:
    """The sockets of one session, so that a clock can end a request: a time-out of each single read does not bound the whole."""

    def __init__(self) -> None:
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.ended = False

    def add(self, one: socket.socket) -> None:
        with self._lock:
            self._open = [other for other in self._open if other.fileno() >= 0]
            self._open.append(one)
            ended = self.ended
        if ended:
            self.end()

    def end(self) -> None:
        with self._lock:
            self.ended = True
            for one in self._open:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue
            self._open.clear()

    @contextmanager
    def until(self, seconds: float) -> Iterator[None]:
        self.ended = False
        timer = threading.Timer(seconds, self.end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


class _Adapter(HTTPAdapter):
    """Pools whose connections report their sockets."""

    def __init__(self, sockets: _Sockets) -> None:
        self._sockets = sockets
        super().__init__(pool_connections=1, pool_maxsize=1, max_retries=0)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = _pools(self._sockets)

    def proxy_manager_for(self, *arguments: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(*arguments, **options)
        manager.pool_classes_by_scheme = _pools(self._sockets)
        return manager


def _pools(sockets: _Sockets) -> dict[str, type]:
    class Plain(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            sockets.add(self.sock)

    class Secure(HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            sockets.add(self.sock)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


class _NoAuth(requests.auth.AuthBase):
    """Keeps requests from taking a password out of ~/.netrc."""

    def __call__(self, request: Any) -> Any:
        return request


@dataclass
class Transport:
    """A pooled session with one server. One request at a time."""

    address: Address
    key: Key
    timeout: float
    _sockets: _Sockets = field(default_factory=_Sockets, repr=False)
    _session: requests.Session | None = field(default=None, repr=False)

    def post(self, url: str, data: bytes, limit: int) -> Reply:
        """Posts JSON. `limit`: bytes of reply that are read at most. Raises `Failure`: NETWORK, or REPLY for a larger body."""
        return self._send("POST", url, data, limit)

    def get(self, url: str, limit: int = PIECE) -> Reply:
        """Gets a description."""
        return self._send("GET", url, None, limit)

    def stop(self) -> None:
        """Ends a request under way, from another thread."""
        self._sockets.end()

    def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _send(self, method: str, url: str, data: bytes | None, limit: int) -> Reply:
        if self._session is None:
            self._session = self._open()
        headers = {"Content-Type": "application/json"} if data is not None else {}
        headers |= {"Accept": "application/json", "User-Agent": f"pincite/{__version__}", **self.key.headers()}
        response = None
        with self._sockets.until(self.timeout):
            try:
                response = self._session.request(
                    method,
                    url,
                    data=data,
                    headers=headers,
                    stream=True,
                    allow_redirects=False,  # a redirect would carry the texts, if not the key, to who knows where
                    timeout=(min(CONNECT, self.timeout), self.timeout),
                )
                body = _read(response, limit)
                if self._sockets.ended:  # what was cut off by the clock can look like a whole reply
                    raise TimeoutError
                return Reply(
                    response.status_code, {name.lower(): value for name, value in response.headers.items()}, body
                )
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
                raise self._failure(error) from None
            finally:
                if response is not None:
                    response.close()

    def _failure(self, error: Exception) -> Failure:
        host = self.address.host
        if self._sockets.ended or isinstance(error, requests.Timeout | urllib3.exceptions.TimeoutError | TimeoutError):
            if isinstance(error, requests.ConnectTimeout):
                return Failure(Kind.NETWORK, f"{host} cannot be reached: no answer to a connection")
            return Failure(Kind.NETWORK, f"no whole reply within {self.timeout:g} s", slow=True)
        if isinstance(error, requests.exceptions.SSLError):
            return Failure(Kind.CONFIGURATION, f"the certificate of {host} is not accepted")
        reason = _reason(error)
        if isinstance(error, requests.exceptions.ProxyError):
            return Failure(Kind.NETWORK, f"the proxy does not lead to {host}: {reason}")
        return Failure(Kind.NETWORK, f"connection to {host} failed: {reason}")

    def _open(self) -> requests.Session:
        session = requests.Session()
        session.auth = _NoAuth()
        session.trust_env = not self.address.loopback  # a proxy has no business between this machine and itself
        session.mount("http://", _Adapter(self._sockets))
        session.mount("https://", _Adapter(self._sockets))
        return session


def _read(response: requests.Response, limit: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    for piece in response.iter_content(PIECE):
        size += len(piece)
        if size > limit:
            raise Failure(Kind.REPLY, f"the reply is larger than the {limit:,} bytes that it can need")
        pieces.append(piece)
    return b"".join(pieces)


def _reason(error: BaseException) -> str:
    """The innermost words of a chain of network errors, without addresses of objects."""
    seen: BaseException = error
    for _ in range(8):
        inside = (getattr(seen, "reason", None), *seen.args, seen.__cause__, seen.__context__)
        inner = next((one for one in inside if isinstance(one, BaseException)), None)
        if inner is None:
            break
        seen = inner
    if isinstance(seen, OSError) and seen.strerror:
        return seen.strerror.lower()
    return {"RemoteDisconnected": "closed without a reply", "IncompleteRead": "closed in the middle of the reply"}.get(
        type(seen).__name__, type(seen).__name__
    )
