"""EPUB canonical fragment identifiers (https://idpf.org/epub/linking/cfi/): ranges between two text nodes.

A target is the path of a text node, "/6/4!/4/2/1": the spine step, "!", the steps inside the document. Character
offsets of a CFI count UTF-16 code units; those of runs count code points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.anchors.runs import RunIndex

_ASSERTION = re.compile(r"\[(?:\^.|[^\]\^])*\]")
_POINT = re.compile(r"^((?:/\d+|!)*)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Range:
    """Two points: paths of steps, and offsets in UTF-16 units. `start` <= `end` in document order."""

    start: str
    start_offset: int
    end: str
    end_offset: int


def document_of(target: str) -> str:
    """The part of a path that names the document of the spine, "!" left off."""
    return target.partition("!")[0]


def cfi_range(start: tuple[str, int], end: tuple[str, int]) -> str:
    """The range from one (path, offset) to another in the same document."""
    a, b = _steps(start[0]), _steps(end[0])
    common = 0
    while common < min(len(a), len(b)) and a[common] == b[common]:
        common += 1
    return f"epubcfi({''.join(a[:common])},{''.join(a[common:])}:{start[1]},{''.join(b[common:])}:{end[1]})"


def parse(cfi: str) -> Range:
    """Reads a range or a point (a range of no length). Raises ValueError."""
    text = _ASSERTION.sub("", cfi.strip())
    if not (text.startswith("epubcfi(") and text.endswith(")")):
        raise ValueError(f"not a CFI: {cfi!r}")
    parts = text[len("epubcfi(") : -1].split(",")
    if len(parts) == 1:
        parts = [parts[0], "", ""]
    if len(parts) != 3:
        raise ValueError(f"not a CFI: {cfi!r}")
    start, end = _point(parts[0] + parts[1]), _point(parts[0] + parts[2])
    return Range(start[0], start[1], end[0], end[1])


def order(path: str) -> tuple[int, ...]:
    """A key that sorts paths in document order."""
    return tuple(int(step) for step in re.findall(r"\d+", path))


def units(text: str, index: RunIndex, target: str, offset: int) -> int:
    """An offset in code points of a text node as UTF-16 units. What of the node is not in the pack's text (white space
    that was collapsed) holds no character beyond the basic plane."""
    return offset + sum(
        _wide(text, run.start, run.start + min(run.end - run.start, max(0, offset - run.offset)))
        for run in index.node(target)
        if run.offset < offset
    )


def points(text: str, index: RunIndex, target: str, offset: int) -> int:
    """The inverse of `units`."""
    at = offset
    for run in index.node(target):
        before = units(text, index, target, run.offset)
        length = run.end - run.start
        if before >= offset:
            break
        inside = _code_points(text, run.start, length, offset - before)
        at = run.offset + inside
    return at


def _code_points(text: str, start: int, length: int, wanted: int) -> int:
    """How many code points of text[start:start + length] `wanted` UTF-16 units take; past its end, units are points."""
    taken = 0
    for count in range(length):
        if taken >= wanted:
            return count
        taken += 2 if text[start + count] > "\uffff" else 1
    return length + max(0, wanted - taken)


def _wide(text: str, start: int, end: int) -> int:
    return sum(1 for char in text[start:end] if char > "\uffff")


def _steps(path: str) -> list[str]:
    return re.findall(r"/\d+!?|!", path)


def _point(text: str) -> tuple[str, int]:
    found = _POINT.match(text)
    if found is None or not found[1]:
        raise ValueError(f"not a CFI point: {text!r}")
    return found[1], int(found[2] or 0)
