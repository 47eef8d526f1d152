"""What is said of a work or a place in one line; no terminal is needed for it."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.text.readable import readable
from pincite.values.library import Item
from pincite.values.search import RUNNING_TEXT

LONGEST_SECTION = 100


def place(page_label: str | None, page: int | None, section: Sequence[str], kind: str = "") -> str:
    """The page, the section, and what is no running text: "p. 12 · Methods › Sampling · table"."""
    parts = []
    label = page_label or (str(page) if page else "")
    if label:
        parts.append(f"p. {label}")
    path = " › ".join(one_line(title) for title in section)
    if path:
        parts.append(path if len(path) <= LONGEST_SECTION else "…" + path[1 - LONGEST_SECTION :])
    return " · ".join([*parts, kind] if kind not in RUNNING_TEXT else parts)


def byline(item: Item) -> str:
    """Creators, year and venue in one line."""
    names = [creator.family for creator in item.creators if creator.role in ("author", "editor")] or [
        creator.family for creator in item.creators
    ]
    shown = ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")
    parts = (shown, str(item.year) if item.year else item.date, item.venue)
    return " · ".join(part for part in map(one_line, parts) if part)


def counted(number: int, noun: str) -> str:
    """ "1 work", "1,200 works"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def heading(item: Item) -> str:
    """A work's title in one line; a file without one goes by its id, which is its name."""
    return one_line(item.title) or one_line(item.id)


def one_line(text: str) -> str:
    """A text as it is read, on one line."""
    return readable(text).strip()
