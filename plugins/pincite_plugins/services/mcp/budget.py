"""An answer that fits a budget of characters: what is kept, and what is said of the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Protocol

from pincite.errors import UsageError
from pincite.text.well_formed import well_formed

DEFAULT = 6000
"""Characters of an answer where the caller sets nothing."""

LEAST, MOST = 800, 200_000

SAYING = 220
"""Characters kept free for what is said of what was left out."""


class Plain(Protocol):
    """A part of an answer."""

    def plain(self) -> dict[str, Any]:
        """As JSON data."""
        ...


def written(value: Any) -> str:
    """The JSON that is sent and counted. A lone half of a surrogate pair cannot be sent; it is written as a question mark."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return well_formed(text)


def size(part: Plain) -> int:
    """Characters of a part within a list."""
    return len(written(part.plain())) + 1


def first(parts: Sequence[Plain], room: int) -> int:
    """How many of the first `parts` fit into `room` characters."""
    for count, part in enumerate(parts):
        room -= size(part)
        if room < 0:
            return count
    return len(parts)


def clipped(text: str, room: int) -> str:
    """The beginning of a text that takes at most `room` characters when it is written, not cut within a word where that can be helped."""
    if len(written(text)) - 2 <= room:
        return text
    low, high = 0, max(0, min(len(text), room - 1))
    while low < high:
        middle = (low + high + 1) // 2
        if len(written(text[:middle])) - 1 <= room:
            low = middle
        else:
            high = middle - 1
    space = max(text.rfind(" ", 0, low + 1), text.rfind("\n", 0, low + 1))
    return text[: space if space > low - 40 and space > 0 else low].rstrip() + "…"


def check(text: str, budget: int) -> None:
    """Raises `UsageError` for an answer that cannot be made small enough."""
    if len(text) > budget:
        raise UsageError(
            f"the shortest answer has {len(text):,} characters; ask again with budget={len(text) + SAYING}"
        )
