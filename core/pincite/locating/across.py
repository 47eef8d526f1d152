"""A quotation that other text interrupts: the other of two columns whose lines alternate, or what stands between two pages."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import numpy as np

from pincite.locating.letters import Letters

LEAST = 12
"""Letters of a quotation that is looked for in pieces."""

PIECE = 6
"""Letters of a piece that others follow, at least; the last may be shorter."""

REACH = 2_000
"""Letters between two pieces, at most: a page's footnotes and running heads."""

SEED = 4

Pieces = tuple[tuple[int, int], ...]

_CUT = re.compile(r"[ \t\u3000]*\n[\s]*|[ \t\u3000]{2,}|\t|\f")
_WIDE = re.compile(r"[ \t\u3000]{2,}|\t")
_FOLIO = re.compile(
    r"\s*[-–—\[(]?\s*(?:\w{1,6}\.?\s)?\s*(?:\d{1,5}|[ivxlc]{1,7})\s*(?:(?:of|/)\s*\d{1,5})?\s*[-–—\])]?\s*", re.I
)


class Across:
    """Looks for quotations in pieces; a piece begins and ends where a line, a column or a block does."""

    def __init__(self, letters: Letters) -> None:
        self._letters = letters
        self._text = letters.text
        normal = letters.normal
        cuts: dict[int, bool] = {}
        for match in _CUT.finditer(normal):
            index = int(np.searchsorted(letters.at, match.start()))
            cuts[index] = cuts.get(index, False) or _WIDE.fullmatch(match[0]) is not None
        for at in letters.breaks:
            cuts.setdefault(int(np.searchsorted(letters.at, at)), False)
        self._wide = cuts
        self._cuts = sorted(cuts)

    def find(self, quote: Letters) -> Iterator[Pieces]:
        """Every way to read the quotation in pieces [first, last) of the letters, one for each beginning."""
        wanted = quote.text
        if len(wanted) < LEAST:
            return
        first = self._text.find(wanted[:SEED])
        done = -1
        while first >= 0:
            if first > done and self._letters.parts(first):
                pieces = self._read(first, 0, wanted, {})
                if pieces is not None and len(pieces) > 1:
                    yield pieces
                    done = pieces[-1][1]
            first = self._text.find(wanted[:SEED], first + 1)

    def _read(self, at: int, done: int, wanted: str, failed: dict[tuple[int, int], bool]) -> Pieces | None:
        """The rest of the quotation, of which `done` letters are read, from `at` on."""
        if (at, done) in failed:
            return None
        length = _common(self._text, at, wanted, done)
        if done + length == len(wanted) and self._letters.parts(at + length):
            return ((at, at + length),)
        low, high = bisect_left(self._cuts, at + PIECE), bisect_right(self._cuts, at + length)
        for index in range(high - 1, max(low, high - 4) - 1, -1):
            end = self._cuts[index]
            rest = self._follow(end, done + end - at, wanted, failed)
            if rest is not None:
                return ((at, end), *rest)
        failed[at, done] = True
        return None

    def _follow(self, end: int, done: int, wanted: str, failed: dict[tuple[int, int], bool]) -> Pieces | None:
        """The next piece after a gap that begins at `end`, the nearest first."""
        head = wanted[done : done + PIECE]
        if not head:
            return None
        low, high = bisect_right(self._cuts, end), bisect_right(self._cuts, end + REACH)
        for begin in self._cuts[low:high]:
            if self._text.startswith(head, begin) and self._explained(end, begin):
                rest = self._read(begin, done, wanted, failed)
                if rest is not None:
                    return rest
        return None

    def _explained(self, end: int, begin: int) -> bool:
        """Whether what is passed over may be no part of the sentence: another column's line, a page number, or blocks of their own.
        A line in the middle of a paragraph is part of it."""
        if self._wide.get(end) or self._wide.get(begin):
            return True
        normal, at = self._letters.normal, self._letters.at
        between = normal[int(at[end - 1]) + 1 : int(at[begin])]
        return "\f" in between or _BLANK.search(between) is not None or _FOLIO.fullmatch(between) is not None


_BLANK = re.compile(r"\n[ \t]*\r?\n")


def _common(text: str, at: int, wanted: str, done: int) -> int:
    """How many letters agree from the two places on."""
    step = most = min(len(text) - at, len(wanted) - done)
    length = 0
    while step:
        if text.startswith(wanted[done + length : done + length + step], at + length):
            length += step
            step = min(step, most - length)
        else:
            step //= 2
    return length
