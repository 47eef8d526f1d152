"""What a worker process needs is loaded once, in a process that the workers are forked from.

A spawned worker takes more than a second of a core to import its libraries, and each worker takes it again.
Where the system has no fork, or it is not safe there, workers are spawned
(https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods).
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import shutil
import sys
import tempfile
import threading
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.context import BaseContext, SpawnContext, SpawnProcess
from typing import Any

from pincite.scratch import named, sweep

FIRST = "pincite.indexing.preloaded"
"""What every worker needs, whichever files it reads."""

TEMPORARY = "pincite-w"
"""How the folder of the sockets begins by which workers are asked for; short, as the path of a socket must be."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""One file a core is enough, and each thread of a pool reserves address space of its own."""

_main_hidden = threading.Lock()


@contextmanager
def _without_main() -> Iterator[None]:
    """A new process does not import the caller's ``__main__`` again: a worker needs nothing of it, and a script without an
    ``if __name__ == "__main__"`` guard would start itself over and over."""
    with _main_hidden:
        main = sys.modules.get("__main__")
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            if main is not None:
                sys.modules["__main__"] = main


class _Spawned(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802  the name is multiprocessing's
        with _without_main():
            return SpawnProcess._Popen(process_obj)


class _SpawnContext(SpawnContext):
    Process = _Spawned


if sys.platform == "linux":
    from multiprocessing.context import ForkServerContext, ForkServerProcess

    class _Forked(ForkServerProcess):
        @staticmethod
        def _Popen(process_obj: Any) -> Any:  # noqa: N802  the name is multiprocessing's
            with _without_main():
                return ForkServerProcess._Popen(process_obj)

    class _ForkContext(ForkServerContext):
        Process = _Forked

    CONTEXT: type[BaseContext] = _ForkContext
else:  # macOS has fork, but its system libraries crash in a forked process
    CONTEXT = _SpawnContext


def preload(modules: Iterable[str]) -> None:
    """Starts the process that workers are forked from, which loads `modules` while the caller goes on. Modules that cannot be
    loaded are left to the worker that needs them. Once it runs, it keeps what it has."""
    from multiprocessing import resource_tracker

    _name_temporary_folder()
    with _real_stderr():
        resource_tracker.ensure_running()
        if CONTEXT is _SpawnContext:
            return
        from multiprocessing import forkserver

        multiprocessing.set_forkserver_preload([FIRST, *modules])
        with _one_thread():
            forkserver.ensure_running()


def _name_temporary_folder() -> None:
    """Gives this process's sockets a folder whose name says whose it is, and removes those that killed runs left."""
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined]  # where `multiprocessing.util.get_temp_dir` looks
    if config.get("tempdir") is None:
        sweep(TEMPORARY)
        config["tempdir"] = tempfile.mkdtemp(prefix=named(TEMPORARY))
        atexit.register(shutil.rmtree, config["tempdir"], ignore_errors=True)


def let_go() -> None:
    """Ends the process that workers are forked from, which holds some 130 MB, where no worker runs; `preload` starts another."""
    if CONTEXT is _SpawnContext or multiprocessing.active_children():
        return
    from multiprocessing import forkserver

    stop = getattr(forkserver._forkserver, "_stop", None)
    if stop is not None:
        stop()


@contextmanager
def _real_stderr() -> Iterator[None]:
    """New processes are handed the file of standard error; a full-screen program has put something in its place that has none."""
    before = sys.stderr
    if sys.__stderr__ is not None:
        sys.stderr = sys.__stderr__
    try:
        yield
    finally:
        sys.stderr = before


@contextmanager
def _one_thread() -> Iterator[None]:
    """The libraries read the number of their threads when they are loaded: a process that is forked must have one."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
