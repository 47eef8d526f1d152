"""Indexing while assistants ask: a run in the background, which any number of calls may wait for."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from pincite.errors import Cancelled, PinciteError, in_one_line
from pincite.indexing.report import STEPS
from pincite.library import Library

WORDS = {"read": "reading the library", "extract": "reading files", "embed": "embedding passages"}
"""Step → what a person is told."""

LOOK_EVERY = 0.2
"""Seconds between two looks at a run that is waited for."""

END = 10.0
"""Seconds that a run has to end when the server does; what it has done is kept in any case."""

Tell = Callable[[float, float, str], Awaitable[None]]
"""(progress, total, message), to the client that waits."""


@dataclass(frozen=True)
class Step:
    """Where a run is; `total` is 0 where it is not known yet."""

    name: str = STEPS[0]
    done: int = 0
    total: int = 0

    @property
    def progress(self) -> float:
        """From 0 to the number of steps."""
        part = min(1.0, self.done / self.total) if self.total else 0.0
        return STEPS.index(self.name) + part if self.name in STEPS else 0.0

    @property
    def text(self) -> str:
        """For a person."""
        of = f": {self.done:,} of {self.total:,}" if self.total else ""
        return f"{WORDS.get(self.name, self.name)}{of}"


class Indexing:
    """At most one run of a library at a time, in a thread and with a library object of its own."""

    def __init__(self, library: Library, note: Callable[[str], None]) -> None:
        self._of = library
        self._note = note
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self.step = Step()
        self.error = ""

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begins a run, unless one is under way."""
        if self.running or self._stop.is_set():
            return
        self.step, self.error = Step(), ""
        self._thread = threading.Thread(target=self._run, name="pincite-mcp-indexing", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        of = self._of
        try:
            with Library(
                of.path, of.config, of.plugins, source=of.source_name, folder=of.folder, name=of.name, note=self._note
            ) as library:
                meaning = "vector" in library.rankers_of(library.config.settings.engine)
                report = library.index(self._tell, embed=meaning, cancelled=self._stop.is_set)
                self.error = report.unfinished
        except Cancelled:
            self.error = "stopped"
        except PinciteError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"unexpected error while indexing: {in_one_line(error)}"

    def _tell(self, step: str, done: int, total: int, detail: str) -> None:
        self.step = Step(step, done, total)

    async def wait(self, tell: Tell, seconds: float) -> None:
        """Until the run has ended, `seconds` at most; tells how far it is. Cancelling the wait leaves the run alone."""
        deadline = time.monotonic() + seconds
        told = -1.0
        while self.running and time.monotonic() < deadline:
            step = self.step
            if step.progress > told:
                told = step.progress
                await tell(told, float(len(STEPS)), step.text)
            await anyio.sleep(LOOK_EVERY)

    def close(self) -> None:
        """Stops the run and waits for its end."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(END)
