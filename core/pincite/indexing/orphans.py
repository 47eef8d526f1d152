"""A worker process ends with the main one, however that ends: nobody is left to stop it at its time limit."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Thread


def end_with_parent() -> None:
    """From now on this process ends as soon as the one that began it is gone, whatever it is doing then."""
    parent = parent_process()
    if parent is None:
        return
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            _end_at_signal(parent)
            return
    Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_at_signal(parent: BaseProcess) -> None:
    """The parent holds the other end of a pipe, and the system tells of its closing by SIGIO, which ends a process even in a long
    call of a library, where no thread of Python's gets a turn (``O_ASYNC``, https://man7.org/linux/man-pages/man2/fcntl.2.html)."""
    import fcntl

    pipe = parent.sentinel
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if not parent.is_alive():
        os._exit(1)  # it went before it was asked about


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
