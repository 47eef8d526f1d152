"""The text of a chunk (specs/15-chunks.md, "Text")."""

from __future__ import annotations

import pytest

from pincite.chunks import chunk_text, embedded_text, placed_parts, runs_on


@pytest.mark.parametrize(
    ("before", "after", "goes_on"),
    [
        ("back to the", "cove after the storm", True),
        ("back to the cove.", "after that", False),
        ("he said “never.”", "then left", False),
        ("back to the", "Cove", False),
        ("蟹は岩の下で", "潮を待った", True),
        ("蟹は待った。", "潮が来た", False),
        ("", "x", False),
        ("counted", "12 crabs", False),
    ],
)
def test_a_sentence_that_is_left_open_goes_on(before, after, goes_on):
    assert runs_on(before, after) is goes_on


def test_slices_are_put_together_by_what_parts_them():
    text = "to the [5] cove. Then we left."
    assert chunk_text(text, [(0, 6), (11, 16)]) == "to the\ncove."
    assert chunk_text(text, [(11, 16), (17, 30)]) == "cove.\n\nThen we left."
    assert placed_parts(["to the", "cove."])[1] == (0, 7)


def test_the_path_stands_before_the_text_unless_it_is_left_out():
    assert embedded_text(("Methods", "Sampling"), "We dug.") == "Methods > Sampling\n\nWe dug."
    assert embedded_text(("Methods",), "We dug.", False) == "We dug."
    assert embedded_text((), "We dug.") == "We dug."


def test_the_title_comes_first_once_and_cut_to_its_room():
    assert embedded_text(("Methods",), "We dug.", title="On  kelp") == "On kelp > Methods\n\nWe dug."
    assert embedded_text(("On kelp", "Methods"), "We dug.", title="On kelp") == "On kelp > Methods\n\nWe dug."
    assert embedded_text(("Methods",), "We dug.", False, "On kelp") == "On kelp\n\nWe dug."
    assert embedded_text((), "We dug.", title="  ") == "We dug."
    long = embedded_text((), "x", title="海" * 500)
    assert len(long.removesuffix("\n\nx").encode()) <= 160
    assert set(long.removesuffix("\n\nx")) == {"海"}
