"""From a stretch of normalised text without separators to its tokens.

`STRETCHES` turns every separator of a normalised text into a space, one for one; what is left between spaces
is a stretch, and nothing outside a stretch bears on its tokens, so that they can be cached.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from operator import add
from typing import NamedTuple

from pincite.text.scripts import CJK, GREEK, THAI_LIKE, holds_cjk, marks
from pincite.text.symbols import GREEK as GREEK_NAMES
from pincite.text.symbols import SYMBOLS

LONGEST = 64
"""Characters of a token that count; a longer one (a sequence, a hash) is known by its beginning."""

JOINERS = "-_./:+#"
"""What joins the parts of a compound when it stands alone between two of them."""

_STOPS = "!?。"


class Kind(Enum):
    """What a piece is: a part takes a position, a whole stands beside its parts, a stop ends a sentence. A run of `CJK` characters, as
    `spellings` gives it, has its pairs and its last character for parts, and its other characters for wholes."""

    PART = 0
    WHOLE = 1
    STOP = 2
    CJK = 3


class Piece(NamedTuple):
    """A token of a stretch: its text, its span in the stretch, and for a whole how many parts back it begins."""

    text: str
    start: int
    end: int
    kind: Kind = Kind.PART
    parts: int = 0


class _Stretches(dict[int, str]):
    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = (
            char.isalnum()
            or char in JOINERS
            or char in _STOPS
            or char in SYMBOLS
            or unicodedata.category(char)[0] == "M"
        )
        self[code] = value = char if kept else " "
        return value


STRETCHES = _Stretches()
"""For `str.translate` of a normalised text: separators become spaces."""

# No sentence ends at the full stop of an initial or of these: a phrase may go on.
ABBREVIATIONS = ("al", "fig", "figs", "eq", "eqs", "no", "vol", "dr", "mr", "st", "vs", "cf")
_ABBREVIATED = "".join(rf"(?<!\b{word})" for word in ABBREVIATIONS)


def _runs(stretch: str) -> Iterator[re.Match[str]]:
    return (_ascii_runs() if stretch.isascii() else _all_runs()).finditer(stretch)


@functools.cache
def _ascii_runs() -> re.Pattern[str]:
    return _runs_of("[^\\W_]")


@functools.cache
def _all_runs() -> re.Pattern[str]:
    return _runs_of(f"(?:[^\\W_]|[{marks()}])")


def _runs_of(word: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<run>{word}+(?:[{JOINERS}]{word}+)*(?:\+\+|\#(?!\w))?)|(?P<symbol>[{''.join(SYMBOLS)}])"
        rf"|(?P<stop>[!?]$|。|{_ABBREVIATED}(?<!\b\w)\.$)"
    )


def plain(stretch: str) -> bool:
    """Whether a stretch is one token, as most are."""
    return stretch.isascii() and stretch.isalnum()


def pieces(stretch: str) -> Iterator[Piece]:
    """The tokens of a stretch, each run's parts before its whole."""
    if plain(stretch):
        yield Piece(stretch[:LONGEST], 0, len(stretch))
        return
    for match in _runs(stretch):
        at = match.start()
        if match["run"]:
            yield from _of_run(match[0], at)
        elif match["symbol"]:
            yield Piece(SYMBOLS[match[0]], at, at + 1)
        else:
            yield Piece(".", at, at + 1, Kind.STOP)


def spellings(stretch: str) -> Iterator[tuple[Kind, str]]:
    """What `pieces` gives, without its spans, and each run of CJK characters in one."""
    for match in _runs(stretch):
        run = match["run"]
        if run and holds_cjk(run):
            yield from _spellings_of_mixed(run)
        elif run:
            for piece in _of_run(run, 0):
                yield piece.kind, piece.text
        elif match["symbol"]:
            yield Kind.PART, SYMBOLS[match[0]]
        else:
            yield Kind.STOP, "."


def _spellings_of_mixed(run: str) -> Iterator[tuple[Kind, str]]:
    number, end = "", -1  # the digits just before
    for match in _segments(run):
        if match["cjk"]:
            if end == match.start() and number.isdecimal():
                yield Kind.WHOLE, number + match[0][0]
            yield Kind.CJK, match[0]
            continue
        number, end = "", match.end()
        for piece in _by_alphabet(match[0], 0) if match["other"] else _syllables(match[0], 0):
            yield piece.kind, piece.text
            number = piece.text


def cjk_parts(run: str) -> str:
    """The pairs of a run's characters and its last one, joined by spaces."""
    return " ".join([*map(add, run, run[1:]), run[-1]])


def _segments(run: str) -> Iterator[re.Match[str]]:
    """The parts of a run: stretches of one kind of script."""
    return (_ASCII_SEGMENTS if run.isascii() else _all_segments()).finditer(run)


_ASCII_SEGMENTS = re.compile(f"(?P<other>[^{re.escape(JOINERS)}]+)|(?P<cjk>(?!))|(?P<thai>(?!))")


@functools.cache
def _all_segments() -> re.Pattern[str]:
    other = f"(?:(?![{CJK}{THAI_LIKE}])[^{re.escape(JOINERS)}])"
    return re.compile(f"(?P<cjk>[{CJK}]+)|(?P<thai>[{THAI_LIKE}]+)|(?P<other>{other}+)")


@functools.cache
def _clusters() -> re.Pattern[str]:
    """Written syllables of Thai and its like: a consonant with what stands on it, and a vowel written before it."""
    return re.compile(
        f"[\u0e40-\u0e44\u0ec0-\u0ec4]?[^{marks()}][{marks()}\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3]*|."
    )


def _of_run(run: str, at: int) -> Iterator[Piece]:
    parts: list[Piece] = []
    besides: list[Piece] = []
    spaceless = False
    for match in _segments(run):
        start = at + match.start()
        if match["cjk"]:
            spaceless = True
            if parts and parts[-1].end == start and parts[-1].text.isdecimal():
                besides.append(Piece(parts[-1].text + match[0][0], parts[-1].start, start + 1, Kind.WHOLE))
            units = [(char, start + i, start + i + 1) for i, char in enumerate(match[0])]
            parts += _pairs(units)
            besides += [Piece(*unit, Kind.WHOLE) for unit in units[:-1]]
        elif match["thai"]:
            spaceless = True
            parts += _syllables(match[0], start)
        else:
            parts += _by_alphabet(match[0], start)
    yield from parts
    if not spaceless and (len(parts) > 1 or run[-1] in "+#"):
        yield Piece(_whole(run, parts), at, at + len(run), Kind.WHOLE, len(parts))
    if besides:
        index = {part.start: number for number, part in enumerate(parts)}
        for piece in besides:
            yield piece._replace(parts=len(parts) - index[piece.start])


def _syllables(text: str, at: int) -> Iterator[Piece]:
    return _pairs([(c[0], at + c.start(), at + c.end()) for c in _clusters().finditer(text)])


def _pairs(units: list[tuple[str, int, int]]) -> Iterator[Piece]:
    """Overlapping 2-grams, and the last unit alone, so that each unit begins a token."""
    for (first, start, _), (second, _, end) in pairwise(units):
        yield Piece(first + second, start, end)
    yield Piece(*units[-1])


_ALPHABETS = re.compile(f"[{GREEK}]+|[^{GREEK}]+")


def _by_alphabet(text: str, at: int) -> Iterator[Piece]:
    """A stretch of letters and digits; Greek letters beside Latin ones or digits are parts of their own."""
    if text.isascii():
        yield Piece(text[:LONGEST], at, at + len(text))
        return
    for match in _ALPHABETS.finditer(text):
        name = GREEK_NAMES.get(match[0], match[0])
        yield Piece(name[:LONGEST], at + match.start(), at + match.end())


def _whole(run: str, parts: list[Piece]) -> str:
    """A compound as one token. Hyphens go, so that "e-mail" is "email", and Greek goes by name; numbers
    ("3.14"), units with µ and other joiners stay as they are."""
    bare = run.replace("-", "")
    if not bare.isdigit() and "μ" not in run and not any(joiner in bare for joiner in JOINERS):
        run = "".join(part.text for part in parts)
    return run[:LONGEST]
