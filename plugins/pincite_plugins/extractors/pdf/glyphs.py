"""One page's glyphs → pieces of printed lines, with words, boxes and typography."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

import pymupdf

from pincite_plugins.extractors.pdf.model import UNSPACED, UNSPACED_CHAR, Box, Row, Style, Turn, Word, around, turned

FLAGS = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES
"""Ligatures and white space kept as they are, clipped to the page; no bytes of images, which cost more than the text."""

_SLANT = 4.0
"""Degrees that a line of a crooked scan may be off."""

WIDE_GAP = 2.2
"""A gap of more than this many ems parts a printed line into pieces: columns, cells of a table."""

_CONTROL = "\x00-\x20\x7f\u200b\ufeff"
_LOST = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
"""Glyphs whose code is no character: they are left out of the text, and counted against the page's health."""
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\s{_CONTROL}{UNSPACED}]+")
_LEFTWARD = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_MATH = re.compile(r"CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM|EUSM|EUFM|RSFS|MTMI|MTSY|MTEX|Math|Symbol", re.I)
_BOLD = re.compile(r"bold|black|heavy|demi|CMBX|-Medi", re.I)
_MONO = re.compile(r"mono|courier|CMTT|consol|typewriter|SFTT|menlo|inconsolata|NimbusMon", re.I)
_ITALIC_FLAG, _MONO_FLAG, _BOLD_FLAG = 2, 8, 16


@dataclass(slots=True)
class Glyphs:
    """A page's pieces of printed lines by the direction they run in, boxes turned into that direction's frame; those
    that run aslant (labels of a chart, a watermark); and how many glyphs stand for no character."""

    turns: dict[Turn, list[Row]] = field(default_factory=dict)
    aslant: list[Row] = field(default_factory=list)
    lost: int = 0


def glyphs_of(page: pymupdf.Page, number: int) -> Glyphs:
    """What is printed on a page."""
    out = Glyphs()
    for block in page.get_text("rawdict", flags=FLAGS)["blocks"]:
        for line in block.get("lines", ()):
            turn, straight = _turn(line)
            rows = _pieces(line, turn, number, out)
            if straight:
                out.turns.setdefault(turn, []).extend(rows)
            else:
                out.aslant += rows
    _mirror(out)
    return out


def _mirror(glyphs: Glyphs) -> None:
    """Mirrors a page most of whose letters are written from right to left."""
    rows = glyphs.turns.get(Turn.RIGHT, [])
    leftward = sum(len(_LEFTWARD.findall(word.text)) for row in rows for word in row.words)
    if not leftward or leftward * 2 <= sum(row.style.characters for row in rows):
        return
    del glyphs.turns[Turn.RIGHT]
    for row in rows:
        row.turn = Turn.MIRROR
        row.box = turned(row.box, Turn.MIRROR)
        for word in row.words:
            word.box = turned(word.box, Turn.MIRROR)
    glyphs.turns[Turn.MIRROR] = rows


def _turn(line: dict[str, Any]) -> tuple[Turn, bool]:
    """The quarter turn nearest to a line's direction, and whether it is that."""
    if line["wmode"]:
        return Turn.DOWN, True
    x, y = line["dir"]
    angle = math.degrees(math.atan2(y, x)) / 90
    quarter = round(angle)
    return Turn(quarter % 4), abs(angle - quarter) * 90 <= _SLANT


def _pieces(line: dict[str, Any], turn: Turn, number: int, page: Glyphs) -> list[Row]:
    rows: list[Row] = []
    piece = _Piece(number, turn)
    spaced = True
    last: Box | None = None
    for span in line["spans"]:
        chars = span["chars"]
        text = "".join([char["c"] for char in chars])
        page.lost += len(_LOST.findall(text))
        size = round(span["size"], 1)
        if len(text) != len(chars):
            chars = [{"c": c, "bbox": char["bbox"]} for char in chars for c in char["c"]]
        look = _look(span, size, turn)
        end = 0
        for token in _TOKEN.finditer(text):
            start = token.start()
            spaced = spaced or start > end
            end = token.end()
            box = _box(chars, start, end, turn)
            if last is not None and max(box[0] - last[2], last[0] - box[2]) > WIDE_GAP * size:
                piece.close(rows)
                piece, spaced = _Piece(number, turn), True
            if spaced and piece.words and _glued(piece.words[-1].text, token[0], chars, start):
                spaced = False
            piece.add(Word(token[0], box, not spaced), look, end - start)
            spaced = False
            last = box
        spaced = spaced or end < len(text)
    piece.close(rows)
    return rows


def _glued(before: str, after: str, chars: list[dict[str, Any]], start: int) -> bool:
    """Whether the space between two characters of a script without spaces is none that the file holds, but one that was
    guessed from their distance (widely set Japanese)."""
    if not (UNSPACED_CHAR.match(before[-1]) and UNSPACED_CHAR.match(after[0])):
        return False
    return start == 0 or bool(chars[start - 1].get("synthetic"))


_Look = tuple[float, bool, bool, bool, bool, float]
"""Size, bold, italic, mono, math, baseline."""


def _look(span: dict[str, Any], size: float, turn: Turn) -> _Look:
    flags, font = span["flags"], span["font"]
    x, y = span["origin"]
    return (
        size,
        bool(flags & _BOLD_FLAG or _BOLD.search(font)),
        bool(flags & _ITALIC_FLAG),
        bool(flags & _MONO_FLAG or _MONO.search(font)),
        bool(_MATH.search(font)),
        turned((x, y, x, y), turn)[1] if turn else y,
    )


class _Piece:
    """A piece of a line in the making."""

    def __init__(self, number: int, turn: Turn) -> None:
        self.number, self.turn = number, turn
        self.words: list[Word] = []
        self.style = Style()
        self.baselines: dict[float, int] = {}

    def add(self, word: Word, look: _Look, count: int) -> None:
        size, bold, italic, mono, math_font, baseline = look
        self.words.append(word)
        style = self.style
        style.characters += count
        style.bold += bold * count
        style.italic += italic * count
        style.mono += mono * count
        style.math += math_font * count
        style.sizes[size] = style.sizes.get(size, 0) + count
        self.baselines[baseline] = self.baselines.get(baseline, 0) + count

    def close(self, rows: list[Row]) -> None:
        if self.words:
            baseline = max(self.baselines, key=lambda y: self.baselines[y])
            box = around([word.box for word in self.words])
            rows.append(Row(self.words, box, self.style, self.number, baseline, self.turn))


def _box(chars: list[dict[str, Any]], start: int, end: int, turn: Turn) -> Box:
    first, final = chars[start]["bbox"], chars[end - 1]["bbox"]
    if not turn and final[2] - first[0] >= final[2] - final[0] and final[1] == first[1]:
        return (first[0], first[1], final[2], final[3])
    box = around([char["bbox"] for char in chars[start:end]])
    return turned(box, turn) if turn else box
