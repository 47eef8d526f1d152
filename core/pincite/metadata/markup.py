"""HTML of notes and abstracts → plain text, whole, with paragraphs kept apart."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

_PARAGRAPHS = frozenset(
    [
        "blockquote",
        "dl",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "jats:list",
        "jats:p",
        "jats:sec",
        "jats:title",
        "ol",
        "p",
        "pre",
        "table",
        "ul",
    ]
)
_LINES = frozenset(
    (
        "address",
        "article",
        "aside",
        "body",
        "center",
        "dd",
        "div",
        "dt",
        "figcaption",
        "footer",
        "form",
        "header",
        "hr",
        "html",
        "jats:list-item",
        "li",
        "main",
        "nav",
        "section",
        "tbody",
        "tfoot",
        "thead",
        "tr",
    )
)
_HIDDEN = frozenset(("script", "style", "template", "head"))
_SPANS = r"a|abbr|b|bdi|cite|code|em|font|i|q|s|sc|scp|small|span|strike|strong|sub|sup|u"
_INLINE = re.compile(rf"</?(?:{_SPANS}|p|jats:\w+)(?:\s[^<>]*=[^<>]*)?\s*/?>", re.I)
_SPAN = re.compile(rf"</?(?:{_SPANS})(?:\s[^<>]*=[^<>]*)?\s*/?>", re.I)
_TAG = re.compile(
    rf"</[a-z][\w:.-]*\s*>|<(?:br|img|td|th|{'|'.join(sorted(_PARAGRAPHS | _LINES | _HIDDEN))})(?:\s[^<>]*=[^<>]*)?\s*/?>|<!--",
    re.I,
)
"""What plain text does not have, though it have "a<b and c>d" and "R&D"."""
_BREAK = re.compile(r"<br\s*/?>|</p>\s*<p[^<>]*>", re.I)


def html_to_text(html: str) -> str:
    """The text of an HTML fragment, whole; any string is safe. What has no tags but inline ones keeps its lines.

    Paragraphs, headings and lists are parted by an empty line, other blocks by a line end, cells by a tab; white space is
    collapsed except in ``pre``.
    """
    if "<" not in html and "&" not in html:
        return _plain(html)
    if not _TAG.search(_SPAN.sub("", html)):
        return _plain(inline_to_text(html))
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.parts).rstrip()


def inline_to_text(text: str) -> str:
    """A text with inline markup only (``<i>``, ``<sub>``, ``<span …>``, entities), as titles and annotations have it.

    A ``<`` that opens none of these stays ("p < 0.05"), and so do line ends.
    """
    if "<" in text:
        text = _INLINE.sub("", _BREAK.sub("\n", text))
    return unescape(text).replace("\xa0", " ").strip()


def strip_tags(text: str) -> str:
    """`inline_to_text` in one line."""
    return " ".join(inline_to_text(text).split())


class _Reader(HTMLParser):
    """Collects text in `parts`. `gap` line ends are owed before the next word, `blank` says that a blank is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.gap = 0
        self.blank = ""
        self.hidden = 0
        self.preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self.hidden += 1
        elif tag == "br":
            self.gap += 1
        elif tag in ("td", "th"):
            self.blank = "\t"
        self._block(tag)
        if tag == "pre":
            self.preformatted += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        self._block(tag)
        if tag == "pre":
            self.preformatted = max(0, self.preformatted - 1)

    def _block(self, tag: str) -> None:
        wanted = 2 if tag in _PARAGRAPHS else 1 if tag in _LINES else 0
        if wanted:
            self.gap = max(self.gap, wanted)

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        if self.preformatted:
            self._put(data.strip("\n") if self.gap else data)
            return
        words = data.split()
        if data[:1].isspace() or not words:
            self.blank = self.blank or " "
        if words:
            self._put(" ".join(words))
            if data[-1:].isspace():
                self.blank = " "

    def _put(self, text: str) -> None:
        if self.parts:
            self.parts.append("\n" * min(self.gap, 2) or self.blank)
        self.gap, self.blank = 0, ""
        self.parts.append(text)


def _plain(text: str) -> str:
    """A text without markup: blanks collapsed within lines, at most one empty line between them."""
    lines = (" ".join(line.split()) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
