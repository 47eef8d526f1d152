"""Extraction in worker processes, with limits of time and memory: a hostile file kills a worker, not a run."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import types
from collections.abc import Iterator
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any

from pincite.errors import Unreadable
from pincite.values.pack import Pack

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


@dataclass(frozen=True)
class Job:
    """One file to read: which extractor, with which settings, by which entry point or local file it is found."""

    extractor: str
    path: str
    password: str | None
    blocked: tuple[str, ...]
    local: str
    settings: dict[str, Any]
    home: str


class Workers:
    """A pool of extraction processes.

    `count` processes; `timeout` seconds and `memory` MiB for each file. A worker that dies or hangs is replaced, and its file raises
    `Unreadable` (crashed, timed-out, out-of-memory).
    """

    def __init__(self, count: int, timeout: float, memory: int) -> None:
        from pebble import ProcessPool

        self._timeout = timeout
        self._pool = ProcessPool(
            max_workers=count, max_tasks=200, initializer=_start, initargs=(memory,), context=_Context()
        )

    def submit(self, job: Job) -> Any:
        """A future of the pack."""
        return self._pool.schedule(_extract, args=(job,), timeout=self._timeout)

    def result(self, future: Any) -> Pack:
        """The pack, or `Unreadable` with the verdict class."""
        from pebble import ProcessExpired

        try:
            pack = future.result()
        except Unreadable:
            raise
        except FutureTimeout:
            raise Unreadable(
                "timed-out", f"took longer than {self._timeout:g} s and was stopped", passing=True
            ) from None
        except ProcessExpired as error:
            raise Unreadable("crashed", f"its reader crashed (exit code {error.exitcode})") from None
        except MemoryError:
            raise Unreadable(
                "out-of-memory", "needs more memory than a reader may use ([index] memory)", passing=True
            ) from None
        except Exception as error:
            raise Unreadable("damaged", " ".join(f"{type(error).__name__}: {error}".split())[:300]) from None
        if not isinstance(pack, Pack):
            raise Unreadable("crashed", "its extractor gave no pack")
        return pack

    def close(self, at_once: bool = False) -> None:
        """Ends the pool; `at_once` without waiting for what is under way."""
        if at_once:
            self._pool.stop()  # type: ignore[no-untyped-call]
        else:
            self._pool.close()  # type: ignore[no-untyped-call]
        self._pool.join()


def default_count(configured: int) -> int:
    """How many workers: as configured, else as many as cores, at most 4."""
    return configured or max(1, min(4, os.cpu_count() or 1))


@contextmanager
def quiet() -> Iterator[None]:
    """Sends what C libraries print to standard output and error nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 1)
        os.dup2(null, 2)
        yield
    finally:
        os.close(null)


_extractors: dict[tuple[str, str], Any] = {}


def _start(memory: int) -> None:
    """Runs in each new worker: limits, and silence on the terminal."""
    with contextlib.suppress(Exception):
        import resource

        size = memory * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with quiet():
        pass
    import signal

    # the main process decides when to end; Ctrl-C in the terminal reaches every process of the group
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _extract(job: Job) -> Pack:
    key = (job.extractor, repr(sorted(job.settings.items())))
    if key not in _extractors:
        from pincite.config.load import validate_section
        from pincite.plugin.manager import Plugins
        from pincite.spec import Context

        entry = Plugins(blocked=job.blocked, local=Path(job.local)).find("extractor", job.extractor)
        settings = validate_section(entry.settings, job.settings, f"extractor.{job.extractor}")
        _extractors[key] = entry.factory(settings, Context(home=Path(job.home)))
    pack: Pack = _extractors[key].extract(Path(job.path), job.password)
    return pack
