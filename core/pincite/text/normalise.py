"""The normaliser: one form of a text for index, query, highlight and quote location, and the way back to the source.

specs/14-text.md lists the foldings. A text is never altered in place: `Normalised.source_span` maps every position of
the normalised text to the exact span of the source that it came from.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from pincite.text.fold import FOLDED, ODD, TABLE
from pincite.text.markup import Edit, decomposed, edits
from pincite.text.offsets import OffsetMap, map_of

_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")


class Normalised:
    """A normalised text with the way back to its source.

    `text` is the normalised text. `breaks` holds the positions in it where a hyphen at a line end was taken out.
    Values: nothing in it changes after it was made; the map is made when it is first asked for.
    """

    def __init__(self, source: str, text: str, passes: Sequence[str] = ()) -> None:
        self.source = source
        self.text = text
        self._passes = passes  # the text before each pass; none where only the case changed

    @cached_property
    def _maps(self) -> tuple[OffsetMap, ...]:
        """The maps of all passes, last first."""
        return tuple(map_of(before, _changes(before)) for before in reversed(self._passes))

    @cached_property
    def breaks(self) -> tuple[int, ...]:
        """Positions in `text` where a hyphen at a line end was taken out, in order."""
        found: set[int] = set()
        for offsets in reversed(self._maps):
            found = {offsets.forward(at) for at in found} | set(offsets.breaks)
        return tuple(sorted(found))

    def position(self, source: int) -> int:
        """Where a position of the source stands in `text`; inside what was folded together, where that begins."""
        for offsets in reversed(self._maps):
            source = offsets.forward(source)
        return source

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The source span of the normalised span [start, end), 0 ≤ start ≤ end ≤ len(text). An empty span
        gives a point."""
        for offsets in self._maps:
            if end > start:
                start, end = offsets.char(start)[0], offsets.char(end - 1)[1]
            else:
                start = end = offsets.char(start)[0]
        return start, end


def normalise(text: str) -> Normalised:
    """Normalises any text. Applied to its own result it changes nothing."""
    if text.isascii() and ODD not in text and not _may_hold_markup(text):
        return Normalised(text, text.lower())
    passes = [text]
    current = _once(text)
    while not _stable(current):
        following = _once(current)
        if following == current:
            break
        passes.append(current)
        current = following
    return Normalised(text, current, passes)


def fold(text: str) -> str:
    """The normalised text alone."""
    return normalise(text).text


def _may_hold_markup(text: str) -> bool:
    return "<" in text or "\\" in text or ("\n" in text and "-" in text)


def _stable(text: str) -> bool:
    """Whether another pass would change nothing: what was joined or unfolded may be markup, or compose, in its turn."""
    return _composed(text) and (not _may_hold_markup(text) or next(edits(text), None) is None)


def _composed(text: str) -> bool:
    """Whether nothing in a text composes, marks that folding drops aside."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return True
    return unicodedata.is_normalized("NFC", text.translate(TABLE))


def _changes(text: str) -> list[Edit]:
    """What is replaced by more than the folding of single characters, in order, without overlap."""
    found = list(edits(text))
    if not _composed(text):
        taken = found
        found = sorted([*taken, *decomposed(text)])
        end = 0
        kept = []
        for edit in found:
            if edit[0] >= end:
                kept.append(edit)
                end = edit[1]
        found = kept
    return found


def _once(text: str) -> str:
    """One pass: markup, line ends and composition by their edits, all else character by character."""
    pieces = []
    done = 0
    for start, end, written, _ in _changes(text):
        pieces.append(_folded(text[done:start]))
        pieces.append(written.translate(FOLDED))
        done = end
    pieces.append(_folded(text[done:]))
    return "".join(pieces)


def _folded(text: str) -> str:
    """Each character's folding. A table is asked for every character: where few are beyond ASCII, it is asked for those alone."""
    if text.isascii():
        return text.lower().replace(ODD, " ")
    if len(text.encode("utf-8", "surrogatepass")) > 1.2 * len(text):
        return text.translate(FOLDED)
    return _BEYOND_ASCII.sub(lambda found: found[0].translate(FOLDED), text.replace(ODD, " ")).lower()
