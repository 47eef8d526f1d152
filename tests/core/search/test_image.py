"""A page as a picture with the passage marked: the marked pixels lie on the words."""

import pymupdf
import pytest

from pincite.errors import PinciteError, UsageError
from pincite.search.image import DOTS, TINT, on_picture, write_page

WORD = "Holdfast"


@pytest.fixture(params=[(0, False), (90, False), (180, True), (270, True), (0, True)], ids=str)
def page(request, tmp_path):
    """A PDF with one word, its page turned and cropped, and the word's rectangle as an anchor has it."""
    turn, cropped = request.param
    path = tmp_path / "page.pdf"
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    page.insert_text((150, 300), WORD, fontsize=20)
    if cropped:
        page.set_cropbox(pymupdf.Rect(100, 200, 380, 500))
    page.set_rotation(turn)
    document.save(path)
    document.close()
    with pymupdf.open(path) as document:
        words = document[0].get_text("words", clip=pymupdf.INFINITE_RECT())
        rect = words[0][:4]
    return path, [[1, *rect]]


def test_the_marked_pixels_are_those_of_the_word(page, tmp_path):
    path, rects = page
    target = tmp_path / "out.png"
    assert write_page(str(path), {"kind": "pdf", "rects": rects}, target) == [1]
    picture = pymupdf.Pixmap(str(target))
    marked = [
        (x, y)
        for y in range(0, picture.height, 2)
        for x in range(0, picture.width, 2)
        if picture.pixel(x, y)[:3] == TINT
    ]
    assert marked
    with pymupdf.open(path) as document:
        turned = document[0]
        # the page as displayed: what stands under the marked pixels is the word, and nothing else is on the page
        x1, y1, x2, y2 = on_picture(turned, rects[0][1:], DOTS / 72)
        assert all(x1 <= x <= x2 and y1 <= y <= y2 for x, y in marked)
        plain = turned.get_pixmap(matrix=pymupdf.Matrix(DOTS / 72, DOTS / 72), alpha=False)
        ink = [(x, y) for y in range(plain.height) for x in range(plain.width) if plain.pixel(x, y)[0] < 100]
    assert ink
    assert all(x1 <= x < x2 and y1 <= y < y2 for x, y in ink)


def test_a_highlight_of_zotero_is_marked_where_it_stands(page, tmp_path):
    """Its rectangles count from the bottom left of the sheet, whatever is cropped and however it is turned."""
    path, rects = page
    write_page(str(path), {"kind": "pdf", "rects": rects}, tmp_path / "ours.png")
    _, x1, y1, x2, y2 = rects[0]
    left, top = (100, 200) if x1 < 100 else (0, 0)  # of what is cropped
    below = [x1 + left, 600 - y2 - top, x2 + left, 600 - y1 - top]
    assert 145 < below[0] < 155
    assert below[1] < 300 < below[3]  # where the word was put
    anchor = {"kind": "zotero", "position": {"pageIndex": 0, "rects": [below]}}
    assert write_page(str(path), anchor, tmp_path / "zotero.png") == [1]
    ours, zotero = (pymupdf.Pixmap(str(tmp_path / name)) for name in ("ours.png", "zotero.png"))
    assert ours.samples == zotero.samples


@pytest.mark.parametrize(
    "position", [None, {}, {"pageIndex": 0}, {"pageIndex": "x", "rects": [[1]]}, {"pageIndex": 0, "rects": 5}]
)
def test_what_zotero_keeps_of_other_files_has_no_page(tmp_path, position):
    with pytest.raises(UsageError, match="pincite show"):
        write_page("x.pdf", {"kind": "zotero", "position": position}, tmp_path / "out.png")


def test_what_has_no_page_and_what_is_gone_are_said(tmp_path):
    with pytest.raises(UsageError, match="pincite show"):
        write_page("x.epub", {"kind": "epub", "cfis": []}, tmp_path / "out.png")
    with pytest.raises(PinciteError, match="not there"):
        write_page(str(tmp_path / "gone.pdf"), {"kind": "pdf", "rects": [[1, 0, 0, 1, 1]]}, tmp_path / "out.png")


def test_a_file_that_is_no_pdf_is_one_line_and_leaves_nothing(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"not a pdf at all")
    with pytest.raises(PinciteError) as error:
        write_page(str(tmp_path / "a.pdf"), {"kind": "pdf", "rects": [[1, 0, 0, 1, 1]]}, tmp_path / "out.png")
    assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]
