"""The errors of pincite. Each carries one line for a person: what happened, where, and what to do now."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Any

REMEDIES = {
    errno.EACCES: "check its permissions",
    errno.EPERM: "check its permissions",
    errno.ENOSPC: "make room on its disk",
    errno.EDQUOT: "make room on its disk",
    errno.EROFS: "its disk cannot be written to; use another",
    errno.EIO: "check its disk",
}
"""What the system may refuse, whoever asks → what a person can do about it."""


def in_one_line(error: BaseException) -> str:
    """An error that nobody foresaw, for a person: its type and what it says."""
    return " ".join(f"{type(error).__name__}: {error}".split())


class PinciteError(Exception):
    """Any failure that a person can act on. `str(error)` is that one line. Exit code 1."""

    exit_code = 1


def cannot_be(done: str, path: object, error: OSError) -> PinciteError:
    """What the system refused to do with a path: ``raise cannot_be("read", path, error) from None``."""
    return PinciteError(
        f"{path}: cannot be {done} ({error.strerror}); {REMEDIES.get(error.errno or 0, 'check its path')}"
    )


class UsageError(PinciteError):
    """What was asked cannot be meant: no such path, unknown engine, empty query. Exit code 2."""

    exit_code = 2


class ConfigError(UsageError):
    """The configuration is broken; names the file, the key and the nearest right one."""


class PluginError(PinciteError):
    """A plugin failed to load, or failed or hung in use. `plugin` is its name."""

    def __init__(self, plugin: str, message: str) -> None:
        super().__init__(f"plugin {plugin}: {message}")
        self.plugin = plugin
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.plugin, self.message))


class UnknownName(UsageError):
    """A name that no plugin registered; lists what there is."""


class DuplicateName(PluginError):
    """Two plugins registered the same name of a kind."""


class NotReady(PinciteError):
    """A ranker cannot answer yet (no vectors, other model): hybrid goes on without it and says so."""


class ItemsRefused(PinciteError):
    """An embedder could not embed some texts of a call. `reasons`: place in the call → why; `vectors` has the rows of the others."""

    def __init__(self, reasons: Mapping[int, str], vectors: Any) -> None:
        first = next(iter(reasons.values()), "")
        super().__init__(f"{len(reasons)} text{'s' if len(reasons) > 1 else ''} could not be embedded: {first}")
        self.reasons = dict(reasons)
        self.vectors = vectors


class Cancelled(PinciteError):
    """The caller cancelled; nothing is wrong."""


class Damaged(PinciteError):
    """What is stored is not what was written. It is derived, so the next run sets it aside and makes it anew."""


class Locked(PinciteError):
    """Another process is writing this index; names it."""


class Unreadable(PinciteError):
    """A file that cannot be read. `verdict` is its class (specs/07-verdicts.md), `reason` one line.

    `passing` faults (busy, memory, time-out) are tried again; lasting ones wait until the file changes.
    """

    def __init__(self, verdict: str, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason
        self.passing = passing

    def __reduce__(self) -> tuple[object, ...]:
        return (_unreadable, (self.verdict, self.reason, self.passing))


def _unreadable(verdict: str, reason: str, passing: bool) -> Unreadable:
    return Unreadable(verdict, reason, passing=passing)
