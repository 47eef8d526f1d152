"""Garbled pages and pictures of pages, read by OCR."""

from __future__ import annotations

import time
from collections import Counter

import pymupdf

from pincite.values.pack import Health
from pincite_plugins.extractors.pdf.glyphs import FLAGS, Glyphs, glyphs_of
from pincite_plugins.extractors.pdf.model import Sheet
from pincite_plugins.extractors.pdf.ocr import Reader
from pincite_plugins.extractors.pdf.sheets import sheet_of

TURNS = (0, 90, 270, 180)
"""Quarter turns that are tried, the likeliest first."""

LONG = 4
WORDS = 0.5
"""Share of a page's letters that stand in words of `LONG` letters, at least: English prose has 0.8."""

SAME = 0.2
"""Share by which the sizes of lines of one paragraph come out apart."""


def read_pictures(document: pymupdf.Document, sheets: list[Sheet], reader: Reader, seconds: float) -> int:
    """Reads each page that has no text worth reading, in place; gives how many became readable. A page's reason says that it was read so,
    or why it was not. After `seconds` the rest is left as it is."""
    ends = time.monotonic() + seconds
    read = 0
    for at, sheet in enumerate(sheets):
        if sheet.health not in (Health.GARBLED, Health.NONE):
            continue
        if time.monotonic() > ends:
            sheet.reason = f"{sheet.reason}; not read by OCR: {seconds:g} s were over (extractor.pdf ocr_seconds)"
            continue
        try:
            page = document[sheet.number - 1]
            if not _has_ink(page):
                continue
            better = _read(page, sheet, reader, ends)
        except MemoryError:
            raise
        except Exception as error:
            sheet.reason = f"{sheet.reason}; OCR failed: {' '.join(str(error).split())[:120]}"
            continue
        if better is None:
            sheet.reason = f"{sheet.reason}; nothing was read by OCR"
            continue
        better.reason = "; ".join(part for part in (f"read by OCR ({sheet.reason})", better.reason) if part)
        sheets[at] = better
        read += 1
    return read


def _read(page: pymupdf.Page, sheet: Sheet, reader: Reader, ends: float) -> Sheet | None:
    """The page upright, or turned until it reads as text (a scan may lie on its side); None where it does in no way."""
    shown = page.rotation
    try:
        for turn in TURNS:
            if turn and time.monotonic() > ends:
                break
            page.set_rotation((shown + turn) % 360)
            glyphs = glyphs_of(page, sheet.number, reader.textpage(page, FLAGS))
            _even(glyphs)
            page.set_rotation(shown)
            found = sheet_of(page, sheet.number, sheet.label, glyphs)
            if found.health in (Health.GOOD, Health.POOR) and _reads(found):
                return found
    finally:
        page.set_rotation(shown)
    return None


def _reads(sheet: Sheet) -> bool:
    """Whether most letters stand in words: what is read of a page on its side are scraps of one or two."""
    words = " ".join(row.text for row in sheet.rows).split()
    letters = [(sum(map(str.isalpha, word)), any(char > "\u2e80" for char in word)) for word in words]
    long = sum(count for count, unspaced in letters if count >= LONG or unspaced)
    return long >= WORDS * max(1, sum(count for count, _ in letters))


def _even(glyphs: Glyphs) -> None:
    """Gives lines of about the commonest size that size: OCR guesses it line by line, and paragraphs are told by it."""
    rows = [row for group in glyphs.turns.values() for row in group]
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row.size] += row.style.characters
    half = sizes.total() / 2
    below = 0
    for size in sorted(sizes):
        below += sizes[size]
        if below >= half:
            break
    for row in rows:
        if abs(row.size - size) <= SAME * size:
            row.size = size
            row.style.sizes = {size: row.style.characters}


def _has_ink(page: pymupdf.Page) -> bool:
    """Whether anything is on a page: an empty one needs no reading."""
    return bool(page.get_images() or page.get_text(flags=0).strip() or page.get_drawings())
