"""Works and passages as tools show them, bounded: a title or an author list can be of any length."""

from __future__ import annotations

from typing import Any

from pincite.citing.styles import key_of
from pincite.item_text import BREAK
from pincite.search.found import Found
from pincite.text.readable import readable
from pincite.values.library import Item
from pincite.values.search import RUNNING_TEXT
from pincite_plugins.services.mcp import shapes

TITLE = 160
"""Characters of a title, a heading or a name."""

CREATORS = 3
"""Creators that are named."""

DEPTH = 4
"""Headings of a section path that are given: the innermost."""


def short(text: str, room: int = TITLE) -> str:
    """On one line, cut where it is longer than `room`."""
    line = readable(text).strip()
    return line if len(line) <= room else line[: room - 1].rstrip() + "…"


def work(item: Item) -> dict[str, Any]:
    """The fields of a `shapes.Work`."""
    names = [short(creator.name, 60) for creator in item.creators[:CREATORS]]
    if len(item.creators) > CREATORS:
        names.append(f"and {len(item.creators) - CREATORS} more")
    return {
        "item": item.id,
        "key": short(key_of(item)),
        "title": short(item.title),
        "creators": names or None,
        "year": item.year,
    }


def passage(item: Item, of: Any, link: str, text: str | None) -> shapes.Passage:
    """A passage; `of` is what knows its place: a `values.search.Chunk` or a `values.results.Passage`."""
    return shapes.Passage(
        id=of.id,
        item=item.id,
        key=short(key_of(item)),
        kind=None if str(of.kind) in RUNNING_TEXT else str(of.kind),
        section=[short(title, 80) for title in of.section[-DEPTH:]] or None,
        page_label=of.page_label,
        page=of.page,
        link=link or None,
        quoted_text=text,
    )


def found(one: Found) -> shapes.Passage:
    """A whole passage of the store."""
    paragraphs = (readable(part).strip() for part in one.text.split(BREAK))
    return passage(one.item, one.chunk, one.link, BREAK.join(filter(None, paragraphs)) or None)
