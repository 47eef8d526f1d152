"""What the seam between core and plugins costs: ``python tests/benchmarks/seam.py [LIBRARY]``.

The example library, or another, is indexed and asked in this process, extraction too, which else is in worker processes. Each call through the seam is timed twice: as core
sees it, and as the plugin does; a third clock around the two says what a clock takes. The difference, less the clock, is the seam: naming the plugin, watching the call, checking the answer.
Added to it are the calls that core enters by hand, at the price of an empty one, and the hooks. Times are of the processor and of this thread, so that
other programs count for nothing. Prints the share in the whole; asked is under 1 %.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from time import thread_time
from types import SimpleNamespace
from typing import Any

import pincite
import pincite.indexing.parts
from pincite.indexing.worker import make
from pincite.plugin.guard import Guarded
from pincite.plugin.manager import Plugins
from pincite.plugin.use import using
from pincite.plugin.watch import WATCHDOG

EXAMPLES = Path(__file__).parents[2] / "examples" / "library"
CONFIG = "[index]\nfloor = 0\n"
QUESTIONS = (
    "why do old towns stay cool in summer",
    "warm nights and sleep",
    "watering trees in dry streets",
    "measurements with thermometers on bicycles",
    "shade of plane trees",
    "wie oft soll man gießen",
    "wind between houses",
    "who planted the avenue",
    "asphalt at midnight",
    "heat and the elderly",
)
ROUNDS = 3


class Clock:
    """Each call by the name of its method: what the seam took of it, in seconds. `hooks`: seconds in hooks; `entered`: calls that were entered."""

    def __init__(self) -> None:
        self.taken: dict[str, list[float]] = defaultdict(list)
        self.hooks = 0.0
        self.entered = 0
        self._last = dict.fromkeys(("first", "inside", "outside", "around", "hooks"), 0.0)

    def timed(self, call: Callable[..., Any], where: str, name: str = "") -> Callable[..., Any]:
        """The call with a clock; of an iterator that it gives each step is a call."""

        def timed(*args: Any, **given: Any) -> Any:
            began = thread_time()
            try:
                result = call(*args, **given)
            finally:
                self._ended(where, name, began)
            return self._steps(result, where, name) if hasattr(result, "__next__") else result

        return timed

    def _steps(self, values: Any, where: str, name: str) -> Any:
        while True:
            began = thread_time()
            try:
                value = next(values)
            except StopIteration:
                return
            finally:
                self._ended(where, name, began)
            yield value

    def _ended(self, where: str, name: str, began: float) -> None:
        """Of the clocks of one call the inner one ends just before the outer one."""
        self._last[where] = thread_time() - began
        inside, outside, around = self._last["inside"], self._last["outside"], self._last["around"]
        if where == "around":
            self.taken[name].append((outside - inside) - (around - outside))
        elif where == "hooks":
            self.hooks += self._last[where]

    @property
    def guarded(self) -> int:
        """How many calls went through the seam."""
        return sum(map(len, self.taken.values()))

    @property
    def seam(self) -> float:
        """Seconds that they took: of each method's calls the median, so that an interruption of the machine does not count."""
        return sum(len(taken) * statistics.median(taken) for taken in self.taken.values())


class Inside:
    """A plugin's object whose methods are timed."""

    def __init__(self, made: Any, clock: Clock) -> None:
        self.__dict__.update(_made=made, _clock=clock)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._made, name)
        if name.startswith("_") or not callable(value) or isinstance(value, type):
            return value
        # the first clock after long work is slow, as whatever the processor has to fetch again: it is not the seam's
        timed = self._clock.timed(self._clock.timed(value, "first"), "inside")
        timed.__self__ = self._made  # the checks ask the embedder of a method for its width
        self.__dict__[name] = timed
        return timed


@contextmanager
def measured(clock: Clock) -> Any:
    """Clocks on both sides of the seam, and on the hooks."""
    init, get, enter, register = Guarded.__init__, Guarded.__getattr__, WATCHDOG.enter, Plugins._register

    def made_with_clock(self: Any, made: Any, *args: Any, **given: Any) -> None:
        init(self, Inside(made, clock), *args, **given)

    def got(self: Any, name: str) -> Any:
        value = get(self, name)
        if name in self.__dict__:
            self.__dict__[name] = value = clock.timed(clock.timed(value, "outside"), "around", name)
        return value

    def entered(*args: Any) -> Any:
        clock.entered += 1
        return enter(*args)

    Guarded.__init__, Guarded.__getattr__, WATCHDOG.enter = made_with_clock, got, entered  # type: ignore[assignment, method-assign]
    Plugins._register = lambda self, *args: clock.timed(register, "hooks")(self, *args)  # type: ignore[method-assign]
    try:
        yield clock
    finally:
        Guarded.__init__, Guarded.__getattr__ = init, get  # type: ignore[method-assign]
        Plugins._register = register  # type: ignore[method-assign]
        del WATCHDOG.enter


class Here:
    """`pincite.indexing.workers.Workers` without processes, so that the calls of workers count too."""

    def __init__(self, *given: Any) -> None:
        pass

    def submit(self, job: Any) -> Any:
        return SimpleNamespace(job=job, ready=True)

    def result(self, pending: Any) -> Any:
        return make(pending.job)

    def close(self, at_once: bool = False) -> None:
        pass


def least(call: Callable[[], Any], times: int = 2_000, rounds: int = 10) -> float:
    """Seconds of one call, at best."""

    def once() -> float:
        began = thread_time()
        for _ in range(times):
            call()
        return (thread_time() - began) / times

    return min(once() for _ in range(rounds))


def empty_call() -> None:
    """What is paid for a call in which nothing happens."""
    with using("ranker.none"):
        pass


def told(what: str, seconds: float, clock: Clock, price: float, times: int = 1) -> None:
    """A line of the result."""
    by_hand = max(0, clock.entered - clock.guarded)
    seam = clock.seam + by_hand * price + clock.hooks
    print(
        f"{what:24} {seconds / times * 1e3:9.2f} ms   seam {seam / times * 1e3:7.3f} ms in {(clock.guarded + by_hand) / times:5.1f} calls   {seam / seconds:7.2%}"
    )


def main() -> None:
    """Prints a line for the indexing run, and one for the searches of each engine."""
    pincite.indexing.parts.Workers = Here  # type: ignore[misc, assignment]
    price = least(empty_call)
    print(f"an empty call: {price * 1e6:.2f} µs")
    with tempfile.TemporaryDirectory() as folder:
        shelf, config = Path(folder) / "library", Path(folder) / "pincite.toml"
        shutil.copytree(sys.argv[1] if len(sys.argv) > 1 else EXAMPLES, shelf)
        config.write_text(CONFIG)
        with measured(Clock()) as clock:
            began = thread_time()
            library = pincite.open(shelf, config=config)
            library.folder = Path(folder) / "index"
            report = library.index()
            print(f"{library.store.totals().chunks:,} passages")
            told(f"indexing ({report.embedded} vectors)", thread_time() - began, clock, price)
            for engine in ("lexical", "semantic", "hybrid"):
                library.search("warm-up", engine=engine)
                clock.__init__()  # type: ignore[misc]
                seconds = []
                for turn in range(ROUNDS):
                    for question in QUESTIONS:
                        began = thread_time()
                        library.search(f"{question} {turn}", engine=engine)  # no answer is remembered
                        seconds.append(thread_time() - began)
                told(f"a search, {engine}", statistics.median(seconds) * len(seconds), clock, price, len(seconds))
            library.close()


if __name__ == "__main__":
    main()
