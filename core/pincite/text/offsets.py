"""The map from a normalised text back to its source, made of edits between stretches that run in step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from pincite.text.fold import FOLDED, ODD, TABLE, fold_char, is_point
from pincite.text.markup import Edit


class OffsetMap:
    """Edits in order: normalised [to, to_end) came from source [at, at_end); between edits both sides run in step."""

    def __init__(self) -> None:
        self.to: list[int] = []
        self.to_end: list[int] = []
        self.at: list[int] = []
        self.at_end: list[int] = []
        self.breaks: list[int] = []

    def char(self, position: int) -> tuple[int, int]:
        """The source span of the normalised character at `position` (or the point past the end)."""
        index = bisect_right(self.to, position) - 1
        if index < 0:
            return position, position + 1
        if position < self.to_end[index]:
            return self.at[index], self.at_end[index]
        start = self.at_end[index] + position - self.to_end[index]
        return start, start + 1

    def forward(self, position: int) -> int:
        """Where a source position stands in the normalised text; inside an edit, its beginning."""
        index = bisect_right(self.at, position) - 1
        if index < 0:
            return position
        if position < self.at_end[index]:
            return self.to[index]
        return self.to_end[index] + position - self.at_end[index]


def map_of(text: str, changes: Iterable[Edit]) -> OffsetMap:
    """The map of one pass of the normaliser over `text`."""
    builder = _Builder(text)
    for start, end, written, joined in changes:
        builder.copy(start)
        builder.replace(end, len(written.translate(FOLDED)), joined)
    builder.copy(len(text))
    return builder.offsets


class _Builder:
    """Walks through a text and notes where lengths differ."""

    def __init__(self, text: str) -> None:
        self.text, self.flat = text, text.translate(TABLE)
        self.offsets = OffsetMap()
        self.done = 0  # source characters dealt with
        self.size = 0  # normalised characters written

    def plain(self, end: int) -> None:
        """Characters that fold to one character each."""
        if end > self.done:
            self.size += end - self.done
            self.done = end

    def replace(self, end: int, size: int, joined: bool = False) -> None:
        """Notes that the source up to `end` became `size` characters."""
        offsets = self.offsets
        if joined:
            offsets.breaks.append(self.size)
        offsets.to.append(self.size)
        offsets.to_end.append(self.size + size)
        offsets.at.append(self.done)
        offsets.at_end.append(end)
        self.size += size
        self.done = end

    def copy(self, end: int) -> None:
        """Walks to `end`; marks belong to the character that they stand on, and its span takes them in."""
        flat, text, offsets = self.flat, self.text, self.offsets
        at = flat.find(ODD, self.done, end)
        while at >= 0:
            if not is_point(text[at]):
                self.plain(at)
                self.replace(at + 1, len(fold_char(text[at])))
            else:
                stop = at + 1
                while stop < end and is_point(text[stop]):
                    stop += 1
                if at > self.done:
                    self.plain(at - 1)
                    self.replace(stop, 1)
                elif offsets.at_end and offsets.at_end[-1] == at and offsets.to_end[-1] > offsets.to[-1]:
                    offsets.at_end[-1] = stop
                    self.done = stop
                else:
                    self.replace(stop, 0)
            at = flat.find(ODD, self.done, end)
        self.plain(end)
