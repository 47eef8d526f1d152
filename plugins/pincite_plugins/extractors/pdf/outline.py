"""The outline of a file, and where on its pages the headings that it names stand."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

import pymupdf

from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.pdf.model import Para, Turn

MAX_ENTRIES = 20_000
"""An outline of more entries is cut: it points at itself, or it is an index."""
_MAX_DEPTH = 64
_ALIKE = 0.5
"""A printed heading shares so many of its words with the outline's ("Chapter 1: Winds", "CHAPTER ONE: Winds")."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an outline. `page` from 1, or 0 where it points outside the file; `x`, `y`: where on the page in
    points, or None."""

    level: int
    title: str
    page: int
    x: float | None = None
    y: float | None = None


def outline_of(document: pymupdf.Document) -> list[Entry]:
    """The outline, circular parts and empty titles left out. Never raises: an outline is a help, no more."""
    out: list[Entry] = []
    seen: set[int] = set()

    def walk(item: pymupdf.Outline | None, level: int) -> None:
        while item is not None and len(out) < MAX_ENTRIES and level < _MAX_DEPTH:
            identity = int(item.this.m_internal_value())
            if identity in seen:
                return
            seen.add(identity)
            title = " ".join((item.title or "").split())
            if title:
                page = item.page + 1 if isinstance(item.page, int) and item.page >= 0 else 0
                out.append(Entry(level, title, page, _finite(item.x), _finite(item.y)))
            walk(item.down, level + 1)
            item = item.next

    try:
        walk(document.outline, 1)
    except Exception:
        return out
    return out


def _finite(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def match_outline(paras: list[Para], outline: list[Entry]) -> list[Para]:
    """Finds the entries on their pages. A paragraph that is one becomes a heading with the entry's level; one whose first
    lines are one is parted; one that stands where an entry points opens its section (`opens`). Gives all paragraphs."""
    by_page: dict[int, list[Para]] = {}
    for para in paras:
        if para.flow is not Flow.EXCLUDED:
            by_page.setdefault(para.page, []).append(para)
    parted: dict[int, Para] = {}
    for entry in outline:
        here = [para for para in by_page.get(entry.page, ()) if not para.level]
        wanted = bare(entry.title)
        if len(wanted) < 2:
            continue
        found = next((p for p in here if _is(p, wanted)), None) or next(
            (p for p in here if _like(p, entry.title)), None
        )
        if found is not None:
            found.kind, found.flow, found.level = BlockKind.HEADING, Flow.BODY, entry.level
        elif not any(_part(p, wanted, entry.level, parted) for p in here):
            _open(here, entry)
    return [piece for para in paras for piece in (para, parted.get(id(para))) if piece is not None]


def _is(para: Para, wanted: str) -> bool:
    if len(para.rows) > 6:
        return False
    text = bare(para.text)
    return text == wanted or (text.endswith(wanted) and len(text) - len(wanted) <= 6)


def _like(para: Para, title: str) -> bool:
    if len(para.rows) > 3 or len(para.text) > 2 * len(title) + 20:
        return False
    ours, theirs = _words(para.text), _words(title)
    return bool(theirs) and len(ours & theirs) > _ALIKE * len(ours | theirs)


def _part(para: Para, wanted: str, level: int, parted: dict[int, Para]) -> bool:
    """Parts a paragraph whose first lines are the heading."""
    for count in range(1, min(4, len(para.rows))):
        if bare(Para(para.rows[:count]).text) == wanted:
            parted[id(para)] = Para(para.rows[count:], para.kind, para.flow)
            para.rows = para.rows[:count]
            para.kind, para.flow, para.level = BlockKind.HEADING, Flow.BODY, level
            return True
    return False


def _open(paras: list[Para], entry: Entry) -> None:
    """A heading that runs on into its paragraph, or is a picture: the section opens where the entry points."""
    body = [para for para in paras if para.flow is Flow.BODY and para.opens is None]
    named = next(
        (para for para in body if bare(para.text[: 2 * len(entry.title) + 12]).startswith(bare(entry.title))), None
    )
    if named is None and entry.x is not None and entry.y is not None:
        x, y = entry.x, entry.y
        near = (p for p in body if p.rows[0].turn is Turn.RIGHT and abs(p.box[0] - x) < 60 and -20 < p.box[1] - y < 60)
        named = next(near, None)
    if named is not None:
        named.opens = (entry.level, entry.title)


_COUNTING = re.compile(
    r"\d+|[ivxlc]+|[a-z]|chapter|section|part|appendix|kapitel|teil|chapitre|capítulo"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
)


def _words(text: str) -> set[str]:
    """The words of a heading, its numbering aside."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    return {word for word in words if not _COUNTING.fullmatch(word)}


def bare(text: str) -> str:
    """Letters and digits alone, numbering left off."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = re.sub(
        r"^\s*(?:(?:chapter|section|appendix)\s+)?(?:[\divxlc]+[.)]?(?:\d+[.)]?)*|[ivx]+-[a-z]|[a-z][.)])\s+",
        "",
        folded,
    )
    return "".join(char for char in folded if char.isalnum())
