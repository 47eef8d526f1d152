"""A paused index: a file in its folder, so that it stays paused whatever is restarted."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from pincite.errors import cannot_be

FILE = "paused"
LOOK_EVERY = 0.25
"""Seconds between two looks at the file."""


def pause(folder: Path) -> None:
    """Pauses: a run under way ends with the unit that it is at, and none begins until `resume`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(json.dumps({"since": time.time(), "by": os.getpid()}), "utf-8")
    except OSError as error:
        raise cannot_be("written", folder / FILE, error) from None


def resume(folder: Path) -> bool:
    """Ends the pause; whether there was one."""
    try:
        (folder / FILE).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise cannot_be("removed", folder / FILE, error) from None
    return True


def paused(folder: Path) -> str:
    """Since when, in words; "" where it is not paused."""
    path = folder / FILE
    if not path.exists():
        return ""
    since = 0.0
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        since = float(json.loads(path.read_text("utf-8"))["since"])
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(since)) if since else "some time ago"


def pausing(folder: Path) -> Callable[[], bool]:
    """The same question, asked often: the disk is looked at now and then."""
    state = {"at": 0.0, "paused": False}
    path = folder / FILE

    def ask() -> bool:
        now = time.monotonic()
        if now - state["at"] >= LOOK_EVERY:
            state.update(at=now, paused=path.exists())
        return bool(state["paused"])

    return ask
