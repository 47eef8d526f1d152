"""The text of a pack is put together without losing where it comes from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.markup.builder import MADE, PackBuilder, Segment
from pincite.values.pack import BlockKind

WHITE = str.maketrans("\n\r\t\f", "    ")


def build(*blocks, **options):
    builder = PackBuilder()
    for segments in blocks:
        builder.add(segments, **options)
    return builder


def test_white_space_is_collapsed_and_each_stretch_keeps_its_place():
    builder = build([Segment("  They\n\t wait ", "a", 0), Segment(" and  see", "b", 5)])
    assert builder.text == "They wait and see"
    assert [(run.target, run.offset) for run in builder.runs] == [("a", 2), ("a", 9), ("b", 6), ("b", 11)]


def test_stretches_that_go_on_are_one_run():
    builder = build([Segment("They", "a", 0), Segment(" wait", "a", 4)])
    assert len(builder.runs) == 1


def test_a_no_break_space_is_a_character():
    assert build([Segment("11\xa0days", "a", 0)]).text == "11\xa0days"


def test_nothing_but_white_space_is_no_block():
    assert build([Segment(" \n ", "a", 0)]).blocks == []


def test_of_two_breaks_the_stronger_stays():
    row = [Segment("a", "x", 0), Segment("\n", "", MADE), Segment("\t", "", MADE), Segment("b", "x", 9)]
    assert build(row).text == "a\nb"


def test_a_break_after_a_no_break_space_that_was_made():
    assert (
        build([Segment("a", "x", 0), Segment("\xa0", "", MADE), Segment("\n", "", MADE), Segment("b", "x", 9)]).text
        == "a\xa0\nb"
    )


def test_preformatted_text_keeps_its_indentation():
    builder = build([Segment("\n\n  tide()\n    ebb()\n", "a", 0)], kind=BlockKind.PREFORMATTED, keep_space=True)
    assert builder.text == "  tide()\n    ebb()"
    assert builder.runs[0].offset == 2


@given(st.lists(st.lists(st.tuples(st.text(alphabet="ab \n\t潮", max_size=12), st.booleans()), max_size=5), max_size=5))
def test_runs_are_exact_whatever_comes(blocks):
    source, made = "", []
    for block in blocks:
        segments = []
        for text, is_made in block:
            if is_made and text.isspace():
                segments.append(Segment("\n", "", MADE))
            elif text:
                segments.append(Segment(text, "node", len(source)))
                source += text
        made.append(segments)
    builder = build(*made)
    for run in builder.runs:
        here = builder.text[run.start : run.end].translate(WHITE)
        assert here == source[run.offset : run.offset + run.end - run.start].translate(WHITE)
    assert "".join(builder.text.split()) == "".join(source.split())
    for block in builder.blocks:
        assert builder.text[block.start : block.end].strip() == builder.text[block.start : block.end] != ""
