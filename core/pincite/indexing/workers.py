"""Extraction in worker processes, with limits of time and memory: a hostile file kills a worker, not a run."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from pincite.errors import PinciteError, Unreadable, in_one_line
from pincite.indexing.preloading import CONTEXT, preload
from pincite.indexing.worker import OUT_OF_MEMORY, Job, Made, make, start

TASKS = 200
"""Files after which a worker is replaced: what its libraries leak goes with it."""


@dataclass(frozen=True)
class Pending:
    """A file that is with the workers."""

    job: Job
    future: Any

    @property
    def ready(self) -> bool:
        """Whether it is made, or has failed."""
        return bool(self.future.done())


class Workers:
    """A pool of extraction processes.

    `count` processes; `timeout` seconds and `memory` MiB for each file. A worker that dies or hangs is replaced, and its file raises
    `Unreadable` (crashed, timed-out, out-of-memory). `modules` are loaded once for all workers.
    """

    def __init__(self, count: int, timeout: float, memory: int, modules: Iterable[str] = ()) -> None:
        preload(modules)
        self._count, self._timeout, self._memory = count, timeout, memory
        self._pool = self._new()

    def _new(self) -> Any:
        from pebble import ProcessPool

        return ProcessPool(
            max_workers=self._count, max_tasks=TASKS, initializer=start, initargs=(self._memory,), context=CONTEXT()
        )

    def submit(self, job: Job) -> Pending:
        """Hands over a file."""
        try:
            return Pending(job, self._schedule(job))
        except RuntimeError:  # the process that workers are forked from was killed: no fault of any file
            self.close(at_once=True)
            self._pool = self._new()
            return Pending(job, self._schedule(job))

    def _schedule(self, job: Job) -> Any:
        return self._pool.schedule(make, args=(job,), timeout=self._timeout)

    def result(self, pending: Pending) -> Made:
        """What was made, or `Unreadable` with the verdict class. Faults that may pass are told from lasting ones. Raises
        `PinciteError` where no worker can be had."""
        try:
            return self._result(pending)
        except BrokenProcessPool:
            try:
                return self._result(self.submit(pending.job))
            except BrokenProcessPool as error:
                raise PinciteError(
                    f"files cannot be read: no worker process can be started ({error}); free some memory, and run it again"
                ) from None

    def _result(self, pending: Pending) -> Made:
        from pebble import ProcessExpired

        try:
            made = pending.future.result()
        except (Unreadable, BrokenProcessPool):
            raise
        except FutureTimeout:
            raise Unreadable(
                "timed-out", f"took longer than {self._timeout:g} s and was stopped", passing=True
            ) from None
        except ProcessExpired as error:
            if error.exitcode == OUT_OF_MEMORY:
                raise Unreadable(
                    "out-of-memory", "needs more memory than a reader may use ([index] memory)", passing=True
                ) from None
            raise Unreadable("crashed", f"its reader crashed (exit code {error.exitcode})", passing=True) from None
        except Exception as error:
            raise Unreadable("damaged", in_one_line(error)[:300]) from None
        if not isinstance(made, Made):
            raise Unreadable("crashed", "its extractor gave no pack")
        return made

    def wait(self, pending: Pending, seconds: float) -> bool:
        """Whether a file is made, or has failed, after up to `seconds`."""
        return bool(wait([pending.future], seconds).done)

    def drop(self, pending: Pending) -> None:
        """Gives a file up; a worker that has it is replaced."""
        pending.future.cancel()

    def close(self, at_once: bool = False) -> None:
        """Ends the pool; `at_once` without waiting for what is under way."""
        if at_once:
            self._pool.stop()
        else:
            self._pool.close()
        self._pool.join()
