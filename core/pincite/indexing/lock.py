"""One writer an index: a lock that the operating system gives back when its holder dies."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from pincite.errors import Locked, PinciteError

FILE = "writer.lock"


@contextmanager
def writer_lock(folder: Path, patience: float = 0.0) -> Iterator[None]:
    """Holds the writer's lock of an index folder.

    Waits up to `patience` seconds. Raises `Locked`, naming the holder. The lock is on the file, not the file itself: a file left behind
    by a process that died locks nothing.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+", encoding="utf-8")  # noqa: SIM115  held for the whole block
    except OSError as error:
        raise PinciteError(
            f"{path}: cannot be written: {error.strerror}; check the permissions, or set PINCITE_HOME to another folder"
        ) from None
    try:
        deadline = time.monotonic() + patience
        while not _try_lock(file):
            if time.monotonic() >= deadline:
                raise Locked(f"{folder}: {_holder(path)} is indexing this library; wait for it, or stop it")
            time.sleep(0.1)
        try:
            file.seek(0)
            file.truncate()
            json.dump({"pid": os.getpid(), "since": time.time()}, file)
            file.flush()
        except OSError:
            pass  # a full disk: the lock holds all the same
        yield
    finally:
        with contextlib.suppress(OSError):
            file.close()


def _try_lock(file: IO[Any]) -> bool:
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


def _holder(path: Path) -> str:
    try:
        holder = json.loads(path.read_text("utf-8"))
        since = time.strftime("%H:%M:%S", time.localtime(holder["since"]))
        return f"process {holder['pid']} (since {since})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
