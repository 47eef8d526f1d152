"""A text by its letters alone: what quotations are compared by, and the way back to the exact span of the source.

Spaces, line ends, hyphens, quotes and other signs are no letters, so it does not matter how a quotation writes them; case, accents,
ligatures and markup are the normaliser's business (specs/14-text.md).
"""

from __future__ import annotations

import copy
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pincite.text.normalise import normalise
from pincite.text.scripts import spaceless
from pincite.text.symbols import SYMBOLS

TELLING = 20
"""Letters from which a quotation is told by its letters; a shorter one must part its words as the text does ("an ice", "a nice")."""

GRAM = 8
"""Letters of the pieces by which a quotation is ruled out."""

_CLOSERS = re.compile(r"\}|\$|</\w+>")
_ENDS = re.compile(r"[.!?。！？]")


class _Kept(dict[int, str]):
    """For `str.translate`: what is no letter becomes a space."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = char.isalnum() or char in SYMBOLS or unicodedata.category(char)[0] == "M"
        # accents that stand by themselves are how some programs copy a letter with its accent
        self[code] = value = char if kept and not "\u02c6" <= char <= "\u02df" else " "
        return value


_KEPT = _Kept()


class Letters:
    """The letters of `source`. `text` holds them normalised; `at` the position of each in the normalised text (rising, int64)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._normalised = normalise(source)
        spaced = self._normalised.text.translate(_KEPT)
        codes = np.frombuffer(spaced.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self.at: npt.NDArray[np.int64] = np.flatnonzero(codes != ord(" ")).astype(np.int64)
        self.text = spaced.replace(" ", "")

    def without(self, spans: Iterable[tuple[int, int]]) -> Letters:
        """The same without the letters of some spans of the source."""
        left = copy.copy(self)
        kept = np.ones(len(self.at), dtype=np.bool_)
        for start, end in spans:
            low, high = self._normalised.position(start), self._normalised.position(end)
            kept[np.searchsorted(self.at, low) : np.searchsorted(self.at, high)] = False
        left.at = self.at[kept]
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        left.text = codes[kept].tobytes().decode("utf-32-le", "surrogatepass")
        return left

    def __len__(self) -> int:
        return len(self.text)

    @property
    def normal(self) -> str:
        """The normalised text that `at` points into."""
        return self._normalised.text

    def find(self, quote: Letters) -> Iterator[tuple[int, int]]:
        """Every [first, last) of `text` that says the quotation in whole words, rising, without overlap."""
        first = self.text.find(quote.text)
        while first >= 0:
            last = first + len(quote.text)
            if self.parts(first) and self.parts(last) and self._same_words(first, last, quote):
                yield first, last
                first = self.text.find(quote.text, last)
            else:
                first = self.text.find(quote.text, first + 1)

    def parts(self, index: int) -> bool:
        """Whether a word may begin or end at a letter: never inside a token. Scripts without spaces may be cut anywhere."""
        if index <= 0 or index >= len(self.text):
            return True
        if self.at[index] - self.at[index - 1] > 1 or int(self.at[index]) in self.breaks:
            return True
        return spaceless(self.text[index - 1]) or spaceless(self.text[index])

    @cached_property
    def breaks(self) -> frozenset[int]:
        """Where the normaliser took out a hyphen at a line end: the halves may be words of their own."""
        return frozenset(self._normalised.breaks)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The source span of the letters [first, last), `first` < `last`."""
        return self._normalised.source_span(int(self.at[first]), int(self.at[last - 1]) + 1)

    def _same_words(self, first: int, last: int, quote: Letters) -> bool:
        """Whether the words are parted as in the quotation, as far as that matters."""
        mine = np.diff(self.at[first:last]) > 1
        theirs = np.diff(quote.at) > 1
        for index in np.flatnonzero(mine != theirs).tolist():
            if quote.text[index].isdecimal() and quote.text[index + 1].isdecimal():
                return False  # 3.14 is not 314
            if len(quote) < TELLING and not (self._loose(first + index) or quote._loose(index)):
                return False
        return True

    def _loose(self, index: int) -> bool:
        """Whether signs, markup or a line end, not a plain space, stand between a letter and the next."""
        if int(self.at[index + 1]) in self.breaks:
            return True
        start, end = self.span(index, index + 1)[1], self.span(index + 1, index + 2)[0]
        between = self.source[start:end]
        return any(not char.isspace() for char in between) or "\n" in between

    def may_say(self, quote: Letters) -> bool:
        """Whether the quotation can stand here with other text between its pieces: enough of it stands here in pieces of `GRAM` letters.
        Quick, and only ever false where it cannot: no piece is shorter than a dozen letters, on the whole."""
        wanted = quote.text
        if len(wanted) < 4 * GRAM:
            return True
        starts = range(0, len(wanted) - GRAM + 1, GRAM // 2)
        return sum(wanted[at : at + GRAM] in self.text for at in starts) >= len(starts) / 5


def widened(source: str, start: int, end: int, quote: str) -> tuple[int, int]:
    """The span with what belongs to it: markup that was opened inside it, and the stop where the quotation ends in one."""
    while (closer := _CLOSERS.match(source, end)) and _is_open(source[start:end], closer[0]):
        end = closer.end()
    stop = quote.rstrip("\"'”’»)] \t\r\n")[-1:]
    if _ENDS.fullmatch(stop) and source[end : end + 1] == stop:
        end += 1
    return start, end


def _is_open(inside: str, closer: str) -> bool:
    if closer == "}":
        return inside.count("{") > inside.count("}")
    if closer == "$":
        return inside.count("$") % 2 == 1
    name = closer[2:-1]
    return len(re.findall(rf"<{name}[ >]", inside)) > inside.count(closer)
