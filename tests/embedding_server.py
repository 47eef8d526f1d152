"""A small embeddings server on loopback for tests: four wire formats over any model, and every way to misbehave."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

Embed = Callable[[Sequence[str]], np.ndarray]


@dataclass
class Call:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    texts: list[str]


@dataclass
class EmbeddingServer:
    """Serves `embed`. `fault(handler, call, number)` may answer itself and then returns true; `rows` changes the vectors on their way.

    `most` texts and `longest` characters are taken at most; `name` is the model that it says it has.
    """

    embed: Embed
    fault: Callable[[Any, Call, int], bool] | None = None
    rows: Callable[[np.ndarray, Call], Sequence[Any]] | None = None
    most: int = 10_000
    longest: int = 10**9
    name: str = "hash"
    calls: list[Call] = field(default_factory=list)

    def __enter__(self) -> EmbeddingServer:
        owner = self

        class Handler(_Handler):
            server_of = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._released = threading.Event()
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def hang(self, seconds: float = 20.0) -> None:
        """Waits until the test is over, or so long."""
        self._released.wait(seconds)

    @property
    def texts(self) -> list[str]:
        """Every text that was ever sent."""
        return [text for call in self.calls for text in call.texts]


class _Handler(BaseHTTPRequestHandler):
    server_of: EmbeddingServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet

    def log_message(self, *arguments: Any) -> None:
        pass

    def handle(self) -> None:
        try:
            super().handle()
        except (ConnectionError, ValueError):
            self.close_connection = True

    def do_GET(self) -> None:
        self.say(404, {"error": "unknown route"})

    def do_POST(self) -> None:
        owner = self.server_of
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        found = body.get("inputs", body.get("input", []))
        texts = [found] if isinstance(found, str) else found
        call = Call(self.path, {name.lower(): value for name, value in self.headers.items()}, body, texts)
        owner.calls.append(call)
        if owner.fault is not None and owner.fault(self, call, len(owner.calls)):
            return
        if len(texts) > owner.most:
            return self.say(413, {"error": {"message": "too many inputs"}})
        if any(len(text) > owner.longest for text in texts):
            return self.say(
                500, {"error": {"message": "input is too large to process. increase the physical batch size"}}
            )
        rows = owner.embed(texts)
        self.answer(call, owner.rows(rows, call) if owner.rows is not None else rows)

    def answer(self, call: Call, rows: Sequence[Any]) -> None:
        lists = [np.asarray(row, np.float32).tolist() for row in rows]
        if self.path == "/embed":
            return self.say(200, lists)
        if self.path == "/api/embed":
            return self.say(
                200, {"model": self.server_of.name, "embeddings": lists, "prompt_eval_count": len(call.texts)}
            )
        if not self.path.partition("?")[0].endswith("/v1/embeddings"):
            return self.say(404, {"error": {"message": "unknown route"}})
        if call.body.get("encoding_format") == "base64":
            lists = [base64.b64encode(np.asarray(row, "<f4").tobytes()).decode() for row in rows]
        data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(lists)]
        tokens = sum(len(text.split()) for text in call.texts)
        self.say(200, {"object": "list", "data": data, "model": self.server_of.name, "usage": {"total_tokens": tokens}})

    def say(self, status: int, value: Any, **headers: str) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, one in headers.items():
            self.send_header(name.replace("_", "-"), one)
        self.end_headers()
        self.wfile.write(data)
