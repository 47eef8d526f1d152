"""What of the machine a run may take: cores, memory, priority."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

from pincite.errors import PinciteError

PRESSURE = 0.5
"""Under this share of the memory floor a run gives memory back."""


def cores() -> int:
    """Cores that this process may use."""
    with contextlib.suppress(AttributeError, OSError):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def half_the_cores() -> int:
    """What a run takes unless told otherwise: half the cores, and both of two."""
    return max(min(2, cores()), cores() // 2)


def available() -> int:
    """Bytes of memory that can be had without swapping, the limit of a container included."""
    import psutil

    free = int(psutil.virtual_memory().available)
    with contextlib.suppress(
        OSError, ValueError
    ):  # https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files
        group = Path("/sys/fs/cgroup")
        limit = (group / "memory.max").read_text().strip()
        if limit != "max":
            used = int((group / "memory.current").read_text())
            with contextlib.suppress(OSError, ValueError):
                stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
                used -= int(stat.get("inactive_file", 0))
            free = min(free, max(0, int(limit) - used))
    return free


def memory_peak() -> int:
    """The most bytes that this process has had resident, 0 where the system does not tell (getrusage(2): KiB, on macOS bytes)."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def check_floor(mebibytes: int) -> None:
    """Raises where less memory is free than a run needs to begin."""
    free = available() >> 20
    if free < mebibytes:
        raise PinciteError(
            f"only {free:,} MiB of memory are free and a run begins with {mebibytes:,}; close other programs, or lower [index] floor"
        )


class Pressure:
    """Whether memory has become scarce, looked at no more than every `every` seconds."""

    def __init__(self, floor: int, every: float = 1.0) -> None:
        self._least = int(floor * PRESSURE) << 20
        self._every = every
        self._at = 0.0

    def __call__(self) -> bool:
        """Whether it is, now."""
        now = time.monotonic()
        if now - self._at < self._every:
            return False
        self._at = now
        return available() < self._least


NICE = 5
"""A third of what another program gets of a busy processor (sched(7)): at 10, a tenth, an edit was not found for seconds there."""


def low_priority() -> None:
    """Lets every other program go first, to the processor and the disk; workers inherit it."""
    with contextlib.suppress(Exception):
        import psutil

        process = psutil.Process()
        process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if os.name == "nt" else NICE)
        if hasattr(psutil, "IOPRIO_CLASS_BE"):
            process.ionice(psutil.IOPRIO_CLASS_BE, 7)  # the last; the idle class may wait for ever
