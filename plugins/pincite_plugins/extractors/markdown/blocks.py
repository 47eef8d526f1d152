"""Markdown source → blocks, each with the ranges of the file that hold its content (prefixes taken off)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.values.pack import BlockKind

Range = tuple[int, int]

DEEPEST = 24
"""Quotes and lists inside each other; what lies deeper is read as plain text."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ATX = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]+|$)(.*?)(?:[ \t]+#+)?[ \t]*(?:\{[^{}]*\}[ \t]*)?$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_BREAK = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
_QUOTE = re.compile(r" {0,3}>[ \t]?")
_ITEM = re.compile(r"([ \t]*)((?:[-*+]|\(?\d{1,9}[.)]|\(?[a-z][.)])(?:[ \t]+|$))(?:\[[ xX]\][ \t]+)?")
_NOTE = re.compile(r" {0,3}\[\^([^\]\s]+)\]:[ \t]*")
_DEFINITION = re.compile(r" {0,3}\[[^\]\n]+\]:[ \t]*\S+(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?[ \t]*$")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CALLOUT = re.compile(r"\[![\w-]+\][+-]?[ \t]*")
_DIV = re.compile(r" {0,3}:{3,}.*$")
_RAW = re.compile(r" {0,3}<(script|style|pre|template)\b", re.IGNORECASE)
_IMAGE_ALONE = re.compile(r"[ \t]*!\[(?!\[)[\s\S]*\]\s*\([^)]*\)(?:\{[^{}]*\})?[ \t]*$")
_CAPTION = re.compile(r"[ \t]*(?:Table|Figure|Fig\.|Tabelle|Abbildung|Abb\.|Tableau|Tabla|Figura):[ \t]+\S")


@dataclass(slots=True)
class Found:
    """A block: the ranges of its lines (for a table: of each row's cells, in `rows`). `level` of a heading, else 0."""

    kind: BlockKind
    lines: list[Range] = field(default_factory=list)
    level: int = 0
    rows: list[list[Range]] = field(default_factory=list)


def lines_of(source: str, start: int = 0, stop: int | None = None) -> list[Range]:
    """The lines [start, end) of a source or a part of it, without their ends."""
    out: list[Range] = []
    at = start
    stop = len(source) if stop is None else stop
    while at < stop:
        found = _LINE.match(source, at, stop)
        assert found is not None
        out.append((at, at + len(found.group().rstrip("\r\n"))))
        at = found.end()
    return out


class Parser:
    """Reads one source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[Found] = []

    def parse(self, lines: Sequence[Range], kind: BlockKind = BlockKind.PARAGRAPH, depth: int = 0) -> None:
        """Adds the blocks of lines; their paragraphs become blocks of `kind`."""
        at = 0
        paragraph: list[Range] = []
        while at < len(lines):
            line = self._at(lines[at])
            if paragraph and (under := _SETEXT.match(line)) and kind is BlockKind.PARAGRAPH:
                self.found.append(Found(BlockKind.HEADING, paragraph, 1 if under[1][0] == "=" else 2))
                paragraph = []
                at += 1
                continue
            taken = 0 if depth > DEEPEST else self._special(lines, at, kind, depth, bool(paragraph))
            if taken or not line.strip():
                self._close(paragraph, kind, taken)
                paragraph = []
                at += max(taken, 1)
                continue
            paragraph.append(lines[at])
            at += 1
        self._close(paragraph, kind, 0)

    def _at(self, line: Range) -> str:
        return self.source[line[0] : line[1]]

    def _close(self, paragraph: list[Range], kind: BlockKind, later: int) -> None:
        """Adds a paragraph; before what `_special` has added meanwhile, if that ended it."""
        if not paragraph:
            return
        text = "\n".join(map(self._at, paragraph))
        own = BlockKind.CAPTION if _IMAGE_ALONE.match(text) or _CAPTION.match(text) else kind
        block = Found(own, paragraph)
        if later and self._mark is not None:
            self.found.insert(self._mark, block)
        else:
            self.found.append(block)

    _mark: int | None = None

    def _special(self, lines: Sequence[Range], at: int, kind: BlockKind, depth: int, inside: bool) -> int:
        """Reads what begins at a line and is no paragraph; returns how many lines it took. `inside`: a paragraph is
        open."""
        self._mark = len(self.found)
        line = self._at(lines[at])
        if found := _ATX.match(line):
            start = lines[at][0] + found.start(2)
            heading = Found(BlockKind.HEADING, [(start, start + len(found[2]))], len(found[1]))
            self.found.append(heading)
            return 1
        if found := _FENCE.match(line):
            return self._fence(lines, at, found[1])
        if line.strip().startswith("$$"):
            return self._display(lines, at)
        if line.lstrip().startswith("<!--"):
            return self._until(lines, at, "-->")
        if _BREAK.match(line) or _DIV.match(line):
            return 1
        if _QUOTE.match(line):
            return self._quote(lines, at, depth)
        if found := _NOTE.match(line):
            return self._note(lines, at, found.end(), depth)
        if (found := _ITEM.match(line)) and self._item_begins(line, found, inside):
            return self._item(lines, at, found, kind, depth)
        if found := _RAW.match(line):
            return self._raw(lines, at, found[1].lower())
        if "|" in line and at + 1 < len(lines) and self._is_table(lines, at):
            return self._table(lines, at)
        if not inside and _DEFINITION.match(line):
            return 1
        if not inside and line.strip() and len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()) >= 4:
            return self._indented(lines, at)
        return 0

    @staticmethod
    def _item_begins(line: str, found: re.Match[str], inside: bool) -> bool:
        """Whether a marker opens an item; inside a paragraph only a bullet or the number 1 does, and never an empty
        one."""
        if len(found[1].expandtabs(4)) >= 4 and not inside:
            return False
        if not inside:
            return True
        marker = found[2].strip()
        return bool(line[found.end() :].strip()) and (marker in "-*+" or marker in ("1.", "1)"))

    def _fence(self, lines: Sequence[Range], at: int, fence: str) -> int:
        close = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$")
        end = at + 1
        while end < len(lines) and not close.match(self._at(lines[end])):
            end += 1
        self.found.append(Found(BlockKind.PREFORMATTED, list(lines[at + 1 : end])))
        return end - at + 1

    def _display(self, lines: Sequence[Range], at: int) -> int:
        """A formula set off by $$, on one line or several."""
        first = self._at(lines[at])
        lead = first.index("$$") + 2
        lead += len(first[lead:]) - len(first[lead:].lstrip())
        if "$$" in first[lead:]:
            if first[first.index("$$", lead) + 2 :].strip():
                return 0  # text goes on after it: an ordinary paragraph
            self.found.append(Found(BlockKind.MATH, [(lines[at][0] + lead, lines[at][0] + first.index("$$", lead))]))
            return 1
        end = at + 1
        while end < len(lines) and "$$" not in self._at(lines[end]):
            if not self._at(lines[end]).strip():
                return 0
            end += 1
        if end == len(lines):
            return 0
        last = lines[end][0] + self._at(lines[end]).index("$$")
        ranges = [(lines[at][0] + lead, lines[at][1]), *lines[at + 1 : end], (lines[end][0], last)]
        self.found.append(Found(BlockKind.MATH, ranges))
        return end - at + 1

    def _until(self, lines: Sequence[Range], at: int, mark: str) -> int:
        """Lines up to the one that ends in a mark; 0 where other text stands behind it."""
        end = at
        while end < len(lines) and mark not in self._at(lines[end]):
            end += 1
        if end == len(lines):
            return len(lines) - at
        return 0 if self._at(lines[end]).partition(mark)[2].strip() else end - at + 1

    def _raw(self, lines: Sequence[Range], at: int, tag: str) -> int:
        end = at
        while end < len(lines) - 1 and f"</{tag}" not in self._at(lines[end]).lower():
            end += 1
        if tag == "pre":
            self.found.append(Found(BlockKind.PARAGRAPH, list(lines[at : end + 1])))
        return end - at + 1

    def _quote(self, lines: Sequence[Range], at: int, depth: int) -> int:
        inner: list[Range] = []
        end = at
        while end < len(lines):
            line = self._at(lines[end])
            prefix = _QUOTE.match(line)
            if prefix is None and (not line.strip() or not inner or inner[-1][0] == inner[-1][1] or self._breaks(line)):
                break
            inner.append((lines[end][0] + (prefix.end() if prefix else 0), lines[end][1]))
            end += 1
        callout = _CALLOUT.match(self._at(inner[0]))
        if callout:
            inner[0] = (inner[0][0] + callout.end(), inner[0][1])
        self.parse(inner, BlockKind.BLOCKQUOTE, depth + 1)
        return end - at

    @staticmethod
    def _breaks(line: str) -> bool:
        """Whether a line cannot go on with a paragraph above it."""
        return bool(_ATX.match(line) or _FENCE.match(line) or _BREAK.match(line) or _ITEM.match(line))

    def _note(self, lines: Sequence[Range], at: int, prefix: int, depth: int) -> int:
        inner = [(lines[at][0] + prefix, lines[at][1])]
        end = at + 1 + self._hanging(lines, at + 1, 2, inner)
        self.parse(inner, BlockKind.NOTE, depth + 1)
        return end - at

    def _item(self, lines: Sequence[Range], at: int, found: re.Match[str], kind: BlockKind, depth: int) -> int:
        indent = len((found[1] + found[2].rstrip() + " ").expandtabs(4))
        inner = [(lines[at][0] + found.end(), lines[at][1])]
        end = at + 1 + self._hanging(lines, at + 1, min(indent, len(found[1].expandtabs(4)) + 2), inner)
        self.parse(inner, BlockKind.LIST if kind is not BlockKind.NOTE else kind, depth + 1)
        return end - at

    def _hanging(self, lines: Sequence[Range], at: int, indent: int, inner: list[Range]) -> int:
        """Adds the lines that belong to an item or note above them; returns how many."""
        taken = 0
        blank = 0
        while at + taken < len(lines):
            start, stop = lines[at + taken]
            line = self.source[start:stop]
            if not line.strip():
                blank += 1
                taken += 1
                continue
            own = len(line) - len(line.lstrip(" \t"))
            width = len(line[:own].expandtabs(4))
            if width >= indent:
                cut, column = 0, 0
                while cut < own and column < indent:
                    column += 4 - column % 4 if line[cut] == "\t" else 1
                    cut += 1
                inner.extend([(start, start)] * blank)
                inner.append((start + cut, stop))
            elif blank or self._breaks(line) or _QUOTE.match(line) or _NOTE.match(line):
                return taken - blank
            else:
                inner.append((start + own, stop))
            blank = 0
            taken += 1
        return taken - blank

    def _is_table(self, lines: Sequence[Range], at: int) -> bool:
        rule = self._at(lines[at + 1])
        return "-" in rule and "|" in rule and bool(_DELIMITERS.match(rule))

    def _table(self, lines: Sequence[Range], at: int) -> int:
        table = Found(BlockKind.TABLE)
        end = at
        while end < len(lines) and "|" in self._at(lines[end]):
            if end != at + 1:
                table.rows.append(self._cells(lines[end]))
            end += 1
        self.found.append(table)
        return end - at

    def _cells(self, line: Range) -> list[Range]:
        """The cells of a row; a bar after a backslash or inside code is text."""
        text = self._at(line)
        bars = [match.start() for match in re.finditer(r"`[^`]*`|\\.|(\|)", text) if match[1]]
        edges = [-1, *bars, len(text)]
        cells = [(line[0] + a + 1, line[0] + b) for a, b in pairwise(edges)]
        return [cell for at, cell in enumerate(cells) if self._at(cell).strip() or 0 < at < len(cells) - 1]

    def _indented(self, lines: Sequence[Range], at: int) -> int:
        end = at
        while end < len(lines):
            line = self._at(lines[end])
            if line.strip() and not line.expandtabs(4).startswith("    "):
                break
            end += 1
        while not self._at(lines[end - 1]).strip():
            end -= 1
        self.found.append(Found(BlockKind.PREFORMATTED, list(lines[at:end])))
        return end - at
