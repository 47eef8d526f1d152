"""Sections: from the outline where the file has one, else from the headings' numbers and typography."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
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
            key = _identity(item)
            if key in seen:
                return
            seen.add(key)
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


def match_outline(paras: list[Para], outline: list[Entry]) -> None:
    """Finds the entries of the outline on their pages: what is found becomes a heading with the entry's level."""
    by_page: dict[int, list[Para]] = {}
    for para in paras:
        if para.flow is Flow.BODY and len(para.rows) <= 6:
            by_page.setdefault(para.page, []).append(para)
    for entry in outline:
        wanted = _bare(entry.title)
        if len(wanted) < 2:
            continue
        for para in by_page.get(entry.page, ()):
            text = _bare(para.text)
            if not para.level and (text == wanted or (text.endswith(wanted) and len(text) - len(wanted) <= 6)):
                para.kind, para.level = BlockKind.HEADING, entry.level
                break


def make_sections(paras: list[Para]) -> list[Section]:
    """Sets `section` of every paragraph and gives the sections."""
    levels = _levels([para for para in paras if para.kind is BlockKind.HEADING and para.flow is Flow.BODY])
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


def _bare(text: str) -> str:
    """Letters and digits alone, numbering left off."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = re.sub(r"^\s*(?:(?:chapter|section|appendix)\s+)?(?:[\divxlc]+[.)]?(?:\d+[.)]?)*|[a-z][.)])\s+", "", folded)
    return "".join(char for char in folded if char.isalnum())


_Look = tuple[float, bool, bool]
"""Size to half a point, bold, capitals."""


def _levels(headings: list[Para]) -> dict[int, int]:
    """The level of each heading: the outline's, else by its numbers or its name, else that of headings that look alike,
    else one below those that are larger."""
    least = min((heading.level for heading in headings if heading.level and not heading.role), default=1)
    out: dict[int, int] = {}
    looks: dict[_Look, Counter[int]] = {}
    rest: list[Para] = []
    for heading in headings:
        text = " ".join(heading.text.split())
        numbers = numbering(text)
        if heading.role:
            continue
        if heading.level:
            level = heading.level
        elif numbers or heading_role(text):
            level = max(len(numbers), 1) + least - 1
        else:
            rest.append(heading)
            continue
        out[id(heading)] = level
        looks.setdefault(_look(heading), Counter())[level] += 1
    known = {look: counts.most_common(1)[0][0] for look, counts in looks.items()}
    for heading in sorted(rest, key=lambda h: -h.style.size):
        look = _look(heading)
        if look not in known:
            larger = [level for (size, _, _), level in known.items() if size >= look[0]]
            known[look] = min(max(larger) + 1, least + 3) if larger else least
        out[id(heading)] = known[look]
    return out


def _look(heading: Para) -> _Look:
    style = heading.style
    return (round(style.size * 2) / 2, style.mostly(style.bold), _upper(heading))


def _upper(para: Para) -> bool:
    text = para.text
    return text.upper() == text
