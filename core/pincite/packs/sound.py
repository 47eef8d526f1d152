"""Whether the parts of a pack fit together: offsets inside the text, sections and pages that there are (specs/04-packs.md)."""

from __future__ import annotations

import numpy as np

from pincite.values.pack import Pack


def wrong_pack(pack: Pack) -> str:
    """The first thing in a pack that does not fit together, as half a sentence, or "". Cheap against reading the file."""
    return _wrong_blocks(pack) or _wrong_sections(pack) or _wrong_places(pack) or _wrong_runs(pack) or _wrong_rest(pack)


def _wrong_blocks(pack: Pack) -> str:
    at, end = 0, len(pack.text)
    sections, pages = len(pack.sections), len(pack.pages)
    for number, block in enumerate(pack.blocks):
        if not at <= block.start < block.end <= end:
            return f"block {number} is {block.start}–{block.end}, no stretch of a text of {end} after the block before"
        if not -1 <= block.section < sections:
            return f"block {number} is in section {block.section} of {sections}"
        if block.page is not None and not 1 <= block.page <= pages:
            return f"block {number} is on page {block.page} of {pages}"
        at = block.end
    return ""


def _wrong_sections(pack: Pack) -> str:
    for number, section in enumerate(pack.sections):
        if not -1 <= section.parent < number:
            return f"section {number} has the parent {section.parent}, which does not come before it"
    return ""


def _wrong_places(pack: Pack) -> str:
    places = pack.places
    if places is None:
        return ""
    count = len(places.start)
    if any(len(part) != count for part in (places.end, places.page, places.line)) or places.box.shape != (count, 4):
        return "the arrays of places differ in length"
    if not count:
        return ""
    if (places.start >= places.end).any() or places.start.min() < 0 or places.end.max() > len(pack.text):
        return "a word's place is empty or leaves the text"
    if (np.diff(places.start) < 0).any():
        return "the places are not in order"
    if places.page.min() < 1 or places.page.max() > len(pack.pages):
        return "a word stands on a page that there is not"
    if not np.isfinite(places.box).all():
        return "a word's rectangle is not finite"
    return ""


def _wrong_runs(pack: Pack) -> str:
    at = 0
    for number, run in enumerate(pack.runs):
        if not at <= run.start < run.end <= len(pack.text) or run.offset < 0:
            return f"run {number} is {run.start}–{run.end} with offset {run.offset}, no stretch of the text after the run before"
        at = run.end
    return ""


def _wrong_rest(pack: Pack) -> str:
    numbers = [page.number for page in pack.pages]
    if numbers != list(range(1, len(numbers) + 1)):
        return f"the pages are numbered {numbers[:5]}, not from 1 in order"
    for key, value in pack.metadata.items():
        if not isinstance(key, str) or not isinstance(value, str):
            return f"the metadata hold {key!r}: {value!r:.40}, which is no text"
    for number, mark in enumerate(pack.annotations):
        if not 1 <= mark.page <= max(1, len(pack.pages)):
            return f"annotation {number} is on page {mark.page} of {len(pack.pages)}"
    return ""
