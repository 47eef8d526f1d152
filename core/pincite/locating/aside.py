"""What stands inside a text without being of its sentences: running line numbers, and citations by number."""

from __future__ import annotations

import re
from itertools import pairwise

from pincite.anchors.runs import joined

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
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LIST = re.compile(rf"\d{{1,3}}{_MORE}*(?![^\W_]|\.\d)")
_MARKED = (
    ("[", re.compile(rf"\s?\[\d{{1,3}}{_MORE}*\]")),
    ("<sup>", re.compile(rf"<sup>\s*\d{{1,3}}{_MORE}*\s*</sup>")),
    ("^", re.compile(rf"\$?\^\{{?\d{{1,3}}{_MORE}*\}}?\$?")),
    ("", re.compile(rf"[{_RAISED}]+(?:[,⁻˒ʼ–\-]\s?[{_RAISED}]+)*")),
)
"""What a citation is marked by → the citation. Looked for only where the mark occurs."""

_GLUED_STOP = re.compile(r"[a-zß-öø-ÿ]{4}[.,;:)\]”’\"']$")
"""A word with its stop, to which a citation is glued; not Fig.3."""

_MANY = 5
"""Different words with one number glued to them from which a text is full of citations; else they are names (gene10)."""


def aside_in(text: str) -> list[Span]:
    """The spans [start, end) of line numbers and citations, rising."""
    found = line_numbers(text) + _glued(text)
    for mark, pattern in _MARKED:
        if mark in text:
            found += [match.span() for match in pattern.finditer(text)]
    return joined(found)


def _glued(text: str) -> list[Span]:
    """Citations glued to a word or its stop: several numbers or a range; one alone where the text is full of them."""
    found: list[Span] = []
    alone: dict[Span, str] = {}
    for match in _LIST.finditer(text):
        start = match.start()
        before = text[max(0, start - 5) : start]
        if before[-1:].isalpha() and not match[0].isdecimal():
            found.append(match.span())
        elif len(before) == 5 and before.isalpha() and before.islower():
            alone[match.span()] = before
        elif _GLUED_STOP.search(before):
            found.append(match.span())
    return found + list(alone) if len(set(alone.values())) >= _MANY else found


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
