"""One page's glyphs → pieces of printed lines, with words, boxes and typography."""

from __future__ import annotations

import math
import re
from typing import Any

import pymupdf

from pincite_plugins.extractors.pdf.model import UNSPACED, Box, Row, Style, Turn, Word, around, turned

FLAGS = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES
"""Ligatures and white space kept as they are, clipped to the page; no bytes of images, which cost more than the text."""

WIDE_GAP = 2.2
"""A gap of more than this many ems parts a printed line into pieces: columns, cells of a table."""

_CONTROL = "\x00-\x20\x7f\u200b\ufeff"
_LOST = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
"""Glyphs whose code is no character: they are left out of the text, and counted against the page's health."""
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\s{_CONTROL}{UNSPACED}]+")
_MATH = re.compile(r"CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM|EUSM|EUFM|RSFS|MTMI|MTSY|MTEX|Math|Symbol", re.I)
_BOLD = re.compile(r"bold|black|heavy|demi|CMBX|-Medi", re.I)
_MONO = re.compile(r"mono|courier|CMTT|consol|typewriter|SFTT|menlo|inconsolata|NimbusMon", re.I)
_ITALIC_FLAG, _MONO_FLAG, _BOLD_FLAG = 2, 8, 16


def pieces_of(page: pymupdf.Page, number: int) -> tuple[dict[Turn, list[Row]], int]:
    """The pieces of printed lines of a page by the direction they run in, boxes turned into that direction's frame, and
    how many glyphs stand for no character. Slanted text goes with the quarter turn next to it."""
    out: dict[Turn, list[Row]] = {}
    lost = [0]
    for block in page.get_text("rawdict", flags=FLAGS)["blocks"]:
        for line in block.get("lines", ()):
            turn = _turn(line)
            rows = _pieces(line, turn, number, lost)
            if rows:
                out.setdefault(turn, []).extend(rows)
    return out, lost[0]


def _turn(line: dict[str, Any]) -> Turn:
    if line["wmode"]:
        return Turn.DOWN
    x, y = line["dir"]
    return Turn(round(math.degrees(math.atan2(y, x)) / 90) % 4)


def _pieces(line: dict[str, Any], turn: Turn, number: int, lost: list[int]) -> list[Row]:
    rows: list[Row] = []
    words: list[Word] = []
    style = Style()
    spaced = True
    last: Box | None = None
    for span in line["spans"]:
        chars = span["chars"]
        text = "".join([char["c"] for char in chars])
        lost[0] += len(_LOST.findall(text))
        size = round(span["size"], 1)
        if len(text) != len(chars):
            chars = [{"c": c, "bbox": char["bbox"]} for char in chars for c in char["c"]]
        end = 0
        for token in _TOKEN.finditer(text):
            start = token.start()
            spaced = spaced or start > end
            end = token.end()
            box = _box(chars, start, end, turn)
            if last is not None and max(box[0] - last[2], last[0] - box[2]) > WIDE_GAP * size:
                _close(rows, words, style, number, turn)
                words, style, spaced = [], Style(), True
            words.append(Word(token[0], box, not spaced))
            _count(style, span, size, end - start)
            spaced = False
            last = box
        spaced = spaced or end < len(text)
    _close(rows, words, style, number, turn)
    return rows


def _box(chars: list[dict[str, Any]], start: int, end: int, turn: Turn) -> Box:
    first, final = chars[start]["bbox"], chars[end - 1]["bbox"]
    if not turn and final[2] - first[0] >= final[2] - final[0] and final[1] == first[1]:
        return (first[0], first[1], final[2], final[3])
    box = around([char["bbox"] for char in chars[start:end]])
    return turned(box, turn) if turn else box


def _count(style: Style, span: dict[str, Any], size: float, count: int) -> None:
    flags, font = span["flags"], span["font"]
    style.characters += count
    if flags & _BOLD_FLAG or _BOLD.search(font):
        style.bold += count
    if flags & _ITALIC_FLAG:
        style.italic += count
    if flags & _MONO_FLAG or _MONO.search(font):
        style.mono += count
    if _MATH.search(font):
        style.math += count
    style.sizes[size] = style.sizes.get(size, 0) + count


def _close(rows: list[Row], words: list[Word], style: Style, number: int, turn: Turn) -> None:
    if words:
        rows.append(Row(words, around([word.box for word in words]), style, number, turn))
