"""Lines → paragraphs, list items and tables: by blank lines, indentation and what stands at the head of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.values.pack import BlockKind
from pincite_plugins.extractors.text.lines import Line

UNWRAPPED = 160
"""Characters; a line longer than this was not broken by hand, so each line of its run is a paragraph."""

BULLET = re.compile(r"(?:[-*+•‣◦▪●○–—·]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,3}\])[ \t]+\S")
_GAP = re.compile(r"\S(?: {3,}|\t+)(?=\S)")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A block in the making. `lines` counts its lines; `apart` says that blank lines or the text's ends stand around
    it."""

    start: int
    end: int
    kind: BlockKind
    page: int | None
    lines: int
    apart: bool
    indent: int


def stretches(text: str, lines: Sequence[Line], leave_out: Sequence[int] = ()) -> list[Stretch]:
    """The text's blocks in order. Lines of `leave_out` break nothing; a page break ends a block."""
    out: list[Stretch] = []
    for run in _runs(lines, frozenset(leave_out)):
        parts = list(_parts(text, run))
        for part in parts:
            first, last = part[0], part[-1]
            if not any(map(str.isalnum, text[first.start : last.end])):
                continue
            kind = _kind(text, part)
            out.append(Stretch(first.start, last.end, kind, first.page, len(part), len(parts) == 1, first.indent))
    return out


def _runs(lines: Sequence[Line], leave_out: frozenset[int]) -> Iterator[list[Line]]:
    """Lines without a blank one or a page break between them."""
    run: list[Line] = []
    for at, line in enumerate(lines):
        if at in leave_out:
            continue
        if run and (line.blank or line.page != run[-1].page):
            yield run
            run = []
        if not line.blank:
            run.append(line)
    if run:
        yield run


def _parts(text: str, run: list[Line]) -> Iterator[list[Line]]:
    """A run of lines cut into paragraphs."""
    if len(run) == 1:
        yield run
        return
    if any(line.end - line.start > UNWRAPPED for line in run):
        yield from ([line] for line in run)
        return
    if _is_table(text, run):
        yield run
        return
    margin = min(line.indent for line in run)
    indented = sum(line.indent > margin for line in run)
    by_indent = 0 < indented <= len(run) / 2 and margin == min(line.indent for line in run[1:])
    part: list[Line] = []
    for line in run:
        begins = bool(BULLET.match(text, line.start, line.end)) and _bulleted(text, part, line)
        hangs = bool(part) and bool(BULLET.match(text, part[0].start, part[0].end)) and line.indent > part[0].indent
        if part and (begins or (by_indent and line.indent > margin and part[-1].indent == margin and not hangs)):
            yield part
            part = []
        part.append(line)
    yield part


def _bulleted(text: str, part: Sequence[Line], line: Line) -> bool:
    """Whether a mark at the head of a line begins an item: after another item, or not in the middle of a sentence."""
    if not part or BULLET.match(text, part[0].start, part[0].end):
        return True
    before = text[part[-1].start : part[-1].end]
    return before.endswith((":", ".", ";", "：", "。")) and text[line.start] not in "–—·"


def _is_table(text: str, run: Sequence[Line]) -> bool:
    """Three lines or more, nearly all with two gaps or more in the middle."""
    if len(run) < 3:
        return False
    gapped = sum(len(_GAP.findall(text, line.start, line.end)) >= 2 for line in run)
    return gapped >= 0.7 * len(run)


def _kind(text: str, part: Sequence[Line]) -> BlockKind:
    if _is_table(text, part):
        return BlockKind.TABLE
    if BULLET.match(text, part[0].start, part[0].end):
        return BlockKind.LIST
    return BlockKind.PARAGRAPH
