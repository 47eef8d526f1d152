"""Title, abstract, keywords and bibliography of a document."""

from __future__ import annotations

from pincite.markup.outline import Outline
from pincite.markup.roles import with_roles
from pincite.values.pack import Block, BlockKind

ENTRY = "Noor, A. (2011). Rhythms of the shore, part {}. Journal of Tides 4(2), 11-19."


def marked(*parts, title=""):
    """(text, block) of each part after `with_roles`. A part that begins with # is a heading of that level."""
    outline, text, blocks = Outline(), "", []
    for part in parts:
        kind = BlockKind.PARAGRAPH
        if part.startswith("#"):
            marks, _, part = part.partition(" ")
            outline.open(part, len(marks))
            kind = BlockKind.HEADING
        elif part.startswith("* "):
            part, kind = part[2:], BlockKind.LIST
        start = len(text)
        text += part
        blocks.append(Block(start, len(text), kind, section=outline.current))
        text += "\n\n"
    found = with_roles(text, blocks, outline.sections, title)
    return [(text[block.start : block.end], block) for block in found]


def references(*parts):
    return [text for text, block in marked(*parts) if block.reference]


def test_a_bibliography_ends_at_the_next_heading():
    entries = [ENTRY.format(n) for n in range(4)]
    after = ["## Appendix A", "The pools are listed here once more, for those who come after us."]
    assert references("# Tides", "We watched.", "## References", *entries, *after) == entries


def test_its_subsections_belong_to_it():
    parts = ["# Bibliography", "## Books", ENTRY.format(1), ENTRY.format(2), "## Letters", ENTRY.format(3)]
    assert len(references(*parts)) == 3


def test_a_long_paragraph_after_the_last_entry_is_text_again():
    prose = "The warden kept the gate open and the water came and went as it pleased, day after day. " * 10
    entries = [ENTRY.format(n) for n in range(3)]
    assert references("# References", *entries, prose, "More of it.") == entries


def test_the_reference_chapter_of_a_manual_is_text():
    prose = "The command takes a file and prints each line that holds a crab. It ends with status one otherwise. " * 4
    assert references("# Reference", prose, prose) == []


def test_a_list_of_citations_is_one_without_a_heading():
    entries = [f"* {ENTRY.format(n)}" for n in range(3)]
    assert len(references("# Tides", "We read:", *entries, "and more.")) == 3


def test_the_abstract_is_found_by_its_heading_or_by_its_first_word():
    by_heading = marked("# Tides", "## Abstract", "We watched crabs.", "## 1 Introduction", "They wait.")
    assert [block.role for _, block in by_heading] == ["title", "", "abstract", "", ""]
    by_word = marked("# Tides", "Abstract. We watched crabs.", "Keywords: tide, crab", "## Introduction", "They wait.")
    assert [block.role for _, block in by_word][1:3] == ["abstract", "keywords"]


def test_a_structured_abstract_is_one():
    found = marked("# Tides", "## Abstract", "### Methods", "We watched.", "### Results", "They hid.", "## Background")
    assert [text for text, block in found if block.role == "abstract"] == ["We watched.", "They hid."]


def test_a_summary_at_the_end_is_a_conclusion():
    body = "They wait under the stone for the water, and come out when it is back. " * 80
    found = marked("# Gezeiten", "## Einleitung", body, "## Zusammenfassung", "Sie warten.")
    assert not any(block.role == "abstract" for _, block in found)


def test_the_title_is_the_heading_that_the_metadata_names():
    found = marked("# Imprint", "Of the press.", "# The Tidal Clock", "Crabs wait.", title="The Tidal Clock")
    assert [text for text, block in found if block.role == "title"] == ["The Tidal Clock"]
