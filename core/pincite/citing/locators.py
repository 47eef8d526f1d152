"""Locators as people type them ("smith 2020 p. 12"). specs/24-citing.md."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of locator: its CSL name, what it is called in full, and its short form ("" where there is none)."""

    name: str
    full: str
    short: str = ""


KINDS = (
    Kind("act", "act"),
    Kind("appendix", "appendix", "app."),
    Kind("article-locator", "article", "art."),
    Kind("book", "book", "bk."),
    Kind("canon", "canon", "can."),
    Kind("chapter", "chapter", "chap."),
    Kind("column", "column", "col."),
    Kind("elocation", "location", "loc."),
    Kind("equation", "equation", "eq."),
    Kind("figure", "figure", "fig."),
    Kind("folio", "folio", "fol."),
    Kind("issue", "issue", "no."),
    Kind("line", "line", "l."),
    Kind("note", "note", "n."),
    Kind("opus", "opus", "op."),
    Kind("page", "page", "p."),
    Kind("paragraph", "paragraph", "para."),
    Kind("part", "part", "pt."),
    Kind("rule", "rule", "r."),
    Kind("scene", "scene", "sc."),
    Kind("section", "section", "sec."),
    Kind("sub-verbo", "sub verbo", "s.v."),
    Kind("table", "table", "tbl."),
    Kind("timestamp", "timestamp"),
    Kind("title-locator", "title", "tit."),
    Kind("verse", "verse", "v."),
    Kind("volume", "volume", "vol."),
)
"""The locator types of CSL 1.0.2 (https://docs.citationstyles.org/en/stable/specification.html#locators)."""

_PLURALS = {"pp.": "page", "ll.": "line", "vols.": "volume", "figs.": "figure", "pages": "page"}


@dataclass(frozen=True, slots=True)
class Locator:
    """`label`: a CSL locator type. `value` without its quotes. It was read from `start` on. `alone`: whether there was nothing
    else."""

    label: str
    value: str
    start: int
    alone: bool


def _labels() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in KINDS:
        for text in (kind.full, kind.short, kind.short.replace(".", "")):
            if text:
                found.setdefault(text, kind.name)
    for text, name in _PLURALS.items():
        found.setdefault(text, name)
        found.setdefault(text.rstrip("."), name)
    return found


_LABELS = _labels()
_ANY = "|".join(re.escape(label) for label in sorted(_LABELS, key=len, reverse=True))
_NUMBERS = r"\d+(?:\s*[,:\-\u2013]\s*\d+|\s+\d+)*"
_QUOTED = r"\"[^\"]+\"|'[^']+'|“[^”]+”|‘[^’]+’"
_LABELLED = re.compile(rf"(?:(?<=\s)|^)(?P<label>{_ANY})\s*(?P<value>{_NUMBERS}|{_QUOTED})\s*$", re.IGNORECASE)
_COLON = re.compile(rf":\s*(?P<value>{_NUMBERS})\s*$")
_BARE = re.compile(rf"(?:(?<=\s)|^)(?P<value>{_NUMBERS})\s*$")


def read_locator(text: str, *, chosen: bool = False) -> Locator | None:
    """The locator at the end of `text`, or None. `chosen`: a work was just picked, so that bare numbers are a page."""
    match, label = _LABELLED.search(text), ""
    if match:
        label = _LABELS[match["label"].lower()]
    elif (match := _COLON.search(text)) or (chosen and (match := _BARE.search(text))):
        label = "page"
    if not match:
        return None
    value = match["value"]
    if value[0] in "\"'“‘":
        value = value[1:-1]
    start = match.start()
    return Locator(label, value.strip(), start, not text[:start].strip())
