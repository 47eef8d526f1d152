"""HTML of notes and abstracts → plain text, whole, with paragraphs kept apart."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

_PARAGRAPHS = frozenset(
    ("blockquote", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul")
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
_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|cite|code|em|font|i|jats:\w+|p|q|s|sc|scp|small|span|strike|strong|sub|sup|u)(?:\s[^<>]*)?/?>",
    re.I,
)
_BREAK = re.compile(r"<br\s*/?>|</p>\s*<p[^<>]*>", re.I)


def html_to_text(html: str) -> str:
    """The text of an HTML fragment, whole; any string is safe.

    Paragraphs, headings and lists are parted by an empty line, other blocks by a line end, cells by a tab; white
    space is collapsed except in ``pre``.
    """
    if "<" not in html and "&" not in html:
        return _tidy(html)
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return _tidy("".join(reader.parts))


def inline_to_text(text: str) -> str:
    """A text with inline markup only (``<i>``, ``<sub>``, ``<span …>``, entities), as titles and annotations have it.

    A ``<`` that opens none of these stays ("p < 0.05"), and so do line ends.
    """
    text = _BREAK.sub("\n", text)
    return unescape(_INLINE.sub("", text)).replace("\xa0", " ").strip()


def strip_tags(text: str) -> str:
    """`inline_to_text` in one line."""
    return " ".join(inline_to_text(text).split())


class _Reader(HTMLParser):
    """Collects text; a block leaves a line end on both sides and a paragraph an empty line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0
        self.preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self.hidden += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append("\t")
        elif tag in _PARAGRAPHS:
            self.parts.append("\n\n")
        elif tag in _LINES:
            self.parts.append("\n")
        if tag == "pre":
            self.preformatted += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        elif tag in _PARAGRAPHS:
            self.parts.append("\n\n")
        elif tag in _LINES:
            self.parts.append("\n")
        if tag == "pre":
            self.preformatted = max(0, self.preformatted - 1)

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        self.parts.append(data if self.preformatted else re.sub(r"[ \t\r\n\f]+", " ", data))


def _tidy(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", text) if "\n " not in text else _trim_lines(text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    return text.strip()


def _trim_lines(text: str) -> str:
    # the indentation of code is kept, a lone leading blank (left by collapsed white space) is not
    return "\n".join(
        line.rstrip()[1:] if line[:1] == " " and line[1:2] != " " else line.rstrip() for line in text.split("\n")
    )
