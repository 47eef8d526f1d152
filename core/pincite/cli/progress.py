"""Progress of a run on standard error: bars on a terminal, a line now and then elsewhere, or JSON, a line each."""

from __future__ import annotations

import json
import sys
import time
from types import TracebackType
from typing import Any

from pincite.cli.oneline import one_line

BARS = {"read": "library", "extract": "attachments", "embed": "attachments"}
"""Step → the bar that it moves: one for the library's records, one for its files (and everything that wants a vector)."""

UNITS = {"read": "items", "extract": "files", "embed": "passages"}
WORDS = {"read": "reading the library", "extract": "reading files", "embed": "embedding"}

PLAIN_EVERY = 10.0
"""Seconds between two plain lines."""

JSON_EVERY = 0.5
"""Seconds between two lines of JSON of the same step."""

WINDOW = 30.0
"""Seconds over which a rate is taken: files grow, so that the mean since the beginning would promise too much."""


class Pace:
    """Rate and time left of one step."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, int]] = []

    def at(self, done: int, total: int) -> tuple[float | None, float | None]:
        """(units a second, seconds left); None where it cannot be told yet."""
        now = time.monotonic()
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > WINDOW:
            self._seen.pop(0)
        then, before = self._seen[0]
        if now - then < 1.0 or done <= before:
            return None, None
        rate = (done - before) / (now - then)
        return rate, max(0, total - done) / rate if total else None


class Bars:
    """Called with (step, done, total, detail), total 0 where it is not known yet. `form`: auto, bars, plain, json or none."""

    def __init__(self, form: str = "auto") -> None:
        terminal = sys.stderr.isatty()
        self._form = ("bars" if terminal else "plain") if form == "auto" else form
        self._progress: Any = None
        self._tasks: dict[str, Any] = {}
        self._paces: dict[str, Pace] = {}
        self._told: dict[str, float] = {}
        self._began = time.monotonic()

    def __enter__(self) -> Bars:
        if self._form == "bars":
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
            from rich.table import Column

            # in a narrow terminal the name of the file gives way, then the bar
            room = Column(ratio=1, no_wrap=True, overflow="ellipsis")
            self._progress = Progress(
                TextColumn("{task.description:<11}"),
                BarColumn(bar_width=16),
                MofNCompleteColumn(),
                TextColumn("{task.fields[step]}"),
                TextColumn("{task.fields[detail]}", style="dim", markup=False, table_column=room),
                console=Console(stderr=True),
                expand=True,
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
        rate, left = self._paces.setdefault(step, Pace()).at(done, total)
        if self._form == "bars":
            self._bar(step, done, total, detail, rate, left)
        elif self._form == "plain" and self._due("", PLAIN_EVERY):
            pace = f", {_pace(step, rate, left)}" if rate else ""
            count = f"{done:,} of {total:,}" if total else f"{done:,}"
            _write(f"pincite: {WORDS.get(step, step)}: {count} {UNITS.get(step, '')}".rstrip() + pace)
        elif self._form == "json" and (done >= total > 0 or self._due(step, JSON_EVERY)):
            _write(
                json.dumps(
                    {
                        "step": step,
                        "done": done,
                        "total": total or None,
                        "rate": None if rate is None else round(rate, 2),
                        "left": None if left is None else round(left, 1),
                        "elapsed": round(time.monotonic() - self._began, 1),
                        "detail": detail,
                    },
                    ensure_ascii=False,
                )
            )

    def _due(self, step: str, every: float) -> bool:
        now = time.monotonic()
        if now - self._told.get(step, self._began if self._form == "plain" else -every) < every:
            return False
        self._told[step] = now
        return True

    def _bar(self, step: str, done: int, total: int, detail: str, rate: float | None, left: float | None) -> None:
        name = BARS.get(step, step)
        going = done < total or not total
        shown = one_line(detail) if going else ""
        pace = _pace(step, rate, left) if going else ""
        text = f"{WORDS.get(step, step)} {pace}".strip()
        if name not in self._tasks:
            self._tasks[name] = self._progress.add_task(name, total=total or None, detail=shown, step=text)
        self._progress.update(self._tasks[name], completed=done, total=total or None, detail=shown, step=text)


def _pace(step: str, rate: float | None, left: float | None) -> str:
    if rate is None:
        return ""
    speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
    return speed if left is None else f"{speed}, {_duration(left)} left"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02} min"


def _write(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
