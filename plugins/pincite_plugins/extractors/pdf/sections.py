"""Sections: from the outline where the file has one, else from the headings' numbers and typography."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import pymupdf

from pincite.packs.landmarks import heading_role, numbering
from pincite.values.pack import BlockKind, Flow, Section
from pincite_plugins.extractors.pdf.model import Para

MAX_ENTRIES = 20_000
"""An outline of more entries is cut: it points at itself, or it is an index."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an outline. `page` from 1, or 0 where it points outside the file."""

    level: int
    title: str
    page: int


def outline_of(document: pymupdf.Document) -> list[Entry]:
    """The outline, circular parts and empty titles left out. Never raises: an outline is a help, no more."""
    out: list[Entry] = []
    seen: set[int] = set()

    def walk(item: pymupdf.Outline | None, level: int) -> None:
        while item is not None and len(out) < MAX_ENTRIES and level < 64:
            mark = hash((level, item.title, str(item.uri), item.page))
            key = _identity(item)
            if key in seen:
                return
            seen.add(key)
            del mark
            title = " ".join((item.title or "").split())
            if title:
                out.append(Entry(level, title, item.page + 1 if item.page is not None and item.page >= 0 else 0))
            walk(item.down, level + 1)
            item = item.next

    try:
        walk(document.outline, 1)
    except Exception:
        return out
    return out


def _identity(item: pymupdf.Outline) -> int:
    return int(item.this.m_internal_value())


def make_sections(paras: list[Para], outline: list[Entry]) -> list[Section]:
    """Sets `section` of every paragraph and gives the sections."""
    matched = _match(paras, outline)
    headings = [para for para in paras if para.kind is BlockKind.HEADING and para.flow is Flow.BODY]
    levels = _levels(headings, matched)
    sections: list[Section] = []
    stack: list[tuple[int, int]] = []
    here = -1
    for para in paras:
        if id(para) in levels:
            level = levels[id(para)]
            while stack and stack[-1][0] >= level:
                stack.pop()
            parent = stack[-1][1] if stack else -1
            sections.append(Section(" ".join(para.text.split()), level, parent))
            here = len(sections) - 1
            stack.append((level, here))
        para.section = here
    return sections


def _match(paras: list[Para], outline: list[Entry]) -> dict[int, Entry]:
    """Outline entries found on their page: id of the paragraph → entry. What is found becomes a heading."""
    by_page: dict[int, list[Para]] = {}
    for para in paras:
        if para.flow is Flow.BODY and len(para.rows) <= 6:
            by_page.setdefault(para.page, []).append(para)
    out: dict[int, Entry] = {}
    for entry in outline:
        wanted = _bare(entry.title)
        if len(wanted) < 2:
            continue
        for para in by_page.get(entry.page, ()):
            if id(para) in out:
                continue
            text = _bare(para.text)
            if text == wanted or (text.endswith(wanted) and len(text) - len(wanted) <= 6):
                para.kind = BlockKind.HEADING
                out[id(para)] = entry
                break
    return out


def _bare(text: str) -> str:
    """Letters and digits alone, numbering left off."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = re.sub(r"^\s*(?:(?:chapter|section|appendix)\s+)?(?:[\divxlc]+[.)]?(?:\d+[.)]?)*|[a-z][.)])\s+", "", folded)
    return "".join(char for char in folded if char.isalnum())


def _levels(headings: list[Para], matched: dict[int, Entry]) -> dict[int, int]:
    """The level of each heading: the outline's, else by numbers, else by the rank of its size among the headings."""
    ranks: dict[tuple[float, bool], int] = {}
    looks = {(round(h.style.size * 2) / 2, _upper(h)) for h in headings if not h.role}
    for rank, look in enumerate(sorted(looks, key=lambda look: (-look[0], not look[1])), 1):
        ranks[look] = min(rank, 4)
    least = min((entry.level for entry in matched.values()), default=1)
    out: dict[int, int] = {}
    for heading in headings:
        if heading.role:
            continue
        text = " ".join(heading.text.split())
        numbers = numbering(text)
        if id(heading) in matched:
            level = matched[id(heading)].level
        elif numbers:
            level = len(numbers)
        elif heading_role(text):
            level = 1
        else:
            level = ranks[round(heading.style.size * 2) / 2, _upper(heading)]
            if any(numbering(h.text) for h in headings):
                level = max(level, 2) if heading.style.size <= headings[0].style.size else level
        out[id(heading)] = max(level, least)
    return out


def _upper(para: Para) -> bool:
    text = para.text
    return text.upper() == text
