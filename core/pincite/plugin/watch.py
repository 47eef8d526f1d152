"""The watchdog: a call into a plugin that does not come back is named and ended.

Every call into a plugin is entered here (`pincite.plugin.use.using`) and left again. One daemon thread looks at the calls under way;
where the innermost of a thread gives no sign of life for longer than its limit, that thread is interrupted: the main thread by SIGINT,
which also ends a blocking system call, any other by an exception set from outside (CPython's ``PyThreadState_SetAsyncExc``). A call
that survives that (it swallows every exception, or is stuck in C) ends the process, where the process says that it may be ended
(the command line does): whatever pincite writes is whole at any point. Time in which the process was stopped, or the machine slept,
is held against nobody.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
import time
import weakref
from collections.abc import Callable

LIMIT = 300.0
"""Seconds without a sign of life before a call counts as hanging, where the configuration says nothing else."""

GRACE = 5.0
"""Seconds that an interrupted call has to end."""

Entered = tuple[str, float | None]
"""A call under way: whose, and its own limit in seconds. Each is an object of its own, so that two calls are told apart."""

_MAIN = threading.main_thread().ident or 0


class Hung(BaseException):
    """Set in a thread that hangs in a plugin. Not an `Exception`: a plugin's ``except Exception`` must not swallow it."""


class Calls:
    """The calls under way in one thread. Every sign of life counts up `turn`; only the watchdog looks at a clock."""

    __slots__ = ("__weakref__", "hung", "seen", "sent", "since", "thread", "turn", "under")

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.under: list[Entered] = []
        """The innermost is the last."""
        self.turn = 0
        self.seen = -1
        """The turn that the watchdog saw last, and `since` when it first saw it (seconds of `Awake`)."""
        self.since = 0.0
        self.hung: Entered | None = None
        """The call that was interrupted."""
        self.sent = True
        """Whether the interruption is on its way, or was let be: nothing comes after."""

    def alive(self) -> None:
        """A sign of life: the innermost call has got on."""
        self.turn += 1

    def asking(self, cancelled: Callable[[], bool]) -> Callable[[], bool]:
        """The same question; a plugin that asks and is told to go on is alive, one that was told to stop has its time running."""

        def ask() -> bool:
            if cancelled():
                return True
            self.turn += 1
            return False

        return ask


class Awake:
    """A clock of the seconds in which this process could work: at each look at most those until the next were `due`, once more as
    many, and what it computed meanwhile (a call in C may keep the watchdog itself waiting)."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, computed: Callable[[], float] = time.process_time
    ) -> None:
        self._now, self._computed = now, computed
        self._looked, self._worked = now(), computed()
        self._at = 0.0

    def look(self, due: float) -> float:
        """Seconds since this clock was made, as of a look that was due `due` seconds after the last."""
        now, worked = self._now(), self._computed()
        self._at += min(now - self._looked, 2 * due + worked - self._worked)
        self._looked, self._worked = now, worked
        return self._at


class Watchdog:
    """All calls of this process. There is one (`WATCHDOG`), since threads and signals belong to the process.

    `end`: called with one line where a call survives its interruption; None leaves it alone.
    """

    def __init__(self) -> None:
        self.end: Callable[[str], None] | None = None
        self._limit = LIMIT
        self._period = 1.0
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._threads: list[weakref.ref[Calls]] = []
        self._here = _Here(self)

    @property
    def limit(self) -> float:
        """Seconds without a sign of life, for calls that bring no limit of their own; 0 for none."""
        return self._limit

    @limit.setter
    def limit(self, seconds: float) -> None:
        self._limit = seconds
        self._look_often_enough(seconds)

    def here(self) -> Calls:
        """The calls of this thread."""
        calls: Calls = self._here.calls
        return calls

    def enter(self, plugin: str, limit: float | None = None) -> Calls:
        """A call begins in this thread. `limit`: seconds, 0 for none, None for the watchdog's own."""
        calls: Calls = self._here.calls
        calls.under.append((plugin, limit))
        calls.turn += 1
        if limit is not None or self._thread is None:
            self._start(self._limit if limit is None else limit)
        return calls

    def leave(self, calls: Calls) -> Entered | None:
        """It has ended, however; the call around it goes on from now. Gives the call where it was interrupted."""
        entered = calls.under.pop()
        calls.turn += 1
        if calls.hung is not entered:
            return None
        calls.hung = None
        return entered

    def begin(self, calls: Calls) -> None:
        """A thread makes its first call. Where SIGINT is ignored (a job in the background), it goes on being ignored, unless it is meant
        for a call that hangs."""
        with self._lock:
            self._threads = [one for one in self._threads if one() is not None] + [weakref.ref(calls)]
        if calls.thread == _MAIN and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            with contextlib.suppress(ValueError):  # not the main interpreter
                signal.signal(signal.SIGINT, self._if_hung)

    def _if_hung(self, number: int, frame: object) -> None:
        calls: Calls = self._here.calls  # Python runs a signal's handler in the main thread
        if calls.hung is not None and calls.under and calls.under[-1] is calls.hung:
            raise KeyboardInterrupt

    # ------------------------------------------------------------------------------------------ watching

    def limit_of(self, entered: Entered) -> float:
        """Seconds that a call has."""
        return self._limit if entered[1] is None else entered[1]

    def _look_often_enough(self, limit: float) -> None:
        if 0 < limit < 4 * self._period:
            self._period = max(0.02, limit / 4)

    def _start(self, limit: float) -> None:
        self._look_often_enough(limit)
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._watch, name="pincite-watchdog", daemon=True)
                    self._thread.start()

    def _watch(self) -> None:
        awake = Awake()
        while True:
            period = self._period
            time.sleep(period)
            now = awake.look(period)
            for one in list(self._threads):
                calls = one()
                if calls is not None:
                    with contextlib.suppress(IndexError):  # it has just ended
                        self._look(calls, now)
                del calls  # a thread that ends takes its calls with it

    def _look(self, calls: Calls, now: float) -> None:
        if calls.turn != calls.seen or not calls.under:
            calls.seen, calls.since = calls.turn, now
            return
        entered = calls.under[-1]
        limit = self.limit_of(entered)
        if calls.hung is entered:
            if now - calls.since > GRACE and self.end is not None:
                self.end(
                    f"plugin {entered[0]}: {what_hung(limit)} and cannot be stopped; nothing that was kept is lost"
                )
                calls.since = now
        elif 0 < limit < now - calls.since:
            calls.sent = False
            calls.hung, calls.since = entered, now
            try:
                # only now: a call that has just ended either sees that it was to be interrupted, or is seen to be gone
                innermost = calls.under[-1:]
                if innermost and innermost[0] is entered:
                    interrupt(calls.thread)
            finally:
                calls.sent = True


class _Here(threading.local):
    """Each thread's own calls."""

    def __init__(self, watchdog: Watchdog) -> None:
        self.calls = Calls(threading.get_ident())
        watchdog.begin(self.calls)


WATCHDOG = Watchdog()
"""The watchdog of this process."""


def what_hung(limit: float) -> str:
    """Half a sentence for the person."""
    return f"has given no sign of life for {limit:g} s"


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
