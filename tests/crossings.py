"""Sentences that cross a column or page break of a two-column PDF, read from its pages without pincite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pymupdf

WORDS = 8
LEAST_LINES = 12
"""Lines of each half of a page that make two columns."""


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line: its left edge, its right one, its top, the size of most of its letters in points, and its words."""

    left: float
    right: float
    top: float
    size: float
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A sentence that a break divides: what is quoted, the page of its first half, and whether the page changes."""

    quote: str
    page: int
    turns: bool


def crossings(path: Path) -> list[Crossing]:
    """The crossings of a file, by its two-column pages."""
    with pymupdf.open(path) as document:
        if document.needs_pass and not document.authenticate(""):
            return []
        pages = [(page.rect.width, _lines(page)) for page in document]
    sizes: Counter[float] = Counter()
    for _, lines in pages:
        for line in lines:
            sizes[line.size] += sum(map(len, line.words))
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    columns = [_columns([line for line in lines if abs(line.size - body) <= 0.3], width) for width, lines in pages]
    found: list[Crossing] = []
    for number, here in enumerate(columns, 1):
        if here is not None:
            found += _crossing(*here, number, turns=False)
            following = columns[number] if number < len(columns) else None
            if following is not None:
                found += _crossing(here[1], following[0], number, turns=True)
    return found


def _lines(page: pymupdf.Page) -> list[Line]:
    """The printed lines, parts of one put together."""
    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    out: list[Line] = []
    for block in page.get_text("dict", flags=flags)["blocks"]:
        for line in block.get("lines", ()):
            sizes: Counter[float] = Counter()
            for span in line["spans"]:
                sizes[round(span["size"], 1)] += len(span["text"].strip())
            words = tuple("".join(span["text"] for span in line["spans"]).split())
            if words and line["dir"][0] > 0.99:
                x1, y1, x2, _ = line["bbox"]
                size = sizes.most_common(1)[0][0]
                before = out[-1] if out else None
                if before is not None and abs(before.top - y1) < size / 2 and -1 < x1 - before.right < 2 * size:
                    out[-1] = Line(before.left, x2, before.top, before.size, (*before.words, *words))
                else:
                    out.append(Line(x1, x2, y1, size, words))
    return out


def _columns(lines: list[Line], width: float) -> tuple[list[Line], list[Line]] | None:
    """Left and right column from the top; None where hardly any two lines of a half begin at one edge, or many cross the middle."""
    middle = width / 2
    wide = [line for line in lines if line.left < middle - 8 and line.right > middle + 8]
    lines = [line for line in lines if line in wide or not any(_goes_on(across, line) for across in wide)]
    left = sorted((line for line in lines if line.right < middle + 8), key=lambda line: line.top)
    right = sorted((line for line in lines if line.left > middle - 8), key=lambda line: line.top)
    crossing = len(lines) - len(left) - len(right)
    for half in (left, right):
        edges = Counter(round(line.left) for line in half)
        if len(half) < LEAST_LINES or edges.most_common(1)[0][1] < len(half) / 2 or crossing > len(half) / 4:
            return None
    return left, right


def _goes_on(across: Line, line: Line) -> bool:
    """Whether a line is the next one of what runs across both columns: a caption."""
    return 0 < line.top - across.top < 1.6 * across.size and abs(line.left - across.left) < 2


def _crossing(before: list[Line], after: list[Line], page: int, turns: bool) -> Iterator[Crossing]:
    last, first = before[-1].words, after[0].words
    if (
        len(last) < 4
        or len(first) < 4
        or last[-1][-1] in ".?!:;"
        or not first[0][:1].islower()
        or not last[-1][0].isalpha()
    ):
        return
    yield Crossing(" ".join((*last[-WORDS:], *first[:WORDS])), page, turns)
