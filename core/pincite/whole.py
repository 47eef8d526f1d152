"""Small files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a file of UTF-8, and its folder where there is none: beside it first, then renamed. Raises `OSError`, with nothing left
    beside."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8")
        os.replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):  # a file system that is read-only refuses this, too
            beside.unlink()
        raise
