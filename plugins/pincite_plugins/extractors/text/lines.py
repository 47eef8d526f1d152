"""A text as lines with their places, and which of them are running heads, feet and page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LINE = re.compile(r"[^\r\n\f\u0085\u2028\u2029]*(?:\r\n|[\r\n\f\u0085\u2028\u2029]|\Z)")


@dataclass(frozen=True, slots=True)
class Line:
    """The words of a line stand at [start, end) of the text, `indent` columns in. `page` counts from 1, None where
    the text has no form feeds. A blank line has start = end."""

    start: int
    end: int
    indent: int
    page: int | None

    @property
    def blank(self) -> bool:
        """Whether there is nothing on it."""
        return self.start == self.end


def split_lines(text: str) -> list[Line]:
    """All lines. A form feed ends a page; one at the very end of the text begins none."""
    paged = "\f" in text.rstrip("\f\r\n \t")
    page = 1 if paged else None
    lines: list[Line] = []
    at = 0
    while at < len(text):
        found = _LINE.match(text, at)
        assert found is not None
        raw = found.group()
        words = raw.strip()
        lead = raw[: len(raw) - len(raw.lstrip())] if words else ""
        start = at + len(lead)
        lines.append(Line(start, start + len(words), len(lead.expandtabs(8)), page))
        if page is not None and raw.endswith("\f") and text[found.end() :].strip():
            page += 1
        at = found.end()
    return lines


_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b")
_PAGE_NUMBER = re.compile(
    r"^\W*(?:page|seite|p\.|s\.)?\W*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of|von)\s*\d{1,4})?\W*$", re.IGNORECASE
)


def page_furniture(text: str, lines: Sequence[Line]) -> list[int]:
    """Indexes of running heads and feet and of page numbers: the first or last two lines of a page that, digits aside,
    recur on at least three pages and a third of them, or that are a page number. None where there are no pages."""
    pages = list(_pages(lines))
    if len(pages) < 3:
        return []
    edges = [(side, part) for page in pages for side, part in (("top", page[:2]), ("foot", page[-2:][::-1]))]
    keys = {(side, at): _key(side, text[lines[at].start : lines[at].end]) for side, part in edges for at in part}
    seen = Counter(keys.values())
    least = max(3, len(pages) / 3)
    out: set[int] = set()
    for side, part in edges:
        for at in part:
            words = text[lines[at].start : lines[at].end]
            if len(words) > 120 or not (seen[keys[side, at]] >= least or _PAGE_NUMBER.match(words)):
                break  # what stands further in is text
            out.add(at)
    return sorted(out)


def _key(side: str, words: str) -> tuple[str, str]:
    return side, _DIGITS.sub("#", words.lower())


def _pages(lines: Sequence[Line]) -> Iterator[list[int]]:
    """The lines of each page that hold something."""
    page: list[int] = []
    for at, line in enumerate(lines):
        if page and lines[page[0]].page != line.page:
            yield page
            page = []
        if not line.blank and line.page is not None:
            page.append(at)
    if page:
        yield page
