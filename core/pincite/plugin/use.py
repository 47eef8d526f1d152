"""Calling into a plugin: whatever it raises is reported under its name, and a call that hangs is ended (`pincite.plugin.watch`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, TypeVar

from pincite.errors import PinciteError, PluginError, in_one_line
from pincite.plugin.watch import WATCHDOG, Calls, Entered, Hung, take_back, what_hung

T = TypeVar("T")


class using:  # noqa: N801  used as a statement: `with using("source.zotero"):`
    """Turns any error of a plugin that is not for a person yet into a `PluginError` that names it.

    `limit`: seconds without a sign of life before it counts as hanging; None: as configured (``[plugins] timeout``); 0: no limit.
    Entering gives the `Calls` of this thread, whose `alive()` is a sign of life.
    """

    __slots__ = ("_calls", "_limit", "_plugin")

    def __init__(self, plugin: str, limit: float | None = None) -> None:
        self._plugin = plugin
        self._limit = limit

    def __enter__(self) -> Calls:
        self._calls = WATCHDOG.enter(self._plugin, self._limit)
        return self._calls

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ended(self._plugin, self._calls, error)


def ended(plugin: str, calls: Calls, error: BaseException | None) -> None:
    """Leaves a call; raises the `PluginError` where there is one to be told, and returns where `error` may go on as it is."""
    hung = WATCHDOG.leave(calls)
    if hung is not None:
        settle(hung, calls)
    if error is None or isinstance(error, PinciteError | MemoryError):
        return
    if isinstance(error, OSError):
        raise PluginError(plugin, describe_os_error(error)) from error
    if isinstance(error, SystemExit):
        raise PluginError(plugin, f"tried to end the program (exit code {error.code})") from error
    if isinstance(error, Exception):
        raise PluginError(plugin, in_one_line(error)) from error


def called_by_name(plugin: str, method: Callable[..., Any], limit: float | None = None) -> Callable[..., Any]:
    """The method, called under the plugin's name; an iterator that it gives is stepped under that name too."""

    def call(*args: Any, **given: Any) -> Any:
        calls = WATCHDOG.enter(plugin, limit)  # `using` by hand: a search comes here some thirty times
        try:
            result = method(*args, **given)
        except BaseException as error:
            ended(plugin, calls, error)
            raise
        hung = WATCHDOG.leave(calls)
        if hung is not None:
            settle(hung, calls)
        return each(plugin, result, limit) if hasattr(result, "__next__") else result

    return call


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


def settle(hung: Entered, calls: Calls) -> None:
    """The interruption must not reach anything after the call that it was meant for."""
    try:
        while not calls.sent:
            time.sleep(0.001)
        take_back(calls.thread)
        time.sleep(0.01)  # a signal that is under way arrives here
    except (KeyboardInterrupt, Hung):
        pass
    plugin = hung[0]
    raise PluginError(
        plugin,
        f'{what_hung(WATCHDOG.limit_of(hung))} and was stopped; leave it out with [plugins] block = ["{plugin.split(" ")[0]}"], '
        "or give it longer with [plugins] timeout",
    ) from None
