"""Extraction in worker processes, with limits of time and memory: a hostile file kills a worker, not a run."""

from __future__ import annotations

import sys
import threading
import types
from concurrent.futures import TimeoutError as FutureTimeout
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from pincite.errors import Unreadable
from pincite.indexing.worker import Job, Made, make, start

TASKS = 200
"""Files after which a worker is replaced: what its libraries leak goes with it."""

_main_hidden = threading.Lock()


class _Process(SpawnProcess):
    """A spawned process that does not import the caller's ``__main__`` again: a worker needs nothing of it, and a script without an
    ``if __name__ == "__main__"`` guard would start itself over and over."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802  the name is multiprocessing's
        with _main_hidden:
            main = sys.modules.get("__main__")
            sys.modules["__main__"] = types.ModuleType("__main__")
            try:
                return SpawnProcess._Popen(process_obj)
            finally:
                if main is not None:
                    sys.modules["__main__"] = main


class _Context(SpawnContext):
    Process = _Process


class Workers:
    """A pool of extraction processes.

    `count` processes; `timeout` seconds and `memory` MiB for each file. A worker that dies or hangs is replaced, and its file raises
    `Unreadable` (crashed, timed-out, out-of-memory).
    """

    def __init__(self, count: int, timeout: float, memory: int) -> None:
        from pebble import ProcessPool

        self._timeout = timeout
        self._pool = ProcessPool(
            max_workers=count, max_tasks=TASKS, initializer=start, initargs=(memory,), context=_Context()
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
