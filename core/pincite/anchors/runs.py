"""Runs of a pack, indexed both ways: text offset ↔ (node, offset in the node)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.values.pack import Run


@dataclass(frozen=True, slots=True)
class Stretch:
    """Offsets [start, end) inside one node of the document."""

    target: str
    start: int
    end: int


class RunIndex:
    """Looks runs up by text offset and by node."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = sorted((run for run in runs if run.start < run.end), key=lambda run: run.start)
        self._starts = [run.start for run in self.runs]
        self._nodes: dict[str, list[Run]] = {}
        for run in self.runs:
            self._nodes.setdefault(run.target, []).append(run)
        for node in self._nodes.values():
            node.sort(key=lambda run: run.offset)

    def stretches(self, start: int, end: int) -> list[Stretch]:
        """The nodes' parts that a span of the text stands for, in order; neighbours in one node are joined, white space
        and marks between them included."""
        out: list[Stretch] = []
        at = max(0, bisect_right(self._starts, start) - 1)
        while at < len(self.runs) and self.runs[at].start < end:
            run = self.runs[at]
            low, high = max(start, run.start), min(end, run.end)
            if low < high:
                shift = run.offset - run.start
                _extend(out, Stretch(run.target, low + shift, high + shift))
            at += 1
        return out

    def spans(self, stretches: Iterable[Stretch]) -> list[tuple[int, int]]:
        """The inverse: spans of the text that parts of nodes hold, sorted, those that touch joined."""
        found = []
        for stretch in stretches:
            for run in self.node(stretch.target):
                low = max(stretch.start, run.offset)
                high = min(stretch.end, run.offset + run.end - run.start)
                if low < high:
                    found.append((low - run.offset + run.start, high - run.offset + run.start))
        return joined(found)

    def node(self, target: str) -> Sequence[Run]:
        """The runs of one node, by offset."""
        return self._nodes.get(target, ())

    def targets(self) -> Iterable[str]:
        """Every node, in the order of the text."""
        return self._nodes


def joined(spans: Iterable[tuple[int, int]], gap: int = 0) -> list[tuple[int, int]]:
    """Sorted, with those that overlap or stand at most `gap` apart made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1] + gap:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def over_space(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joins neighbours that nothing but white space parts."""
    out: list[tuple[int, int]] = []
    for start, end in spans:
        if out and start >= out[-1][1] and not text[out[-1][1] : start].strip():
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


@dataclass(frozen=True, eq=False)
class _Same:
    """Compares by identity: hashing thousands of runs for every anchor would cost more than the anchor."""

    runs: tuple[Run, ...]

    def __hash__(self) -> int:
        return id(self.runs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.runs is other.runs


def run_index(runs: tuple[Run, ...]) -> RunIndex:
    """The index of a pack's runs, kept for the packs last used: a pack gives many anchors in a row."""
    return _run_index(_Same(runs))


@lru_cache(maxsize=4)
def _run_index(same: _Same) -> RunIndex:
    return RunIndex(same.runs)


def _extend(out: list[Stretch], new: Stretch) -> None:
    if out and out[-1].target == new.target and out[-1].end <= new.start:
        out[-1] = Stretch(new.target, out[-1].start, new.end)
    else:
        out.append(new)
