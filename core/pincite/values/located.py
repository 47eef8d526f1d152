"""Where a quotation stands in a library (specs/30-locating.md)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pincite.values.library import Item
from pincite.values.quick import dataclass


class Outcome(StrEnum):
    """What became of a quotation."""

    FOUND = "found"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """One place of a quotation.

    `kind`: "file" (or a text that the library holds in its place), "note", "annotation" or "abstract"; `child` is the id of that
    attachment, note or annotation, "" for an abstract. `spans` are [start, end) of its text (`Pack.text` for a file), rising: one,
    unless other text stands between (a footnote, the other column, what an ellipsis left out). `text` is what stands there, the spans
    parted by " … ". `share` (0 to 1) of the quotation's letters stand there. `page` counts from 1; `anchor`: specs/05-anchors.md;
    `passage` is the id of the passage that holds its beginning, or "".
    """

    item: Item
    kind: str
    child: str
    spans: tuple[tuple[int, int], ...]
    text: str
    share: float
    section: tuple[str, ...]
    page: int | None
    page_label: str | None
    anchor: dict[str, Any]
    passage: str
    link: str


@dataclass(frozen=True, slots=True)
class Located:
    """Every place of a quotation: one where it is found, several where it is ambiguous. `nearest` is set where it is not found and
    something of the library comes near. `total` counts all places, of which `places` holds the first."""

    quote: str
    outcome: Outcome
    places: tuple[QuotePlace, ...] = ()
    nearest: QuotePlace | None = None
    total: int = 0
