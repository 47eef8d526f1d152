"""What makes a pack sound, and packs to cut."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pincite.packs import sound
from pincite.values.pack import Block, BlockKind, Flow, Health, Pack, Page, Section


def wrong_pack(pack: Pack) -> str:
    """The first thing in a pack that is not as it should be, as half a sentence, or "". More than what is checked in use."""
    return sound.wrong_pack(pack) or _blank_blocks(pack) or _wrong_order(pack) or _wrong_boxes(pack)


def _blank_blocks(pack: Pack) -> str:
    blank = [number for number, block in enumerate(pack.blocks) if not pack.text[block.start : block.end].strip()]
    levels = [number for number, section in enumerate(pack.sections) if section.level < 1]
    if blank:
        return f"block {blank[0]} is blank"
    return f"section {levels[0]} has a level below 1" if levels else "" if pack.format else "no format is named"


def _wrong_order(pack: Pack) -> str:
    before = 0
    for number, block in enumerate(pack.blocks):
        if block.page is not None:
            if block.page < before:
                return f"block {number} is on page {block.page}, after one on page {before}"
            before = block.page
    return ""


def _wrong_boxes(pack: Pack) -> str:
    if pack.places is None:
        return ""
    box = pack.places.box
    return "a word's rectangle is upside down" if (box[:, 0] > box[:, 2]).any() or (box[:, 1] > box[:, 3]).any() else ""


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
