"""One page's glyphs → pieces of printed lines, with words, boxes and typography.

MuPDF gives the words of a page with their boxes at a third of the cost of its characters, which is enough for scripts that
write from left to right with spaces; any other page is read character by character.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pymupdf

from pincite_plugins.extractors.pdf.letters import composed, is_mark
from pincite_plugins.extractors.pdf.model import UNSPACED, UNSPACED_CHAR, Box, Row, Turn, Word, around, turned
from pincite_plugins.extractors.pdf.pieces import Look, Pieces, face_of, look_of

FLAGS = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES
"""Ligatures and white space kept as they are, clipped to the page; no bytes of images, which cost more than the text."""

_SLANT = 4.0
"""Degrees that a line of a crooked scan may be off."""

_LEFTWARD = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_WORD = re.compile(r"[^\x00-\x20\xa0\u202a-\u202e]+")
"""What MuPDF takes for a word."""
_NOTHING = "\x00-\x20\x7f\u200b\ufeff"
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\s{_NOTHING}{UNSPACED}]+")
_BY_CHARACTER = re.compile(
    rf"[{UNSPACED}\x7f\ufeff\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000]|{_LEFTWARD.pattern}"
)
"""What of a page wants it read by characters: other scripts, and spaces that MuPDF takes for letters."""
_FORMULAS = 0.03
"""With more of a page than this in fonts of mathematics, words are no boxes any more: limits stand over and under them."""
_LOST = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
"""Glyphs whose code is no character: they are left out of the text, and counted against the page's health."""


@dataclass(slots=True)
class Glyphs:
    """A page's pieces of printed lines by the direction they run in, boxes turned into that direction's frame; those
    that run aslant (labels of a chart, a watermark); how many glyphs stand for no character; whether any is written from right
    to left."""

    turns: dict[Turn, list[Row]] = field(default_factory=dict)
    aslant: list[Row] = field(default_factory=list)
    lost: int = 0
    leftward: bool = False


def glyphs_of(page: pymupdf.Page, number: int, textpage: Any = None) -> Glyphs:
    """What is printed on a page. `textpage`: its text where it was read otherwise than by `Page.get_textpage`."""
    out = Glyphs()
    textpage = textpage or page.get_textpage(flags=FLAGS)
    for turn, straight, rows in _lines(textpage, number, out):
        if straight:
            out.turns.setdefault(turn, []).extend(rows)
        else:
            out.aslant += rows
    if out.leftward:
        _mirror(out)
    return out


def _lines(textpage: Any, number: int, out: Glyphs) -> Iterator[tuple[Turn, bool, list[Row]]]:
    blocks = textpage.extractDICT()["blocks"]
    spans = [span for block in blocks for line in block.get("lines", ()) for span in line["spans"]]
    text = "".join([span["text"] for span in spans])
    formulas = sum(len(span["text"]) for span in spans if face_of(span["font"], span["flags"])[3])
    out.lost = len(_LOST.findall(text))
    out.leftward = bool(_LEFTWARD.search(text))
    if formulas > _FORMULAS * len(text) or _BY_CHARACTER.search(text):
        for block in textpage.extractRAWDICT()["blocks"]:
            for line in block.get("lines", ()):
                turn, straight = _turn(line)
                yield turn, straight, _by_character(line, turn, number)
        return
    words: dict[tuple[int, int], list[Any]] = {}
    for word in textpage.extractWORDS():
        words.setdefault((word[5], word[6]), []).append(word)
    for block in blocks:
        for at, line in enumerate(block.get("lines", ())):
            turn, straight = _turn(line)
            yield turn, straight, _by_word(line, words.get((block["number"], at), []), turn, number)


def _turn(line: dict[str, Any]) -> tuple[Turn, bool]:
    """The quarter turn nearest to a line's direction, and whether it is that."""
    if line["wmode"]:
        return Turn.DOWN, True
    x, y = line["dir"]
    if y == 0 and x > 0:
        return Turn.RIGHT, True
    angle = math.degrees(math.atan2(y, x)) / 90
    quarter = round(angle)
    return Turn(quarter % 4), abs(angle - quarter) * 90 <= _SLANT


def _by_word(line: dict[str, Any], words: list[Any], turn: Turn, number: int) -> list[Row]:
    pieces = Pieces(number, turn)
    if len(line["spans"]) == 1:
        look = look_of(line["spans"][0], turn)
        for word in words:
            box = word[:4]
            pieces.add(Word(composed(word[4]), turned(box, turn) if turn else box, False), look, len(word[4]))
        return pieces.close()
    spans: list[tuple[int, Look, dict[str, Any]]] = []
    text, end = "", 0
    for span in line["spans"]:
        text += span["text"]
        end = len(text)
        spans.append((end, look_of(span, turn), span))
    at = 0
    for token, word in zip(_WORD.finditer(text), words, strict=False):
        start, stop = token.span()
        while spans[at][0] <= start:
            at += 1
        box = word[:4]
        if stop <= spans[at][0]:
            made = Word(composed(word[4]), turned(box, turn) if turn else box, False)
            pieces.add(made, spans[at][1], stop - start)
            continue
        parts = [(start, min(stop, spans[at][0]), at)]
        while spans[at][0] < stop:
            at += 1
            parts.append((spans[at - 1][0], min(stop, spans[at][0]), at))
        for low, high, shares in _apart(parts, text, spans, turn):
            left = box[0] if low == start else spans[shares[0][0]][2]["bbox"][0]
            right = box[2] if high == stop else spans[shares[-1][0]][2]["bbox"][2]
            own = [spans[share[0]][2]["bbox"] for share in shares] if stop - start > high - low else [box]
            piece = (left, min(b[1] for b in own), right, max(b[3] for b in own))
            pieces.add(
                Word(composed(text[low:high]), turned(piece, turn) if turn else piece, False),
                spans[shares[0][0]][1],
                shares[0][1],
            )
            for span_at, count in shares[1:]:
                pieces.more(spans[span_at][1], count)
    return pieces.close()


def _apart(
    parts: list[tuple[int, int, int]], text: str, spans: list[tuple[int, Look, dict[str, Any]]], turn: Turn
) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """A word that is set in several fonts, as one or, where the raised mark of a note or citation is stuck to it, as two:
    (start, end, [(span, characters)])."""
    low, shares = parts[0][0], [(parts[0][2], parts[0][1] - parts[0][0])]
    for before, part in pairwise(parts):
        a, b = text[low : before[1]], text[part[0] : part[1]]
        raised = bool(spans[part[2]][2]["flags"] & 1), bool(spans[before[2]][2]["flags"] & 1)
        if not turn and is_mark(a, b, *raised):
            yield low, before[1], shares
            low, shares = part[0], []
        shares.append((part[2], part[1] - part[0]))
    yield low, parts[-1][1], shares


def _by_character(line: dict[str, Any], turn: Turn, number: int) -> list[Row]:
    pieces = Pieces(number, turn)
    spaced = True
    was_raised = False
    for span in line["spans"]:
        chars = span["chars"]
        text = "".join([char["c"] for char in chars])
        if len(text) != len(chars):
            chars = [{"c": c, "bbox": char["bbox"]} for char in chars for c in char["c"]]
        look = look_of(span, turn)
        end = 0
        for token in _TOKEN.finditer(text):
            start = token.start()
            spaced = spaced or start > end
            end = token.end()
            if spaced and pieces.last and _glued(pieces.last, token[0], chars, start):
                spaced = False
            glued = not spaced and bool(pieces.last)
            raised = bool(span["flags"] & 1)
            if glued and raised is not was_raised and is_mark(pieces.last, token[0], raised, was_raised):
                glued = False
            pieces.add(Word(composed(token[0]), _box(chars, start, end, turn), glued), look, end - start)
            was_raised = raised
            spaced = False
        spaced = spaced or end < len(text)
    return pieces.close()


def _glued(before: str, after: str, chars: list[dict[str, Any]], start: int) -> bool:
    """Whether the space between two characters of a script without spaces is none that the file holds, but one that was
    guessed from their distance (widely set Japanese)."""
    if not (UNSPACED_CHAR.match(before[-1]) and UNSPACED_CHAR.match(after[0])):
        return False
    return start == 0 or bool(chars[start - 1].get("synthetic"))


def _box(chars: list[dict[str, Any]], start: int, end: int, turn: Turn) -> Box:
    box = around([char["bbox"] for char in chars[start:end]])
    return turned(box, turn) if turn else box


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
