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
from pincite.locks import try_lock

FILE = "writer.lock"

_held: set[Path] = set()


def holds(folder: Path) -> bool:
    """Whether this process holds the writer's lock of an index folder."""
    return folder.absolute() in _held


@contextmanager
def writer_lock(folder: Path, patience: float = 0.0) -> Iterator[None]:
    """Holds the writer's lock of an index folder.

    Waits up to `patience` seconds. Raises `Locked`, naming the holder. The lock is on the file, not the file itself: a file left behind
    by a process that died locks nothing.
    """
    with file_lock(folder / FILE, patience):
        _held.add(folder.absolute())
        try:
            yield
        finally:
            _held.discard(folder.absolute())


@contextmanager
def file_lock(path: Path, patience: float = 0.0) -> Iterator[None]:
    """The same for any file; its folder is made where it is not there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+", encoding="utf-8")  # noqa: SIM115  held for the whole block
    except OSError as error:
        raise PinciteError(
            f"{path}: cannot be written: {error.strerror}; check the permissions, or set PINCITE_HOME to another folder"
        ) from None
    try:
        deadline = time.monotonic() + patience
        while not try_lock(file):
            if time.monotonic() >= deadline:
                raise Locked(f"{path.parent}: {_holder(path)} is indexing this library; wait for it, or stop it")
            time.sleep(0.1)
        if path.name == FILE:
            _sign(file)
        yield
    finally:
        with contextlib.suppress(OSError):
            file.close()


def holder(folder: Path) -> str:
    """Who holds the writer's lock of an index folder, in words; "" where nobody does."""
    path = folder / FILE
    try:
        with open(path, "r+", encoding="utf-8") as file:
            return "" if try_lock(file) else _holder(path)
    except OSError:
        return ""


def _sign(file: IO[Any]) -> None:
    try:
        file.seek(0)
        file.truncate()
        json.dump({"pid": os.getpid(), "since": time.time()}, file)
        file.flush()
    except OSError:
        pass  # a full disk: the lock holds all the same


def _holder(path: Path) -> str:
    try:
        held = json.loads(path.read_text("utf-8"))
        since = time.strftime("%H:%M:%S", time.localtime(held["since"]))
        return f"process {held['pid']} (since {since})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
