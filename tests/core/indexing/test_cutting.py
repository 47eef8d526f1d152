"""From a pack to chunks (specs/15-chunks.md, "What is embedded")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.indexing.cutting import Cutter
from pincite.indexing.plain import plain_pack
from pincite_plugins.chunkers.structural.chunker import StructuralChunker

TEXT = " ".join(f"Gauge {number} stood where the river bends and was read each hour." for number in range(40))


def by_words(texts):
    return [len(text.split()) for text in texts]


def embedded(title: str, window: int) -> list[str]:
    pack = plain_pack(TEXT)
    pack = replace(pack, metadata={**pack.metadata, "title": title})
    cutter = Cutter(StructuralChunker(minimum=16, overlap=0), by_words, window, "words", lambda text: "en")
    return [chunk.embed for chunk in cutter.pack(pack) if chunk.embed]


@pytest.mark.parametrize("title", ["", "Floods", "On the reading of gauges in rivers that bend and flood in spring"])
def test_title_and_text_fit_the_window_together(title):
    sizes = by_words(embedded(title, 120))
    assert max(sizes) <= 120
    assert len(sizes) > 1


def test_a_short_title_leaves_the_window_to_the_text():
    whole = sum(by_words([TEXT]))
    assert len(embedded("Floods", whole + 3)) == 1
    assert len(embedded("On the reading of gauges", whole + 3)) > 1
