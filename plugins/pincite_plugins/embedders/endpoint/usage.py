"""Tokens and cost, counted per model in ``home/endpoints/usage.jsonl``: one line a flush, added up when asked."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EVERY = 20.0
"""Seconds between two lines at least: what a killed process does not count."""


@dataclass
class Usage:
    """Counts of one model. Threads may count at once."""

    home: Path
    model: str
    price: float = 0.0
    _counts: dict[str, int] = field(default_factory=lambda: {"requests": 0, "texts": 0, "tokens": 0}, repr=False)
    _flushed: float = field(default_factory=time.monotonic, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def count(self, texts: int, tokens: int) -> None:
        """One request that was answered."""
        with self._lock:
            self._counts["requests"] += 1
            self._counts["texts"] += texts
            self._counts["tokens"] += tokens
            due = time.monotonic() - self._flushed > EVERY
        if due:
            self.flush()

    def flush(self) -> None:
        """Writes what is not written yet. A disk that is full costs the count, not the run."""
        with self._lock:
            counts = dict(self._counts)
            self._flushed = time.monotonic()
            if not counts["requests"]:
                return
            line = {"at": int(time.time()), "model": self.model, **counts, "cost": counts["tokens"] * self.price / 1e6}
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
            except OSError:
                return
            self._counts = dict.fromkeys(self._counts, 0)

    def total(self) -> dict[str, Any]:
        """Everything ever counted of this model: requests, texts, tokens, cost."""
        found: dict[str, Any] = {**self._counts, "cost": self._counts["tokens"] * self.price / 1e6}
        try:
            lines = self._path.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        for line in lines:
            try:
                one = json.loads(line)
                if one["model"] == self.model:
                    found = {name: found[name] + one[name] for name in found}
            except (ValueError, KeyError, TypeError):
                continue  # cut short by a crash
        return {**found, "cost": round(found["cost"], 6)}

    @property
    def _path(self) -> Path:
        return self.home / "endpoints" / "usage.jsonl"
