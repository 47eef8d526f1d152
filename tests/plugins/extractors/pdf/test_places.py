"""specs/05-anchors.md, kind "pdf": what stands under the rectangles of a real page."""

import pymupdf
import pytest

from pdf_pages import LEFT, Paper, extract, flow, prose, put
from pincite.anchors import anchor_of, rects_of, spans_of
from pincite.values.pack import Flow


def under(path, rects) -> str:
    """The characters whose centre lies under rectangles, in the order of the page, white space left out."""
    out = []
    with pymupdf.open(path) as document:
        for number in sorted({rect[0] for rect in rects}):
            for block in document[number - 1].get_text("rawdict")["blocks"]:
                for line in block.get("lines", ()):
                    for char in (char for span in line["spans"] for char in span["chars"]):
                        x1, y1, x2, y2 = char["bbox"]
                        x, y = (x1 + x2) / 2, (y1 + y2) / 2
                        if any(n == number and a <= x <= c and b <= y <= d for n, a, b, c, d in rects):
                            out.append(char["c"])
    return "".join("".join(out).split())


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("cropped", [False, True])
def test_rectangles_stand_in_the_frame_of_get_text(tmp_path, rotation, cropped):
    paper = Paper()
    page = paper.page()
    flow(page, LEFT, prose(100, 1))
    if cropped:
        page.set_cropbox(pymupdf.Rect(40, 60, 400, 700))
    page.set_rotation(rotation)
    path = paper.save(tmp_path / "a.pdf")
    pack = extract(path)
    start = pack.text.index(prose(100, 1).split(". ")[1].split()[0])
    for span in ((0, 40), (start, start + 60)):
        anchor = anchor_of(pack, [span])
        assert under(path, anchor["rects"]) == "".join(pack.text[slice(*span)].split())
    with pymupdf.open(path) as document:
        rect = document[0].rect
    assert (pack.pages[0].width, pack.pages[0].height) == (rect.width, rect.height)


def test_text_set_sideways_is_read_in_its_own_direction(tmp_path):
    paper = Paper()
    page = paper.page()
    for at in range(8):
        page.insert_text((100 + 14 * at, 700), f"Line {at} of a table set sideways on the page", fontsize=10, rotate=90)
    path = paper.save(tmp_path / "a.pdf")
    pack = extract(path)
    assert [line[:6] for line in pack.text.split("\n") if line] == [f"Line {at}" for at in range(8)]
    rects = anchor_of(pack, [(0, 6)])["rects"]
    assert under(path, rects) == "Line0"


def test_a_word_that_a_span_cuts_gives_its_share(tmp_path):
    paper = Paper()
    put(paper.page(), 60, 100, "unmistakable harbourmaster")
    path = paper.save(tmp_path / "a.pdf")
    pack = extract(path)
    assert under(path, rects_of(pack.places, [(2, 9)])) in ("mistaka", "nmistaka", "mistakab", "nmistakab", "nmistak")


def test_lines_that_reach_into_each_other_keep_their_own_characters(tmp_path):
    paper = Paper()
    page = paper.page()
    for at in range(6):
        put(page, 60, 100 + 6 * at, f"set much too close, line number {at} of six", 12)
    path = paper.save(tmp_path / "a.pdf")
    pack = extract(path)
    for line in pack.text.replace("\n\n", "\n").split("\n"):
        start = pack.text.index(line)
        found = under(path, anchor_of(pack, [(start, start + len(line))])["rects"])
        assert found == "".join(line.split())


def test_right_to_left_text_is_in_logical_order_with_its_places(tmp_path):
    words = ["שלום", "לכל", "באי", "הנמל", "והרציף"]
    paper = Paper()
    page = paper.page()
    page.insert_htmlbox(pymupdf.Rect(60, 90, 535, 200), f'<p dir="rtl" style="font-size:14px">{" ".join(words)}</p>')
    path = paper.save(tmp_path / "a.pdf")
    pack = extract(path)
    assert pack.text.split() == words
    boxes = pack.places.box
    assert all(boxes[at][0] > boxes[at + 1][2] - 1 for at in range(len(words) - 1))
    start = pack.text.index(words[2])
    assert sorted(under(path, rects_of(pack.places, [(start, start + len(words[2]))]))) == sorted(words[2])


def test_an_anchor_finds_its_text_after_the_order_has_changed(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, LEFT, prose(200, 1))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    at = pack.text.index(".") + 2
    anchor = anchor_of(pack, [(at, at + 120)])
    widened = {**anchor, "rects": [[n, x1 - 1, y1 - 1, x2 + 1, y2 + 1] for n, x1, y1, x2, y2 in anchor["rects"]]}
    ((start, end),) = spans_of(pack, widened)
    assert start == at
    assert end >= at + 115


def test_blocks_cover_the_text_in_order(tmp_path):
    paper = Paper()
    for seed in (1, 2):
        page = paper.page()
        put(page, 60, 50, "A head", 8)
        flow(page, LEFT, prose(200, seed))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    at = 0
    for block in pack.blocks:
        assert pack.text[at : block.start] in ("", "\n\n")
        at = block.end
    assert at == len(pack.text)
    assert {b.flow for b in pack.blocks} == {Flow.BODY, Flow.EXCLUDED}
