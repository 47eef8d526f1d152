"""Puts a pack's text together out of stretches of the source, and keeps the run of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.values.pack import Block, BlockKind, Flow, Run

_AS_SPACE = str.maketrans("\t\r\n\f", "    ")
"""White space as HTML collapses it: a no-break space is a character like any other."""

_BLANK = " \t\r\n\f"
_BREAKS = "\n\t "
_SPACES = re.compile(" {2,}")

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
        if segment.offset == MADE and not segment.text.strip(_BREAKS):
            _break(out, segment)
            space = True
            continue
        text = segment.text.translate(_AS_SPACE)
        at = len(text) - len(text.lstrip(" ")) if space else 0
        for found in _SPACES.finditer(text, at):
            _put(out, segment, text[at : found.start() + 1], at)
            at = found.end()
        if at < len(text):
            _put(out, segment, text[at:], at)
            space = text[-1] == " "
    _strip_end(out)
    begin = next((at for at, segment in enumerate(out) if segment.text.strip(_BLANK)), len(out))
    return out[begin:]


def _break(out: list[Segment], new: Segment) -> None:
    """Adds a made break in place of the white space before it; of two breaks the stronger stays (line, cell, word)."""
    strength = _BREAKS.index(new.text[0])
    while out and not out[-1].text.strip(_BLANK):
        if out[-1].offset == MADE and out[-1].text[0] in _BREAKS and _BREAKS.index(out[-1].text[0]) <= strength:
            return
        del out[-1]
    _strip_end(out)
    if out:
        out.append(new)


def _put(out: list[Segment], segment: Segment, text: str, at: int) -> None:
    """Adds a part of a segment. Parts that go on are joined as runs, not here: texts that grow are copied each time."""
    if text:
        out.append(Segment(text, segment.target, segment.offset if segment.offset == MADE else segment.offset + at))


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
        text = last.text.rstrip(_BLANK)
        if text:
            if len(text) < len(last.text):
                out[-1] = Segment(text, last.target, last.offset)
            return
        del out[-1]
