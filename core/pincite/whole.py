"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, content: str | bytes, *, lasting: bool = False) -> None:
    """Writes a file, text as UTF-8, and its folder where there is none: beside it first, then renamed. Raises `OSError`, with nothing
    left beside. `lasting`: what is written outlasts a power cut."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):  # a file system that is read-only refuses this, too
            beside.unlink()
        raise
