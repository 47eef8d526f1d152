"""Pieces of printed lines in the making: words, boxes and the typography of their characters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from pincite_plugins.extractors.pdf.model import Row, Style, Turn, Word, around, turned

WIDE_GAP = 2.2
"""A gap of more than this many ems parts a printed line into pieces: columns, cells of a table."""

_MATH = re.compile(r"CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM|EUSM|EUFM|RSFS|MTMI|MTSY|MTEX|Math|Symbol", re.I)
_BOLD = re.compile(r"bold|black|heavy|demi|CMBX|-Medi", re.I)
_MONO = re.compile(r"mono|courier|CMTT|consol|typewriter|SFTT|menlo|inconsolata|NimbusMon", re.I)
_ITALIC_FLAG, _MONO_FLAG, _BOLD_FLAG = 2, 8, 16

Look = tuple[float, int, int, int, int, float]
"""Size; bold, italic, mono, math as 0 or 1; baseline."""


def look_of(span: dict[str, Any], turn: Turn) -> Look:
    """The typography of a span of MuPDF's."""
    x, y = span["origin"]
    return (*_print_of(span["size"], span["font"], span["flags"]), turned((x, y, x, y), turn)[1] if turn else y)


@lru_cache(maxsize=4096)
def _print_of(size: float, font: str, flags: int) -> tuple[float, int, int, int, int]:
    return (round(size, 1), *face_of(font, flags))


@lru_cache(maxsize=1024)
def face_of(font: str, flags: int) -> tuple[int, int, int, int]:
    """Bold, italic, mono and math, 0 or 1 each, by a font's name and MuPDF's flags."""
    return (
        int(bool(flags & _BOLD_FLAG or _BOLD.search(font))),
        int(bool(flags & _ITALIC_FLAG)),
        int(bool(flags & _MONO_FLAG or _MONO.search(font))),
        int(bool(_MATH.search(font))),
    )


class Pieces:
    """The pieces of one line. A wide gap closes one and opens the next."""

    def __init__(self, number: int, turn: Turn) -> None:
        self.rows: list[Row] = []
        self._number, self._turn = number, turn
        self._words: list[Word] = []
        self._looks: dict[Look, int] = {}

    def add(self, word: Word, look: Look, count: int) -> None:
        """A word whose first `count` characters look so."""
        if self._words:
            last, box = self._words[-1].box, word.box
            if max(box[0] - last[2], last[0] - box[2]) > WIDE_GAP * look[0]:
                self.close()
                word.glued = False
        self._words.append(word)
        self._looks[look] = self._looks.get(look, 0) + count

    def more(self, look: Look, count: int) -> None:
        """Further characters of the last word."""
        self._looks[look] = self._looks.get(look, 0) + count

    @property
    def last(self) -> str:
        """The text of the last word of the open piece, or ""."""
        return self._words[-1].text if self._words else ""

    def close(self) -> list[Row]:
        """Ends the open piece; gives all."""
        if self._words:
            style = Style()
            baselines: dict[float, int] = {}
            for (size, bold, italic, mono, math, baseline), count in self._looks.items():
                style.characters += count
                style.bold += bold * count
                style.italic += italic * count
                style.mono += mono * count
                style.math += math * count
                style.sizes[size] = style.sizes.get(size, 0) + count
                baselines[baseline] = baselines.get(baseline, 0) + count
            baseline = max(baselines, key=lambda y: baselines[y])
            box = around([word.box for word in self._words])
            self.rows.append(Row(self._words, box, style, self._number, baseline, self._turn))
            self._words, self._looks = [], {}
        return self.rows
