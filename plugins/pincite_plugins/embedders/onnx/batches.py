"""What is computed together: windows of one length, so that no token is padding and no text sees another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """A run of a text's tokens that fits the model: ``tokens[start:end]`` of text `text`."""

    text: int
    start: int
    end: int

    @property
    def size(self) -> int:
        """Tokens, special ones not included."""
        return self.end - self.start


@dataclass(slots=True)
class Stats:
    """What an engine did. `tokens` went through the model for texts, special tokens included; `slots` is what was computed for them."""

    texts: int = 0
    windows: int = 0
    calls: int = 0
    tokens: int = 0
    slots: int = 0
    seconds: float = 0.0

    @property
    def efficiency(self) -> float:
        """Share of computed slots that held a token; 1.0 before anything was computed."""
        return self.tokens / self.slots if self.slots else 1.0

    @property
    def tokens_per_second(self) -> float:
        """Speed so far."""
        return self.tokens / self.seconds if self.seconds else 0.0


def windows(lengths: Sequence[int], room: int) -> list[Window]:
    """Windows of at most `room` tokens, one after another without overlap; a text without tokens has one empty window."""
    found = []
    for text, length in enumerate(lengths):
        for start in range(0, max(length, 1), room):
            found.append(Window(text, start, min(start + room, length)))
    return found


def batches(all_windows: Sequence[Window], special: int, budget: int, together: bool = True) -> list[list[Window]]:
    """Groups of equally long windows, the longest first; length × count stays within `budget`, but for one window alone.

    `special`: tokens added to each. `together`: false gives each window its own call, for a graph whose answer depends on
    what else is in it.
    """
    by_size: dict[int, list[Window]] = {}
    for window in all_windows:
        by_size.setdefault(window.size, []).append(window)
    found = []
    for size in sorted(by_size, reverse=True):
        same = by_size[size]
        count = max(1, budget // max(1, size + special)) if together else 1
        found += [same[at : at + count] for at in range(0, len(same), count)]
    return found
