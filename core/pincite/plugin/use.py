"""Calling into a plugin: whatever it raises is reported under its name, and a call that hangs is ended (`pincite.plugin.watch`)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

from pincite.errors import PinciteError, PluginError
from pincite.plugin.watch import WATCHDOG, Call, Hung, take_back, what_hung

T = TypeVar("T")


class using:  # noqa: N801  used as a statement: `with using("source.zotero"):`
    """Turns any error of a plugin that is not for a person yet into a `PluginError` that names it.

    `limit`: seconds without a sign of life before it counts as hanging; None: as configured (``[plugins] timeout``); 0: no limit.
    Entering gives the `Call`, whose `alive()` is a sign of life.
    """

    __slots__ = ("_call", "_limit", "_plugin")

    def __init__(self, plugin: str, limit: float | None = None) -> None:
        self._plugin = plugin
        self._limit = limit

    def __enter__(self) -> Call:
        self._call = WATCHDOG.enter(self._plugin, self._limit)
        return self._call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        call = self._call
        WATCHDOG.leave(call)
        if call.hung:
            _settle(call, error)
        if error is None or isinstance(error, PinciteError | MemoryError):
            return
        if isinstance(error, OSError):
            raise PluginError(self._plugin, describe_os_error(error)) from error
        if isinstance(error, SystemExit):
            raise PluginError(self._plugin, f"tried to end the program (exit code {error.code})") from error
        if isinstance(error, Exception):
            raise PluginError(self._plugin, " ".join(f"{type(error).__name__}: {error}".split())) from error


def each(plugin: str, values: Iterator[T], limit: float | None = None) -> Iterator[T]:
    """The values of a plugin's iterator; each step is a call of its own."""
    try:
        while True:
            with using(plugin, limit):
                try:
                    value = next(values)
                except StopIteration:
                    return
            yield value
    finally:
        close = getattr(values, "close", None)
        if close is not None:
            with using(plugin, limit):
                close()


def describe_os_error(error: OSError) -> str:
    """An operating-system error in one line with its path."""
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}"


def _settle(call: Call, error: BaseException | None) -> None:
    """The interruption must not reach anything after the call that it was meant for."""
    if not isinstance(error, KeyboardInterrupt | Hung):
        try:
            take_back(call.thread)
            time.sleep(0.01)  # a signal that is under way arrives here
        except (KeyboardInterrupt, Hung):
            pass
    raise PluginError(
        call.plugin,
        f'{what_hung(call)} and was stopped; leave it out with [plugins] block = ["{call.plugin.split(" ")[0]}"], '
        "or give it longer with [plugins] timeout",
    ) from None
