"""Markdown inside a block → the words that a reader sees, each stretch with its place in the file."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pincite.markup.builder import MADE, Segment

Range = tuple[int, int]

DEEPEST = 8
"""Links inside the text of images inside links."""

_LINK_TEXT = r"(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*"
_TARGET = (
    r"\(\s*(?:<[^<>\n]*>|(?:[^()\s\\]|\\.|\([^()\s]*\))*)"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?\s*\)(?:\{[^{}\n]*\})?"
)
_FORMULA = r"(?![\s\d])[^$\n]*?[^\s$\\]|\d[^$\n]*?[\\^_=][^$\n]*?"
"""Between single dollars; what begins with a digit must hold a mark of TeX, or it is a price."""

_TOKEN = re.compile(
    r"(?P<escape>\\(?P<escaped>[!-/:-@\[-`{-~]))"
    r"|(?P<break>\\\n| {2,}\n)"
    r"|(?P<code>(?P<ticks>`+)(?P<code_in>(?:(?!(?P=ticks))[\s\S]|(?<=`)`)+?)(?P=ticks)(?!`))"
    r"|(?P<comment><!--[\s\S]*?-->|%%[\s\S]*?%%)"
    r"|(?P<auto><(?P<auto_in>(?:[a-zA-Z][a-zA-Z0-9+.\-]{1,31}:[^\s<>]*|[\w.+\-]+@[\w.\-]+))>)"
    r"|(?P<tag></?[a-zA-Z][^<>]*>)"
    rf"|(?P<math>\$\$(?P<display>[^$]+)\$\$|\$(?P<formula>{_FORMULA})\$(?!\d))"
    r"|(?P<embed>!\[\[[^\[\]\n]*\]\])"
    r"|(?P<wiki>\[\[(?P<wiki_in>[^\[\]\n|#]*)(?:#[^\[\]\n|]*)?(?:\|(?P<alias>[^\[\]\n]*))?\]\])"
    r"|(?P<anchor>(?<!\S)\^[A-Za-z0-9-]+(?=[ \t]*(?:\n|\Z)))"  # a block's name in Obsidian
    r"|(?P<note>\[\^[^\]\s]+\])"
    rf"|(?P<image>!\[(?P<alt>{_LINK_TEXT})\](?:{_TARGET}|\[[^\[\]\n]*\])?)"
    rf"|(?P<link>\[(?P<link_in>{_LINK_TEXT})\](?:{_TARGET}|\[[^\[\]\n]*\]))"
    r"|(?P<attributes>\{[#.:][^{}\n]*\})"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)"
    r"|(?P<mark>\*+|_+|~~|==)"
)
_KINDS = frozenset(
    "escape break code comment auto tag math embed wiki anchor note image link attributes entity mark".split()  # noqa: SIM905
)
_INNER: dict[str, tuple[str, ...]] = {
    "escape": ("escaped",),
    "code": ("code_in",),
    "auto": ("auto_in",),
    "math": ("display", "formula"),
    "wiki": ("alias", "wiki_in"),
    "image": ("alt",),
    "link": ("link_in",),
}
"""What of a token stays: the first of these groups that is there."""

_BREAKING_TAG = re.compile(r"</?(?:br|p|div|li|td|tr)\b", re.IGNORECASE)


class Joined:
    """Lines of a block as one text, with the way back to the file."""

    def __init__(self, source: str, lines: Sequence[Range]) -> None:
        self._starts: list[int] = []
        self._lines = list(lines)
        parts: list[str] = []
        at = 0
        for start, end in lines:
            self._starts.append(at)
            parts.append(source[start:end])
            at += end - start + 1
        self.text = "\n".join(parts)

    def segments(self, start: int, end: int) -> Iterator[Segment]:
        """[start, end) of `text` as stretches of the file; the break between two lines is made."""
        while start < end:
            at = bisect_right(self._starts, start) - 1
            line_start, line_end = self._lines[at]
            inside = start - self._starts[at]
            stop = min(end, self._starts[at] + line_end - line_start)
            if start < stop:
                yield Segment(self.text[start:stop], "", line_start + inside)
                start = stop
            if start < end:
                yield Segment("\n", "", line_end)  # the line end itself stands there in the file
                start += 1


def inline(source: str, lines: Sequence[Range]) -> list[Segment]:
    """The words of a block without its marks."""
    joined = Joined(source, lines)
    out: list[Segment] = []
    for start, end, made in _kept(joined.text, 0, len(joined.text), 0):
        if made:
            out.append(Segment(made, "", MADE))
        else:
            out.extend(joined.segments(start, end))
    return out


def _kept(text: str, start: int, end: int, depth: int) -> Iterator[tuple[int, int, str]]:
    """Stretches [start, end) of the text that stay, and texts made in place of others."""
    unmarked = _emphasis(text, start, end)
    at = start
    for found in _TOKEN.finditer(text, start, end):
        kind = next(name for name in _KINDS if found.group(name) is not None)
        if kind == "mark":
            if found.start() in unmarked:
                yield at, found.start(), ""
                at = found.end() - unmarked[found.start()]
            continue
        yield at, found.start(), ""
        at = found.end()
        name = next((name for name in _INNER.get(kind, ()) if found.group(name) is not None), None)
        if name is not None and kind in ("link", "image") and depth < DEEPEST:
            yield from _kept(text, found.start(name), found.end(name), depth + 1)
        elif name is not None:
            yield found.start(name), found.end(name), ""
        elif kind == "entity":
            yield 0, 0, html.unescape(found.group())
        elif kind == "break" or (kind == "tag" and _BREAKING_TAG.match(found.group())):
            yield 0, 0, "\n"
    yield at, end, ""


def _emphasis(text: str, start: int, end: int) -> dict[int, int]:
    """Where marks of emphasis stand that are part of a pair → how many of the run are no mark. An opener has a word
    to its right, a closer to its left; an underscore inside a word is neither (CommonMark 6.2, simplified: runs pair
    whole)."""
    found: dict[int, int] = {}
    open_: dict[str, list[tuple[int, int]]] = {}
    for mark in _TOKEN.finditer(text, start, end):
        if mark.group("mark") is None:
            continue
        run = mark.group()
        before = text[mark.start() - 1] if mark.start() > start else " "
        after = text[mark.end()] if mark.end() < end else " "
        opens, closes = not after.isspace(), not before.isspace()
        if run[0] == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        stack = open_.setdefault(run[0], [])
        if closes and stack:
            at, size = stack.pop()
            if size == len(run) or run[0] in "*_":
                shared = min(size, len(run))
                found[at], found[mark.start()] = size - shared, len(run) - shared
                continue
        if opens:
            stack.append((mark.start(), len(run)))
    return found
