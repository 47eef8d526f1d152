"""What stands inside a text without being of its sentences: running line numbers, and citations by number.

It is blanked, each character by a space, so that every offset stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

Span = tuple[int, int]

_NUMBER = re.compile(r"(?<![^\s])\d{1,5}(?![^\s])")
_LINE_END = re.compile(r"[ \t]*\r?\n")

_LEAST_LINES = 3
"""Line numbers in a row from which they are told from other numbers."""

_LEAST_IF_YEARS = 6
"""The same where they may be years."""

_LINE = (20, 220)
"""Characters between one line number and the next."""

_MORE = r"(?:\s?[,;]\s?\d{1,3}|\s?[-–—‐−]\s?\d{1,3})"
_CITATION = re.compile(
    "|".join(
        (
            rf"(?<=[^\W\d_])\d{{1,3}}{_MORE}+(?![^\W_])",  # glued to a word: several numbers, or a range
            rf"(?<=[a-zß-öø-ÿ]{{4}}[.,;:)\]”’\"'])\d{{1,3}}{_MORE}*(?![^\W_]|\.\d)",  # glued to its stop (not Fig.3)
            r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,⁻˒ʼ–\-]\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*",
            rf"<sup>\s*\d{{1,3}}{_MORE}*\s*</sup>",
            rf"\$?\^\{{?\d{{1,3}}{_MORE}*\}}?\$?",
            rf"\s?\[\d{{1,3}}{_MORE}*\]",
        )
    )
)
_GLUED = re.compile(r"(?<=[a-zß-öø-ÿ]{5})\d{1,3}(?![^\W_])")
"""One number glued to a word: a citation where the text is full of them, else a name (gene10)."""

_MANY = 5
"""Different words with a number glued to them from which a text is full of them."""


def aside_in(text: str) -> list[Span]:
    """The spans [start, end) of line numbers and citations, rising."""
    found = line_numbers(text)
    found += [match.span() for match in _CITATION.finditer(text)]
    glued = list(_GLUED.finditer(text))
    if len({text[match.start() - 5 : match.start()] for match in glued}) >= _MANY:
        found += [match.span() for match in glued]
    return sorted(found)


def line_numbers(text: str) -> list[Span]:
    """Numbers that count the lines of a text: one, two, three … apart by a line's length. Their line end goes with them where they
    have a line of their own. Numbers that do not count on (years, quantities) stay."""
    numbers = [(match.start(), match.end(), int(match[0])) for match in _NUMBER.finditer(text)]
    found: list[Span] = []
    taken = 0
    for at in range(len(numbers)):
        if at < taken:
            continue
        chain = _counting(numbers, at)
        years = all(1900 <= numbers[i][2] <= 2099 for i in chain)
        if len(chain) >= (_LEAST_IF_YEARS if years else _LEAST_LINES):
            found += [_with_line_end(text, *numbers[i][:2]) for i in chain]
            taken = chain[-1] + 1
    return found


def blanked(text: str, spans: Iterable[Span]) -> str:
    """The text, as long as before, with spaces in the place of these spans."""
    out: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            low = max(start, done)
            out += [text[done:low], " " * (end - low)]
            done = end
    out.append(text[done:])
    return "".join(out)


def _counting(numbers: list[tuple[int, int, int]], at: int) -> list[int]:
    """The numbers from `at` on that count on by one, each a line's length from the one before; others may stand between."""
    chain = [at]
    for index in range(at + 1, len(numbers)):
        start, _, value = numbers[index]
        _, end, last = numbers[chain[-1]]
        if start - end > _LINE[1]:
            break
        if value == last + 1 and start - end >= _LINE[0]:
            chain.append(index)
    gaps = [numbers[b][0] - numbers[a][1] for a, b in pairwise(chain)]
    return chain if gaps and max(gaps) <= 3 * min(gaps) else [at]


def _with_line_end(text: str, start: int, end: int) -> Span:
    line = text.rfind("\n", 0, start) + 1
    following = _LINE_END.match(text, end)
    return (start, following.end()) if following and not text[line:start].strip() else (start, end)
