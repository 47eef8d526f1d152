"""The watchdog: a call into a plugin that does not come back is named and ended.

Every call into a plugin is entered here (`pincite.plugin.use.using`) and left again. One daemon thread looks at the calls under way;
where the innermost of a thread gives no sign of life for longer than its limit, that thread is interrupted: the main thread by SIGINT,
which also ends a blocking system call, any other by an exception set from outside (CPython's ``PyThreadState_SetAsyncExc``). A call
that survives that (it swallows every exception, or is stuck in C) ends the process, where the process says that it may be ended
(the command line does): whatever pincite writes is whole at any point.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
import time
from collections.abc import Callable

LIMIT = 300.0
"""Seconds without a sign of life before a call counts as hanging, where the configuration says nothing else."""

GRACE = 5.0
"""Seconds that an interrupted call has to end."""


_MAIN = threading.main_thread().ident or 0


class Hung(BaseException):
    """Set in a thread that hangs in a plugin. Not an `Exception`: a plugin's ``except Exception`` must not swallow it."""


class Call:
    """One call under way: whose, in which thread, and when it last gave a sign of life (monotonic seconds)."""

    __slots__ = ("hung", "limit", "plugin", "since", "thread")

    def __init__(self, plugin: str, thread: int, limit: float) -> None:
        self.plugin = plugin
        self.thread = thread
        self.limit = limit
        self.since = time.monotonic()
        self.hung = 0.0

    def alive(self) -> None:
        """A sign of life: the call has got on."""
        self.since = time.monotonic()

    def asking(self, cancelled: Callable[[], bool]) -> Callable[[], bool]:
        """The same question; a plugin that asks and is told to go on is alive, one that was told to stop has its time running."""

        def ask() -> bool:
            if cancelled():
                return True
            self.since = time.monotonic()
            return False

        return ask


class Watchdog:
    """All calls of this process. There is one (`WATCHDOG`), since threads and signals belong to the process.

    `limit`: seconds, 0 for none. `end`: called with one line where a call survives its interruption; None leaves it alone.
    """

    def __init__(self) -> None:
        self.limit = LIMIT
        self.end: Callable[[str], None] | None = None
        self._calls: dict[int, list[Call]] = {}
        self._period = 1.0
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._armed = False

    def enter(self, plugin: str, limit: float | None = None) -> Call:
        """A call begins in this thread."""
        thread = threading.get_ident()
        call = Call(plugin, thread, self.limit if limit is None else limit)
        stack = self._calls.get(thread)
        if stack is None:
            stack = self._calls[thread] = []
        stack.append(call)
        if not self._armed and thread == _MAIN:
            self._arm()
        if self._thread is None or call.limit < 4 * self._period:
            self._start(call.limit)
        return call

    def leave(self, call: Call) -> None:
        """It has ended, however; the call around it goes on from now."""
        stack = self._calls.get(call.thread)
        if stack and stack[-1] is call:
            stack.pop()
            if stack:
                stack[-1].since = time.monotonic()
            else:
                self._calls.pop(call.thread, None)

    def _arm(self) -> None:
        """Where SIGINT is ignored (a job in the background), it goes on being ignored, unless it is meant for a call that hangs."""
        self._armed = True
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            with contextlib.suppress(ValueError):  # not the main interpreter
                signal.signal(signal.SIGINT, self._if_hung)

    def _if_hung(self, number: int, frame: object) -> None:
        stack = self._calls.get(_MAIN)
        if stack and stack[-1].hung:
            raise KeyboardInterrupt

    # ------------------------------------------------------------------------------------------ watching

    def _start(self, limit: float) -> None:
        with self._lock:
            if limit > 0:
                self._period = max(0.02, min(self._period, limit / 4))
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="pincite-watchdog", daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        while True:
            time.sleep(self._period)
            now = time.monotonic()
            for stack in list(self._calls.values()):
                with contextlib.suppress(IndexError):
                    self._look(stack[-1], now)

    def _look(self, call: Call, now: float) -> None:
        if call.hung:
            if now - call.hung > GRACE and self.end is not None:
                self.end(
                    f"plugin {call.plugin}: {what_hung(call)} and cannot be stopped; nothing that was kept is lost"
                )
                call.hung = now
        elif 0 < call.limit < now - call.since:
            call.hung = now
            interrupt(call.thread)


WATCHDOG = Watchdog()
"""The watchdog of this process."""


def what_hung(call: Call) -> str:
    """Half a sentence for the person."""
    return f"has given no sign of life for {call.limit:g} s"


def interrupt(thread: int) -> None:
    """Raises KeyboardInterrupt in the main thread, or `Hung` in another."""
    raises = signal.getsignal(signal.SIGINT) in (signal.default_int_handler, WATCHDOG._if_hung)
    if thread == _MAIN and raises and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        _raise_in(thread, ctypes.py_object(Hung))


def take_back(thread: int) -> None:
    """Forgets an exception that was set for a thread and has not been raised yet."""
    _raise_in(thread, None)


def _raise_in(thread: int, what: object) -> None:
    with contextlib.suppress(AttributeError):  # an interpreter without CPython's interface
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
