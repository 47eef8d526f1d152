"""How a run went: speed, batches, memory and CPU, for `pincite status --diagnostics`."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.indexing.report import Report

if TYPE_CHECKING:
    from pincite.spec import Embedder, Store

KEY = "diagnostics"
SAMPLE_EVERY = 0.5
"""Seconds between two looks at memory."""


@dataclass
class Gauge:
    """Measures one run. A thread looks at the memory of this process; workers tell theirs with what they make."""

    calls: int = 0
    texts: int = 0
    inference: float = 0.0
    restarts: int = 0
    peak: int = 0
    engine: dict[str, Any] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _cpu: float = field(default_factory=time.process_time)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Gauge:
        threading.Thread(target=self._look, name="pincite-gauge", daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()

    def called(self, texts: int, seconds: float) -> None:
        """One call of the embedder."""
        self.calls += 1
        self.texts += texts
        self.inference += seconds

    def seen(self, embedder: Embedder) -> None:
        """What an embedder says of itself in an attribute `stats` (windows, calls, tokens, slots, seconds), if it does."""
        stats = getattr(embedder, "stats", None)
        for name in ("windows", "calls", "tokens", "slots", "seconds"):
            value = getattr(stats, name, None)
            if isinstance(value, int | float):
                self.engine[name] = value
        threads = getattr(embedder, "threads", None)
        if isinstance(threads, int):
            self.engine["threads"] = threads

    def as_json(self, report: Report) -> dict[str, Any]:
        """Plain data; seconds, bytes, and rates a second."""
        seconds = time.monotonic() - self._began
        tokens, slots = self.engine.get("tokens", 0), self.engine.get("slots", 0)
        return {
            "seconds": round(seconds, 2),
            "steps": {name: round(value, 2) for name, value in report.seconds.items()},
            "records_per_second": _rate(report.items, report.seconds.get("read", 0.0)),
            "files_per_second": _rate(report.extracted, report.seconds.get("extract", 0.0)),
            "passages_per_second": _rate(report.embedded, self.inference),
            "tokens_per_second": _rate(tokens, self.engine.get("seconds", 0.0)),
            "padding_efficiency": round(tokens / slots, 4) if slots else None,
            "calls": self.calls,
            "batches": self.engine.get("calls"),
            "threads": self.engine.get("threads"),
            "restarts": self.restarts,
            "memory_peak": self.peak,
            "workers_memory_peak": report.workers_memory,
            "cpu": round((time.process_time() - self._cpu) / seconds, 2) if seconds > 0 else 0.0,
        }

    def keep(self, store: Store, report: Report) -> None:
        """Kept with the index; a run that did nothing does not take the place of one that did."""
        if report.changed or report.removed or report.extracted or report.embedded:
            store.set(KEY, json.dumps(self.as_json(report)))

    def _look(self) -> None:
        import psutil

        process = psutil.Process()
        while True:
            try:
                self.peak = max(self.peak, process.memory_info().rss)
            except psutil.Error:
                return  # a system that does not tell
            if self._ended.wait(SAMPLE_EVERY):
                return


def last(store: Store) -> dict[str, Any] | None:
    """What the last run that did something measured."""
    text = store.get(KEY)
    return None if text is None else dict(json.loads(text))


def _rate(count: float, seconds: float) -> float | None:
    return round(count / seconds, 1) if seconds > 0 and count else None
