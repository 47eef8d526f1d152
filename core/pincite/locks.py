"""Locks of the operating system on an open file: a process that dies leaves none behind."""

from __future__ import annotations

import os
from typing import IO, Any


def try_lock(file: IO[Any]) -> bool:
    """Takes the lock of an open file for as long as it is open; false where another holds it."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(1 << 20)  # beyond what is written: the text stays readable
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
