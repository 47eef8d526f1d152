"""Temporary folders that name their process, so that what a killed one left can be told from what is in use."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def named(prefix: str) -> str:
    """A prefix for `tempfile` that holds this process's number."""
    return f"{prefix}{os.getpid()}-"


def sweep(prefix: str) -> None:
    """Removes the folders that processes left which are no more."""
    import psutil  # not for a search, which only names one

    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*-*"):
        owner = left.name.removeprefix(prefix).split("-")[0]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(left, ignore_errors=True)
