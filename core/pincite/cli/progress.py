"""Progress of a run on standard error: bars on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

LABELS = {"read": "items, notes, annotations", "extract": "files", "embed": "vectors"}
PLAIN_EVERY = 10.0
"""Seconds between two plain lines."""


class Bars:
    """Called with (step, done, total, detail)."""

    def __init__(self) -> None:
        self._progress: Any = None
        self._tasks: dict[str, Any] = {}
        self._told = time.monotonic()

    def __enter__(self) -> Bars:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn("{task.description:<26}"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(elapsed_when_finished=True),
                TextColumn("[dim]{task.fields[detail]}"),
                console=Console(stderr=True),
            )
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, step: str, done: int, total: int, detail: str) -> None:
        """One word of progress."""
        label = LABELS.get(step, step)
        if self._progress is None:
            now = time.monotonic()
            if now - self._told >= PLAIN_EVERY:
                self._told = now
                sys.stderr.write(f"pincite: {label}: {done:,} of {total:,}\n")
                sys.stderr.flush()
            return
        shown = detail if len(detail) <= 40 else detail[:39] + "…"
        if step not in self._tasks:
            self._tasks[step] = self._progress.add_task(label, total=total or None, detail=shown)
        self._progress.update(
            self._tasks[step], completed=done, total=max(total, done) or None, detail=shown if done < total else ""
        )
