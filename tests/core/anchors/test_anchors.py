"""specs/05-anchors.md."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.anchors import anchor_of, rects_of, spans_of
from pincite.values.pack import Block, Pack, Places, Run


def paged(words: list[tuple[str, int, int, tuple[float, float, float, float]]]) -> Pack:
    """Words of (text, page, line, box), one space between."""
    text = " ".join(word for word, *_ in words)
    starts = np.cumsum([0, *(len(word) + 1 for word, *_ in words)])[:-1].astype(np.int32)
    ends = starts + np.array([len(word) for word, *_ in words], dtype=np.int32)
    page = np.array([page for _, page, *_ in words], dtype=np.int32)
    line = np.array([line for _, _, line, _ in words], dtype=np.int32)
    places = Places(starts, ends, page, line, np.array([box for *_, box in words], dtype=np.float32))
    return Pack("pdf", text, (Block(0, len(text)),), places=places)


TWO_LINES = paged(
    [
        ("grey", 1, 0, (100, 50, 120, 60)),
        ("gulls", 1, 0, (124, 50, 150, 60)),
        ("over", 1, 1, (60, 62, 80, 72)),
        ("water", 2, 2, (60, 40, 90, 50)),
    ]
)


def test_words_of_a_line_make_one_rectangle():
    anchor = anchor_of(TWO_LINES, [(0, len(TWO_LINES.text))])
    assert anchor == {
        "kind": "pdf",
        "rects": [[1, 100.0, 50.0, 150.0, 60.0], [1, 60.0, 62.0, 80.0, 72.0], [2, 60.0, 40.0, 90.0, 50.0]],
    }
    assert json.loads(json.dumps(anchor)) == anchor


def test_a_span_that_cuts_a_word_takes_its_share():
    start = TWO_LINES.text.index("gulls")
    assert rects_of(TWO_LINES.places, [(start, start + 1)]) == [(1, 124.0, 50.0, pytest.approx(129.2), 60.0)]


def test_white_space_and_empty_spans_have_no_place():
    assert rects_of(TWO_LINES.places, [(4, 5)]) == []
    assert anchor_of(TWO_LINES, [(3, 3)])["rects"] == []


def test_text_is_found_in_a_pack_that_is_ordered_otherwise():
    anchor = anchor_of(TWO_LINES, [(5, 15)])
    other = paged(
        [
            ("water", 2, 0, (60, 40, 90, 50)),
            ("over", 1, 1, (60.2, 61.8, 80, 72)),
            ("grey", 1, 2, (100, 50, 120, 60)),
            ("gulls", 1, 2, (124, 50, 150, 60)),
        ]
    )
    assert [other.text[a:b] for a, b in spans_of(other, anchor)] == ["over", "gulls"]


def test_a_rectangle_on_another_page_finds_nothing():
    assert spans_of(TWO_LINES, {"kind": "pdf", "rects": [[3, 0, 0, 600, 800]]}) == ()


def epub() -> Pack:
    # two documents of the spine; "🚢" takes two UTF-16 units; white space between the nodes is not in them
    nodes = [
        ("/6/4!/4/2/1", 3, "🚢 Sailing home."),
        ("/6/4!/4/4/1", 0, "The wind dropped."),
        ("/6/6!/4/2/1", 0, "Landfall."),
    ]
    text, runs = "", []
    for target, offset, piece in nodes:
        runs.append(Run(len(text), len(text) + len(piece), target, offset))
        text += piece + "\n\n"
    return Pack("epub", text, (), runs=tuple(runs))


def test_epub_ranges_count_utf16_units_and_keep_to_their_document():
    pack = epub()
    anchor = anchor_of(pack, [(2, len(pack.text))])
    assert anchor == {
        "kind": "epub",
        "cfis": ["epubcfi(/6/4!/4,/2/1:6,/4/1:17)", "epubcfi(/6/6!/4/2/1,:0,:9)"],
    }
    assert [pack.text[a:b].strip() for a, b in spans_of(pack, anchor)] == [
        "Sailing home.\n\nThe wind dropped.\n\nLandfall."
    ]


def test_a_cfi_with_ids_and_text_assertions_is_read():
    pack = epub()
    anchor = {"kind": "epub", "cfis": ["epubcfi(/6/4[chap01]!/4[body]/4,/1:4[wind],/1:8)"]}
    assert [pack.text[a:b] for a, b in spans_of(pack, anchor)] == ["wind"]


def test_what_is_no_cfi_is_an_error():
    with pytest.raises(ValueError, match="CFI"):
        spans_of(epub(), {"kind": "epub", "cfis": ["chapter one"]})


def test_html_parts_of_one_element_are_joined():
    text = "A harbour with two moles."
    runs = (Run(0, 9, "#x > p", 4), Run(9, len(text), "#x > p", 17))
    pack = Pack("html", text, (), runs=runs)
    anchor = anchor_of(pack, [(2, 14)])
    assert anchor == {"kind": "html", "parts": [{"selector": "#x > p", "start": 6, "end": 22}]}
    assert [text[a:b] for a, b in spans_of(pack, anchor)] == ["harbour with"]


def test_an_unknown_kind_is_an_error():
    with pytest.raises(ValueError, match="unknown kind"):
        spans_of(epub(), {"kind": "scroll"})


@given(
    pieces=st.lists(st.tuples(st.text("ab🚢ß ", min_size=1, max_size=6), st.integers(0, 3)), min_size=1, max_size=8),
    cut=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    form=st.sampled_from(["text", "html", "epub"]),
)
def test_every_span_of_runs_is_found_again(pieces, cut, form):
    """Nodes rise in document order; what of a node is left out is white space."""
    text, runs, at = "", [], {}
    for number, (piece, gap) in enumerate(pieces):
        target = {"text": "", "html": f"p:nth-child({number // 3})", "epub": f"/6/2!/4/{2 + 2 * (number // 3)}/1"}[form]
        offset = at.get(target, 0) + gap
        runs.append(Run(len(text), len(text) + len(piece), target, offset))
        at[target] = offset + len(piece)
        text += piece
    pack = Pack(form, text, (), runs=tuple(runs))
    start, end = sorted(min(side, len(text)) for side in cut)
    found = spans_of(pack, anchor_of(pack, [(start, end)]))
    assert "".join(text[a:b] for a, b in found) == text[start:end]


@pytest.mark.parametrize(
    ("format", "target", "key"),
    [("text", "", "spans"), ("markdown", "", "spans"), ("html", "p", "parts"), ("epub", "/6/4!/4/2/1", "cfis")],
)
def test_what_stands_between_two_spans_is_not_covered(format, target, key):
    text = "First the tide.\n\nA note in between.\n\nThen the wind."
    pack = Pack(format, text, (Block(0, len(text)),), runs=(Run(0, len(text), target, 40),))
    first, last = (0, 15), (text.index("Then"), len(text))
    anchor = anchor_of(pack, [first, last])
    assert len(anchor[key]) == 2
    assert spans_of(pack, anchor) == (first, last)
    if key == "spans":
        assert anchor["spans"] == [[40, 55], [40 + last[0], 40 + last[1]]]


def test_spans_that_white_space_parts_are_one():
    text = "First the tide.\n\nThen the wind."
    pack = Pack("text", text, (Block(0, 15), Block(17, len(text))), runs=(Run(0, len(text)),))
    assert anchor_of(pack, [(0, 15), (17, len(text))])["spans"] == [[0, len(text)]]
