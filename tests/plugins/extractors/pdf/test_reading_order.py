"""specs/04-packs.md, "The text" and "Structure", on pages that the test sets."""

import pymupdf
import pytest

from pdf_pages import HEIGHT, LEFT, RIGHT, WHOLE, Paper, bodies, extract, flow, prose, put, texts
from pincite.values.pack import BlockKind, Flow


def test_columns_are_read_one_after_another(tmp_path):
    paper = Paper()
    page = paper.page()
    left, right = prose(330, 1), prose(300, 2)
    assert not flow(page, LEFT, left)
    assert not flow(page, RIGHT, right)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert " ".join(bodies(pack)) == f"{left} {right}"


def test_three_columns(tmp_path):
    paper = Paper()
    page = paper.page()
    parts = [prose(170, seed) for seed in (1, 2, 3)]
    for at, part in enumerate(parts):
        box = pymupdf.Rect(50 + at * 170, 90, 200 + at * 170, 740)
        assert not flow(page, box, part, 9)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert " ".join(bodies(pack)) == " ".join(parts)


def test_a_paragraph_over_columns_and_pages_is_one_block_whatever_stands_between(tmp_path):
    paper = Paper()
    text = rest = prose(1600, 3)
    for number in (1, 2):
        page = paper.page()
        put(page, 60, 50, f"Ana Lima: Ferries {number}", 8)
        for box in (LEFT, RIGHT):
            short = pymupdf.Rect(box.x0, box.y0 + (0 if box is LEFT else 60), box.x1, 640)
            if box is RIGHT:
                put(page, box.x0, 120, f"Figure {number}. Harbours of the north.", 9)
            rest = flow(page, short, rest, indent=number == 1 and box is LEFT)
            put(page, box.x0, 700, f"{number} {prose(7, 50 * number + (box is LEFT))}", 7.5)
        put(page, 290, 800, str(number), 8)
    shown = text[: len(text) - len(rest)].strip()
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert bodies(pack) == [shown]
    assert sorted(texts(pack, Flow.EXCLUDED)) == ["1", "2", "Ana Lima: Ferries 1", "Ana Lima: Ferries 2"]
    notes = texts(pack, Flow.AUXILIARY)
    assert sum(note.startswith("Figure") for note in notes) == 2
    assert sum(note[0].isdigit() for note in notes) == 4


def test_full_width_lines_cut_the_page_into_bands(tmp_path):
    paper = Paper()
    page = paper.page()
    parts = [prose(120, seed) for seed in (1, 2, 3, 4)]
    boxes = [pymupdf.Rect(side.x0, y, side.x1, y + 240) for y in (90, 420) for side in (LEFT, RIGHT)]
    for box, part in zip(boxes, parts, strict=True):
        assert not flow(page, box, part)
    put(
        page,
        60,
        380,
        "Table 1. " + "Lengths of the moles and quays of all the harbours that were visited, in metres.",
        11,
    )
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert " ".join(bodies(pack)) == " ".join(parts)


def test_a_gutter_of_the_other_pages_holds_under_a_wide_table(tmp_path):
    paper = Paper()
    for seed in (1, 2):
        page = paper.page()
        flow(page, LEFT, prose(330, seed))
        flow(page, RIGHT, prose(330, seed + 10))
    page = paper.page()
    for row in range(18):
        for x in (90, 190, 280, 380, 470):
            put(page, x, 100 + row * 14, f"{x * row % 97}.{row}")
    put(page, 60, 370, "Table 2. Tides at five harbours of the island, for eighteen days of the month of May.", 11)
    left, right = prose(100, 5), prose(100, 6)
    flow(page, pymupdf.Rect(60, 400, 285, 740), left)
    flow(page, pymupdf.Rect(310, 400, 535, 740), right)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    last = [b for b in pack.blocks if b.page == 3 and b.flow is Flow.BODY]
    assert " ".join(pack.text[last[0].start : last[-1].end].split()) == f"{left} {right}"
    assert any(b.kind is BlockKind.TABLE and b.flow is Flow.AUXILIARY and b.page == 3 for b in pack.blocks)


def test_a_table_in_one_column_of_text_is_read_by_rows(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, pymupdf.Rect(60, 90, 535, 250), prose(150, 1))
    for row, name in enumerate(("North", "South", "East", "West", "Inner")):
        put(page, 120, 300 + row * 14, name)
        put(page, 260, 300 + row * 14, str(row * 7))
        put(page, 400, 300 + row * 14, str(row * 9))
    flow(page, pymupdf.Rect(60, 400, 535, 600), prose(150, 2))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    (table,) = [b for b in pack.blocks if b.kind is BlockKind.TABLE]
    assert pack.text[table.start : table.end].split("\n")[1] == "South 7 9"


def test_a_narrow_column_of_small_print_comes_after_the_text_as_auxiliary(tmp_path):
    paper = Paper()
    page = paper.page()
    text = prose(420, 1)
    flow(page, pymupdf.Rect(200, 90, 535, 740), text)
    flow(page, pymupdf.Rect(50, 120, 160, 400), prose(60, 2), 7.5, indent=False)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert bodies(pack) == [text]
    assert texts(pack, Flow.AUXILIARY)
    assert pack.blocks[0].flow is Flow.BODY


def test_a_hyphen_at_a_line_end_stays_with_its_line_break(tmp_path):
    paper = Paper()
    page = paper.page()
    put(page, 60, 100, "They measured the depth of the har-")
    put(page, 60, 112, "bour twice a day.")
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert pack.text == "They measured the depth of the har-\nbour twice a day."


def test_lines_of_a_script_without_spaces_are_joined_by_nothing(tmp_path):
    paper = Paper()
    page = paper.page()
    for at, line in enumerate(("潮水每天涨落两次，港口的深度也随之", "变化，渡船只能在高潮时进出港口。")):
        page.insert_text((60, 100 + 14 * at), line, fontsize=10, fontname="china-s")
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert pack.text == "潮水每天涨落两次，港口的深度也随之变化，渡船只能在高潮时进出港口。"
    assert len(pack.places.start) == len(pack.text)


def test_line_numbers_in_the_margin_are_left_out(tmp_path):
    paper = Paper()
    page = paper.page()
    text = prose(200, 1)
    flow(page, pymupdf.Rect(100, 90, 535, 740), text)
    for line in range(16):
        put(page, 60, 100 + 12 * line, str(248 + line), 7)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert bodies(pack) == [text]
    assert texts(pack, Flow.EXCLUDED)[0] == "248"


@pytest.mark.parametrize("side", ["before", "after"])
def test_line_numbers_that_the_file_sets_in_the_line_are_left_out(tmp_path, side):
    """They are words of it, as some programs write them."""
    paper = Paper()
    page = paper.page()
    words = prose(150, 2).split()
    lines = [" ".join(words[at : at + 10]) for at in range(0, 150, 10)]
    for at, line in enumerate(lines):
        number = str(611 + at)
        y = 100 + 12 * at
        if side == "before":
            put(page, 60, y, f"{number} {line}")
        else:
            width = pymupdf.Font("tiro").text_length(f"{line} ", 10)
            put(page, 500 - width, y, f"{line} {number}")
    pack = extract(paper.save(tmp_path / "a.pdf"))
    body = " ".join(" ".join(bodies(pack)).split())
    assert not any(char.isdecimal() for char in body)
    assert sorted(body.split()) == sorted(" ".join(words).split())
    assert texts(pack, Flow.EXCLUDED) == [str(611 + at) for at in range(15)]


def test_the_numbers_of_a_list_of_contents_stay(tmp_path):
    paper = Paper()
    page = paper.page()
    for number in range(1, 12):
        put(page, 84, 100 + 16 * number, str(number), 10)
        put(page, 100, 100 + 16 * number, " ".join(prose(4, number).split()).capitalize().rstrip("."), 10)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert all(f"{number} " in pack.text for number in range(1, 12))
    assert texts(pack, Flow.EXCLUDED) == []


def test_a_head_that_comes_once_is_text(tmp_path):
    paper = Paper()
    for seed in (1, 2, 3):
        page = paper.page()
        put(page, 60, 60, "Only here" if seed == 2 else f"Ferries and winds, page {seed}", 9)
        flow(page, WHOLE, prose(300, seed))
        put(page, 280, HEIGHT - 40, f"- {seed} -", 9)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert "Only here" not in texts(pack, Flow.EXCLUDED)
    assert "Only here" in pack.text
