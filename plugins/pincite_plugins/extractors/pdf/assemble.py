"""Paragraphs → the text of a pack, its blocks, and the place of every word."""

from __future__ import annotations

import numpy as np

from pincite.values.pack import Block, Places
from pincite_plugins.extractors.pdf.model import Para, Row, joint, turned_back
from pincite_plugins.extractors.pdf.overlaps import part_lines

BETWEEN = "\n\n"
"""What stands between two blocks."""


class Builder:
    """Collects blocks in the order of the text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._last = ""
        self.blocks: list[Block] = []
        self._start: list[int] = []
        self._end: list[int] = []
        self._page: list[int] = []
        self._line: list[int] = []
        self._box: list[tuple[float, float, float, float]] = []
        self._lines = 0

    @property
    def length(self) -> int:
        """Code points so far."""
        return self._length

    def add(self, para: Para) -> None:
        """Adds one block."""
        if self._length:
            self._put(BETWEEN)
        begin = self._length
        for at, row in enumerate(para.rows):
            if at and row.words:
                self._put(joint(self._last, row.words[0].text))
            self._row(row)
            self._lines += 1
        self.blocks.append(
            Block(begin, self._length, para.kind, para.flow, para.section, para.page, para.reference, para.role)
        )

    def _row(self, row: Row) -> None:
        start, end, at = self._start, self._end, self._length
        for number, word in enumerate(row.words):
            if number and not word.glued:
                at += 1
            start.append(at)
            at += len(word.text)
            end.append(at)
        self._page += [row.page] * len(row.words)
        self._line += [self._lines] * len(row.words)
        self._box += [turned_back(word.box, row.turn) if row.turn else word.box for word in row.words]
        self._put(row.text)

    def text(self) -> str:
        """The whole text."""
        return "".join(self._pieces)

    def places(self) -> Places:
        """The words' places."""
        page = np.array(self._page, dtype=np.int32)
        box = np.array(self._box, dtype=np.float64).reshape(-1, 4)
        line = part_lines(page, np.array(self._line, dtype=np.int32), box)
        start, end = np.array(self._start, dtype=np.int32), np.array(self._end, dtype=np.int32)
        return Places(start, end, page, line, box.astype(np.float32))

    def _put(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._length += len(text)
            self._last = text
