"""What is verified, and how it is asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.endpoints.agreement import unit
from pincite.endpoints.records import Identity, Verdict, Verification
from pincite.spec import CountTokens, Embedder, ModelFacts, Vectors
from pincite_plugins.embedders.endpoint.failures import Failure, Kind
from pincite_plugins.embedders.endpoint.formats import Answer
from pincite_plugins.embedders.endpoint.server import Server

SLOW = 2
"""Requests cut off by the clock that are tried again with half the texts."""


@dataclass(frozen=True)
class Subject:
    """What is verified: a server against a model. `local` is None where the model is only there. `facts` and `count` say how long
    texts may be; `before`: the last verification."""

    server: Server
    identity: Identity
    count: CountTokens
    window: int
    local: Embedder | None = None
    facts: ModelFacts | None = None
    before: Verification | None = None
    cancelled: Callable[[], bool] = lambda: False

    def prefixed(self, text: str, query: bool = False) -> str:
        """A text as it is sent."""
        settings = self.server.settings
        return (
            text
            if settings.prefix == "server"
            else (settings.query_prefix if query else settings.passage_prefix) + text
        )

    def ask(self, texts: Sequence[str], query: bool = False) -> Answer:
        """One request, tried twice at most."""
        return self.server.ask(
            [self.prefixed(text, query) for text in texts], sum(self.count(texts)), self.cancelled, query=query, tries=1
        )

    def found(self, verdict: Verdict, seen: str, advice: str = "", **more: object) -> Verification:
        """A verdict on this subject."""
        return Verification(self.identity, verdict, seen, advice, int(time.time()), **more)  # type: ignore[arg-type]


class Found(Exception):
    """Ends a verification with its verdict."""

    def __init__(self, found: Verification) -> None:
        self.found = found


def rows_of(subject: Subject, texts: Sequence[str], query: bool = False) -> Vectors:
    """Vectors of texts in requests of as many as the server takes."""
    found: list[Vectors] = []
    parts = [list(texts)]
    slow = 0
    while parts:
        part = parts.pop()
        half = (len(part) + 1) // 2
        if len(part) > subject.server.most:
            parts += [part[subject.server.most :], part[: subject.server.most]]
            continue
        try:
            found.append(unit(subject.ask(part, query).rows))
        except Failure as failure:
            slow += failure.slow
            if (failure.kind not in (Kind.SIZE, Kind.ITEM) and not failure.slow) or len(part) == 1 or slow > SLOW:
                raise
            parts += [part[half:], part[:half]]
    widths = {rows.shape[1] for rows in found}
    if len(widths) > 1:
        raise Failure(Kind.REPLY, f"vectors of several widths: {', '.join(map(str, sorted(widths)))}")
    return np.concatenate(found)
