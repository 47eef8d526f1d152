"""Extraction in worker processes, with limits of time and memory: a hostile file kills a worker, not a run."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from pincite.errors import Unreadable
from pincite.indexing.preloading import CONTEXT, preload
from pincite.indexing.worker import Job, Made, make, start

TASKS = 200
"""Files after which a worker is replaced: what its libraries leak goes with it."""


class Workers:
    """A pool of extraction processes.

    `count` processes; `timeout` seconds and `memory` MiB for each file. A worker that dies or hangs is replaced, and its file raises
    `Unreadable` (crashed, timed-out, out-of-memory). `modules` are loaded once for all workers.
    """

    def __init__(self, count: int, timeout: float, memory: int, modules: Iterable[str] = ()) -> None:
        from pebble import ProcessPool

        preload(modules)
        self._timeout = timeout
        self._pool = ProcessPool(
            max_workers=count, max_tasks=TASKS, initializer=start, initargs=(memory,), context=CONTEXT()
        )

    def submit(self, job: Job) -> Any:
        """A future of what is made of a file."""
        return self._pool.schedule(make, args=(job,), timeout=self._timeout)

    def result(self, future: Any) -> Made:
        """What was made, or `Unreadable` with the verdict class. Faults that may pass are told from lasting ones."""
        from pebble import ProcessExpired

        try:
            made = future.result()
        except Unreadable:
            raise
        except FutureTimeout:
            raise Unreadable(
                "timed-out", f"took longer than {self._timeout:g} s and was stopped", passing=True
            ) from None
        except ProcessExpired as error:
            raise Unreadable("crashed", f"its reader crashed (exit code {error.exitcode})", passing=True) from None
        except MemoryError:
            raise Unreadable(
                "out-of-memory", "needs more memory than a reader may use ([index] memory)", passing=True
            ) from None
        except Exception as error:
            raise Unreadable("damaged", " ".join(f"{type(error).__name__}: {error}".split())[:300]) from None
        if not isinstance(made, Made):
            raise Unreadable("crashed", "its extractor gave no pack")
        return made

    def close(self, at_once: bool = False) -> None:
        """Ends the pool; `at_once` without waiting for what is under way."""
        if at_once:
            self._pool.stop()  # type: ignore[no-untyped-call]
        else:
            self._pool.close()  # type: ignore[no-untyped-call]
        self._pool.join()
