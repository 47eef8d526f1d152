"""Puts a pack's text together out of stretches of the source, and keeps the run of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.values.pack import Block, BlockKind, Flow, Run

_WHITE = re.compile(r"[ \t\r\n\f]+")
"""White space as HTML collapses it: a no-break space is a character like any other."""

MADE = -1
"""The offset of a stretch that is not in the source: a break between the cells of a table."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of one node of the source: `text` as it stands there from `offset` on (or `MADE`)."""

    text: str
    target: str = ""
    offset: int = MADE


class PackBuilder:
    """Blocks are added in reading order; `text`, `blocks` and `runs` are the pack's."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.runs: list[Run] = []
        self._parts: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        """All text so far."""
        return "".join(self._parts)

    def add(
        self,
        segments: Iterable[Segment],
        kind: BlockKind = BlockKind.PARAGRAPH,
        *,
        flow: Flow = Flow.BODY,
        section: int = -1,
        page: int | None = None,
        reference: bool = False,
        role: str = "",
        keep_space: bool = False,
        separator: str = "\n\n",
    ) -> Block | None:
        """Adds a block and returns it; None where there is nothing but white space. White space is collapsed to single
        spaces, unless `keep_space`; `separator` stands before the block."""
        pieces = trimmed(segments) if keep_space else collapsed(segments)
        if not pieces:
            return None
        if self._length:
            self._append(separator)
        start = self._length
        for piece in pieces:
            if piece.offset != MADE:
                self._run(piece)
            self._append(piece.text)
        block = Block(start, self._length, kind, flow, section, page, reference, role)
        self.blocks.append(block)
        return block

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _run(self, piece: Segment) -> None:
        start, end = self._length, self._length + len(piece.text)
        if self.runs:
            last = self.runs[-1]
            meets = last.target == piece.target and last.offset + last.end - last.start == piece.offset
            if meets and last.end == start:
                self.runs[-1] = Run(last.start, end, last.target, last.offset)
                return
        self.runs.append(Run(start, end, piece.target, piece.offset))


def collapsed(segments: Iterable[Segment]) -> list[Segment]:
    """Segments with each run of white space as one space, and none at the ends. A made break stays as it is."""
    out: list[Segment] = []
    space = True  # whether the text so far ends in white space, or has not begun
    for segment in segments:
        if segment.offset == MADE and not segment.text.strip(" \t\n"):
            _break(out, segment)
            space = True
            continue
        at = 0
        text = segment.text
        for found in _WHITE.finditer(text):
            start, end = found.span()
            _put(out, segment, text[at:start], at)
            space = space and start == at
            if not space:
                _put(out, segment, " ", start)
                space = True
            at = end
        if at < len(text):
            _put(out, segment, text[at:], at)
            space = False
    _strip_end(out)
    while out and not out[0].text.strip():
        del out[0]
    return out


def _break(out: list[Segment], new: Segment) -> None:
    """Adds a made break in place of the white space before it; of two breaks the stronger stays (line, cell, word)."""
    strength = "\n\t ".index(new.text[0])
    while out and not out[-1].text.strip():
        if out[-1].offset == MADE and "\n\t ".index(out[-1].text[0]) <= strength:
            return
        del out[-1]
    _strip_end(out)
    if out:
        out.append(new)


def _put(out: list[Segment], segment: Segment, text: str, at: int) -> None:
    """Adds part of a segment; one that goes on where the last ended is joined to it."""
    if not text:
        return
    offset = segment.offset if segment.offset == MADE else segment.offset + at
    if out and offset != MADE:
        last = out[-1]
        if last.offset != MADE and last.target == segment.target and last.offset + len(last.text) == offset:
            out[-1] = Segment(last.text + text, last.target, last.offset)
            return
    out.append(Segment(text, segment.target, offset))


def trimmed(segments: Iterable[Segment]) -> list[Segment]:
    """Segments without white space at the ends of the whole, otherwise as they are. Blank lines at the beginning go
    whole, so that the first line keeps its indentation."""
    out = [segment for segment in segments if segment.text]
    _strip_end(out)
    while out:
        first = out[0]
        lead = len(first.text) - len(first.text.lstrip())
        if lead == len(first.text):
            del out[0]
            continue
        cut = first.text.rfind("\n", 0, lead) + 1
        out[0] = Segment(first.text[cut:], first.target, first.offset + cut if first.offset != MADE else MADE)
        break
    return out


def _strip_end(out: list[Segment]) -> None:
    while out:
        last = out[-1]
        text = last.text.rstrip(" \t\r\n\f")
        if text:
            if len(text) < len(last.text):
                out[-1] = Segment(text, last.target, last.offset)
            return
        del out[-1]
