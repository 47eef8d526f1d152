"""A page's glyphs → a sheet: its rows by the direction they run in, and what they are worth."""

from __future__ import annotations

import pymupdf

from pincite.packs.health import health_of
from pincite.values.pack import Health
from pincite_plugins.extractors.pdf.glyphs import Glyphs
from pincite_plugins.extractors.pdf.model import Sheet, Turn, around


def sheet_of(page: pymupdf.Page, number: int, label: str | None, glyphs: Glyphs) -> Sheet:
    """The sheet of a page."""
    by_turn = glyphs.turns
    turn = max(by_turn, key=lambda t: sum(row.style.characters for row in by_turn[t]), default=Turn.RIGHT)
    rows = by_turn.pop(turn, [])
    text = "\n".join(row.text for group in [rows, *by_turn.values()] for row in group)
    health, reason = health_of(text, glyphs.lost)
    if health is Health.NONE and page.get_images():
        reason = f"{reason}: a picture of a page"
    frame = around(row.box for row in rows)
    aside = list(by_turn.items())
    return Sheet(
        number, label, page.rect.width, page.rect.height, frame, turn, rows, aside, glyphs.aslant, health, reason
    )
