"""What makes a pack sound, and packs to cut."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pincite.values.pack import Block, BlockKind, Flow, Health, Pack, Page, Section


def wrong_pack(pack: Pack) -> str:
    """The first thing in a pack that does not fit together, as half a sentence, or ""."""
    return (
        _wrong_blocks(pack)
        or _wrong_sections(pack)
        or _wrong_pages(pack)
        or _wrong_places(pack)
        or _wrong_runs(pack)
        or _wrong_rest(pack)
    )


def _wrong_blocks(pack: Pack) -> str:
    at, end = 0, len(pack.text)
    for number, block in enumerate(pack.blocks):
        if not at <= block.start < block.end <= end:
            return f"block {number} is {block.start}–{block.end}, which overlaps the one before, is empty, or leaves the text of {end}"
        if not pack.text[block.start : block.end].strip():
            return f"block {number} is blank"
        if not -1 <= block.section < len(pack.sections):
            return f"block {number} is in section {block.section} of {len(pack.sections)}"
        if block.page is not None and not 1 <= block.page <= len(pack.pages):
            return f"block {number} is on page {block.page} of {len(pack.pages)}"
        at = block.end
    return ""


def _wrong_sections(pack: Pack) -> str:
    for number, section in enumerate(pack.sections):
        if not -1 <= section.parent < number:
            return f"section {number} has the parent {section.parent}, which does not come before it"
        if section.level < 1:
            return f"section {number} has the level {section.level}"
    return ""


def _wrong_pages(pack: Pack) -> str:
    numbers = [page.number for page in pack.pages]
    if numbers != list(range(1, len(numbers) + 1)):
        return f"the pages are numbered {numbers[:5]}, not from 1 in order"
    before = 0
    for number, block in enumerate(pack.blocks):
        if pack.pages and block.page is None:
            return f"block {number} has no page, though there are pages"
        if block.page is not None:
            if block.page < before:
                return f"block {number} is on page {block.page}, after one on page {before}"
            before = block.page
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
    if (
        not np.isfinite(places.box).all()
        or (places.box[:, 0] > places.box[:, 2]).any()
        or (places.box[:, 1] > places.box[:, 3]).any()
    ):
        return "a word's rectangle is upside down or not finite"
    return ""


def _wrong_runs(pack: Pack) -> str:
    at = 0
    for number, run in enumerate(pack.runs):
        if not at <= run.start < run.end <= len(pack.text) or run.offset < 0:
            return f"run {number} is {run.start}–{run.end} with offset {run.offset}, not a stretch of the text after the one before"
        at = run.end
    return ""


def _wrong_rest(pack: Pack) -> str:
    if not pack.format:
        return "no format is named"
    for key, value in pack.metadata.items():
        if not isinstance(key, str) or not isinstance(value, str):
            return f"the metadata hold {key!r}: {value!r:.40}, which is no text"
    for number, mark in enumerate(pack.annotations):
        if not 1 <= mark.page <= max(1, len(pack.pages)):
            return f"annotation {number} is on page {mark.page} of {len(pack.pages)}"
    return ""


def same_packs(one: Pack, other: Pack) -> bool:
    """Whether two packs are equal, arrays included."""
    for field in dataclasses.fields(Pack):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if field.name == "places":
            if (left is None) != (right is None):
                return False
            if left is not None and not all(
                np.array_equal(getattr(left, part.name), getattr(right, part.name)) for part in dataclasses.fields(left)
            ):
                return False
        elif left != right:
            return False
    return True


def pack_of(parts: Iterable[tuple[str, dict[str, Any]]], sections: Sequence[Section] = (), pages: int = 0) -> Pack:
    """A pack from (text, fields of its block) pairs, an empty line between two."""
    text, blocks = "", []
    for part, fields in parts:
        text += "\n\n" if text else ""
        blocks.append(Block(len(text), len(text) + len(part), **fields))
        text += part
    made = tuple(
        Page(number, label=f"p{number}", width=595, height=842, health=Health.GOOD) for number in range(1, pages + 1)
    )
    return Pack("text", text, tuple(blocks), tuple(sections), made, extractor="kit", extractor_version=1)


SENTENCE = "The holdfast grips the rock while the blades bend with every swell of the tide. "


def sample_packs() -> dict[str, Pack]:
    """Packs of every shape that a chunker meets, by name."""
    heading = {"kind": BlockKind.HEADING}
    outline = (Section("Methods"), Section("Sampling", 2, 0), Section("Results"))
    sections = pack_of(
        [
            ("Kelp after the storm", {"role": "title"}),
            ("Abstract: light reaches the floor when storms thin the canopy.", {"role": "abstract"}),
            ("Methods", {**heading, "section": 0}),
            (SENTENCE * 4, {"section": 0}),
            ("Sampling", {**heading, "section": 1}),
            (SENTENCE * 9, {"section": 1}),
            (
                "Figure 1. Plots along the shore of the bay.",
                {"kind": BlockKind.CAPTION, "flow": Flow.AUXILIARY, "section": 1},
            ),
            (
                "1 See the appendix for the full list of plots.",
                {"kind": BlockKind.NOTE, "flow": Flow.AUXILIARY, "section": 1},
            ),
            ("12", {"flow": Flow.EXCLUDED, "section": 1}),
            ("Results", {**heading, "section": 2}),
            ("plot density\none 12\ntwo 40 urchins", {"kind": BlockKind.TABLE, "section": 2}),
            (SENTENCE * 30, {"section": 2}),
            ("Okafor A. 2018. Kelp forests. Journal of Shores 3: 1–9.", {"reference": True, "section": 2}),
            ("Brandt U. 1999. Glocken und Zeit. Gilde, Ulm.", {"reference": True, "section": 2}),
        ],
        outline,
    )
    paged = pack_of([(SENTENCE * 6, {"page": number}) for number in (1, 2, 3)], pages=3)
    return {
        "empty": Pack("text", "", ()),
        "without letters": pack_of([("— 12 — 34 …", {}), ("***", {})]),
        "one paragraph": pack_of([(SENTENCE.strip(), {})]),
        "sections": sections,
        "pages": paged,
        "one word without end": pack_of([("a" * 6_000, {})]),
        "one sentence without end": pack_of([("amber basalt cedar " * 1_200, {})]),
        "Han": pack_of([("潮水退去之后，礁石上留下了海带。" * 120, {})]),
        "Thai": pack_of([("สาหร่ายยึดเกาะกับหินใต้ทะเล" * 80, {})]),
        "Arabic": pack_of([("تتمسك الأعشاب البحرية بالصخور. " * 60, {})]),
        "combining marks": pack_of([("e\u0301a\u0308 " * 700 + "👩‍🔬🏽 " * 100, {})]),
        "long path": pack_of(
            [(SENTENCE * 3, {"section": 1})],
            (Section(("A very long title of a part " * 12).strip()), Section(("and one below " * 10).strip(), 2, 0)),
        ),
        "hostile": pack_of(
            [("\ud800 half a pair and a NUL \x00 here, then words go on", {}), ("\u202eright to left and back", {})]
        ),
    }
