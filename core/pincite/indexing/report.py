"""What a run tells while it goes, and what it did."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.values.ledger import Totals

STEPS = ("read", "extract", "embed")
"""The steps of a run, in order: the library's records; the files; the vectors."""

Tell = Callable[[str, int, int, str], None]
"""(step, done, total, detail): `total` 0 where it is not known yet."""


def tell_nobody(step: str, done: int, total: int, detail: str) -> None:
    """No progress wanted."""


@dataclass
class Report:
    """What one run did. `problems` are things of the library that could not be read, `failures` files that could not: (path, reason).
    `unread`: those of the problems that the source named at the last look.

    `items`: records read; `changed`, `removed`: of them. `extracted` files were read or cut, `unchanged` not; `cut`: passages made of
    them. `fetched` vectors came from elsewhere, `embedded` were made. `unfinished` says why the run ended early ("" where it went to
    the end). `again`: it was paused, or the library has changed since it was looked at. `notes`: what was found damaged
    and made good, plugins that did not load.
    `workers_memory`: the most bytes that one worker had resident.
    """

    items: int = 0
    changed: int = 0
    removed: int = 0
    extracted: int = 0
    cut: int = 0
    unchanged: int = 0
    fetched: int = 0
    embedded: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    skips: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unfinished: str = ""
    again: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    workers_memory: int = 0


class Clock:
    """The time that a run may take; `seconds` None means any."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left; infinite where there is no limit."""
        return float("inf") if self._end is None else self._end - time.monotonic()
