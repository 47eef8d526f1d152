"""Where a quotation stands, as JSON (specs/30-locating.md)."""

from __future__ import annotations

from typing import Any

from pincite.search.as_json import item_json
from pincite.values.located import Located, QuotePlace

SCHEMA = 1


def located_json(located: Located) -> dict[str, Any]:
    """The whole answer as plain data."""
    return {
        "schema": SCHEMA,
        "quote": located.quote,
        "outcome": str(located.outcome),
        "total": located.total,
        "places": [place_json(place) for place in located.places],
        "nearest": None if located.nearest is None else place_json(located.nearest),
    }


def place_json(place: QuotePlace) -> dict[str, Any]:
    """One place."""
    return {
        "item": item_json(place.item),
        "kind": place.kind,
        "child": place.child or None,
        "passage": place.passage or None,
        "share": round(place.share, 4),
        "text": place.text,
        "spans": [list(span) for span in place.spans],
        "section": list(place.section),
        "page": place.page,
        "page_label": place.page_label,
        "anchor": place.anchor,
        "link": place.link,
    }
