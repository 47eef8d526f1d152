"""What can go wrong with a server, in the classes that decide what is done."""

from __future__ import annotations

import re
from enum import StrEnum


class Kind(StrEnum):
    """Why a request gave no vectors.

    NETWORK, RATE and SERVER pass and are tried again; AUTHORISATION and CONFIGURATION last for the run; SIZE halves the batch; REPLY (not
    what was asked for) and MISMATCH (vectors of something else) throw it away; ITEM is a text that the server will not take.
    """

    NETWORK = "network"
    AUTHORISATION = "authorisation"
    CONFIGURATION = "configuration"
    RATE = "rate"
    SERVER = "server"
    SIZE = "size"
    REPLY = "reply"
    MISMATCH = "mismatch"
    ITEM = "item"


PASSING = frozenset({Kind.NETWORK, Kind.RATE, Kind.SERVER})


class Failure(Exception):
    """A request that gave no vectors. `after`: seconds that the server asks to wait, or None. `slow`: it was cut off by the clock."""

    def __init__(
        self, kind: Kind, seen: str, *, status: int = 0, after: float | None = None, slow: bool = False
    ) -> None:
        super().__init__(seen)
        self.kind = kind
        self.seen = seen
        self.status = status
        self.after = after
        self.slow = slow


_TOO_LONG = re.compile(
    r"too (?:long|large|big|many)|maximum (?:context|input|sequence|allowed|batch|length)|max(?:imum)?[ _-](?:tokens|batch|input|length)"
    r"|context (?:length|size|window)|(?:exceed|larger than|longer than|greater than)\w*|(?:batch|payload|request|body) size"
    r"|token limit|must have less than|too_large|entity too large|context_length|batch_size",
    re.IGNORECASE,
)
_RATE = re.compile(r"rate.?limit|quota|too many requests|tokens per min|requests per min", re.IGNORECASE)


def classify(status: int, said: str) -> Kind:
    """The class of an HTTP status other than 200 and what its body says."""
    if status in (401, 403):
        return Kind.AUTHORISATION
    if status == 429:
        return Kind.RATE
    if status == 413 or (
        status >= 400 and status not in (404, 405) and _TOO_LONG.search(said) and not _RATE.search(said)
    ):
        return Kind.SIZE
    if status in (404, 405, 406, 410, 415, 501) or 300 <= status < 400:
        return Kind.CONFIGURATION
    if status in (408, 425):
        return Kind.NETWORK
    if status >= 500:
        return Kind.SERVER
    return Kind.ITEM if status >= 400 else Kind.REPLY


def one_line(text: str, limit: int = 160) -> str:
    """What a server said, fit for one line on a terminal."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
