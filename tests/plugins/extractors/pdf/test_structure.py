"""specs/04-packs.md, "Structure": headings, sections, roles, bibliographies, captions, notes."""

import pymupdf
import pytest

from pdf_pages import LEFT, RIGHT, WHOLE, Paper, bodies, extract, flow, prose, put, texts
from pincite.values.pack import BlockKind, Flow


def article(paper: Paper, words: dict[str, str], title: str = "On the Ferries of the North") -> None:
    """A short article whose headings are in some language."""
    page = paper.page()
    put(page, 120, 80, title, 18, bold=True)
    put(page, 200, 110, "Ana Lima, Bo Strand", 11)
    put(page, 60, 150, words["abstract"], 11, bold=True)
    flow(page, pymupdf.Rect(60, 160, 535, 230), prose(50, 1))
    put(page, 60, 260, f"1 {words['introduction']}", 12, bold=True)
    flow(page, pymupdf.Rect(60, 270, 535, 480), prose(150, 2))
    put(page, 60, 520, "1.1 Winds", 11, bold=True)
    flow(page, pymupdf.Rect(60, 530, 535, 740), prose(150, 3))
    page = paper.page()
    put(page, 60, 100, words["references"], 12, bold=True)
    for at in range(4):
        put(page, 60, 120 + at * 30, f"[{at + 1}] B. Strand and A. Lima. Currents of the sound, volume {at}.")
        put(page, 78, 132 + at * 30, f"Harbour Press, {1990 + at}.")
    put(page, 60, 270, "A Tables of tides", 12, bold=True)
    flow(page, pymupdf.Rect(60, 280, 535, 420), prose(90, 4))


LANGUAGES = [
    {"abstract": "Abstract", "introduction": "Introduction", "references": "References"},
    {"abstract": "Zusammenfassung", "introduction": "Einleitung", "references": "Literaturverzeichnis"},
    {"abstract": "Résumé", "introduction": "Introduction", "references": "Références"},
    {"abstract": "Resumen", "introduction": "Introducción", "references": "Bibliografía"},
]


@pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words["references"])
def test_an_article(tmp_path, words):
    paper = Paper()
    article(paper, words)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    paths = [pack.section_path(at) for at in range(len(pack.sections))]
    head = f"1 {words['introduction']}"
    assert paths == [
        (words["abstract"],),
        (head,),
        (head, "1.1 Winds"),
        (words["references"],),
        ("A Tables of tides",),
    ]
    roles = {b.role: " ".join(pack.text[b.start : b.end].split()) for b in pack.blocks if b.role}
    assert roles == {"title": "On the Ferries of the North", "authors": "Ana Lima, Bo Strand", "abstract": prose(50, 1)}
    entries = [pack.text[b.start : b.end] for b in pack.blocks if b.reference]
    assert len(entries) == 4
    assert all("\nHarbour Press" in entry for entry in entries)
    appendix = next(b for b in pack.blocks if " ".join(pack.text[b.start : b.end].split()) == prose(90, 4))
    assert not appendix.reference
    assert pack.metadata["title"] == "On the Ferries of the North"
    front = [b for b in pack.blocks if b.section == -1]
    assert {b.role for b in front} == {"title", "authors"}


@pytest.mark.parametrize(("references", "introduction"), [("参考文献", "1 引言"), ("参考文献", "1 はじめに")])
def test_chinese_and_japanese_headings(tmp_path, references, introduction):
    font = "china-s" if "引" in introduction else "japan"
    paper = Paper()
    page = paper.page()
    for y, text, size in ((80, "海峡渡船的潮汐与风的研究", 18), (150, introduction, 13), (420, references, 13)):
        page.insert_text((60, y), text, fontsize=size, fontname=font)
    line = "潮水每天涨落两次，港口的深度也随之变化，渡船只能在高潮时进出港口。"
    for at in range(12):
        page.insert_text((60, 175 + 16 * at), line, fontsize=10, fontname=font)
    for at in range(3):
        page.insert_text(
            (60, 445 + 16 * at), f"[{at + 1}] 海港潮汐记录，第{at + 1}卷，1990年。", fontsize=10, fontname=font
        )
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [s.title for s in pack.sections] == [introduction, references]
    assert sum(b.reference for b in pack.blocks) == 3


def test_the_outline_gives_the_levels(tmp_path):
    paper = Paper()
    page = paper.page()
    put(page, 60, 70, "A Year of Ferries", 18, bold=True)
    put(page, 60, 100, "Winds", 12, bold=True)
    flow(page, pymupdf.Rect(60, 110, 535, 300), prose(120, 1))
    put(page, 60, 330, "Northerly", 12, bold=True)
    flow(page, pymupdf.Rect(60, 340, 535, 600), prose(120, 2))
    paper.document.set_toc([[1, "Winds", 1], [2, "Northerly", 1]])
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [pack.section_path(at) for at in range(2)] == [("Winds",), ("Winds", "Northerly")]


def test_an_outline_entry_makes_a_heading_of_plain_text(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, pymupdf.Rect(60, 90, 535, 250), prose(90, 1))
    put(page, 60, 300, "calm days")
    flow(page, pymupdf.Rect(60, 330, 535, 500), prose(90, 2))
    paper.document.set_toc([[1, "Calm days", 1]])
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [s.title for s in pack.sections] == ["calm days"]


def test_captions_are_told_from_sentences_that_begin_alike(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, pymupdf.Rect(60, 90, 535, 250), "Figure 3 shows how the wind turns in May and " + prose(90, 1).lower())
    put(page, 60, 420, "Figure 3: Winds in May.", 9)
    put(page, 60, 460, "Table S2. Tides in May.", 9)
    put(page, 60, 480, "Abb. 4: Häfen im Mai.", 9)
    page.insert_text((60, 500), "图5 五月的风。", fontsize=9, fontname="china-s")
    pack = extract(paper.save(tmp_path / "a.pdf"))
    captions = [" ".join(pack.text[b.start : b.end].split()) for b in pack.blocks if b.kind is BlockKind.CAPTION]
    assert captions == ["Figure 3: Winds in May.", "Table S2. Tides in May.", "Abb. 4: Häfen im Mai.", "图5 五月的风。"]


def test_an_abstract_in_small_print_is_no_footnote(tmp_path):
    paper = Paper()
    page = paper.page()
    put(page, 120, 80, "On the Ferries of the North", 18, bold=True)
    put(page, 60, 400, "Abstract", 8, bold=True)
    flow(page, pymupdf.Rect(60, 410, 535, 700), prose(200, 1), 8)
    page = paper.page()
    flow(page, WHOLE, prose(500, 2))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [b.role for b in pack.blocks if b.page == 1] == ["title", "", "abstract"]


@pytest.mark.parametrize(
    "junk", ["ferry07.dvi", "Microsoft Word - ferry_final.doc", "untitled", "C:\\papers\\ferry.pdf", ""]
)
def test_the_printed_title_stands_in_for_a_junk_one(tmp_path, junk):
    paper = Paper()
    article(paper, LANGUAGES[0])
    paper.document.set_metadata({"title": junk, "author": "strand"})
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert pack.metadata["title"] == "On the Ferries of the North"
    assert "author" not in pack.metadata


def test_a_declared_title_is_kept_where_nothing_printed_stands_out(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, WHOLE, prose(300, 1))
    paper.document.set_metadata({"title": "A Year of Ferries", "author": "Ana Lima"})
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert (pack.metadata["title"], pack.metadata["author"]) == ("A Year of Ferries", "Ana Lima")


def test_a_doi_and_a_year_are_found_on_the_first_page(tmp_path):
    paper = Paper()
    page = paper.page()
    put(page, 60, 60, "Journal of Ferries 12 (2019), doi: 10.5555/jf.2019.12.", 8)
    flow(page, WHOLE, prose(300, 1))
    paper.document.set_metadata({"creationDate": "D:20191103120000Z"})
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert (pack.metadata["doi"], pack.metadata["year"]) == ("10.5555/jf.2019.12", "2019")


def test_code_keeps_its_lines(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, pymupdf.Rect(60, 90, 535, 200), prose(60, 1))
    for at, line in enumerate(("def tide(hour):", "return sin(hour / 12.4)")):
        page.insert_text((80, 230 + 12 * at), line, fontsize=9, fontname="cour")
    flow(page, pymupdf.Rect(60, 280, 535, 400), prose(60, 2))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    code = [pack.text[b.start : b.end] for b in pack.blocks if b.kind is BlockKind.PREFORMATTED]
    assert code == ["def tide(hour):\nreturn sin(hour / 12.4)"]


def test_slanted_print_is_left_out(tmp_path):
    paper = Paper()
    page = paper.page()
    flow(page, pymupdf.Rect(60, 90, 535, 300), prose(120, 1))
    page.insert_text((200, 600), "DRAFT COPY", fontsize=40, morph=(pymupdf.Point(200, 600), pymupdf.Matrix(40)))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert texts(pack, Flow.EXCLUDED) == ["DRAFT COPY"]


@pytest.mark.parametrize(
    ("text", "flow_"), [("3https://bells.example/tower", Flow.AUXILIARY), ("ring(tower, 3)", Flow.BODY)]
)
def test_an_address_at_the_foot_of_a_column_is_a_note_and_code_is_none(tmp_path, text, flow_):
    paper = Paper()
    page = paper.page()
    rest = flow(page, LEFT, prose(700, 21))
    page.insert_text((60, 760), text, fontsize=8, fontname="cour")
    flow(page, RIGHT, rest, indent=False)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    (block,) = [block for block in pack.blocks if text in pack.text[block.start : block.end]]
    assert block.flow is flow_
    assert (len(bodies(pack)) == 1) is (flow_ is Flow.AUXILIARY)


def test_a_table_takes_its_title_and_its_notes_out_of_the_text(tmp_path):
    """Over two columns: a line that says "Table 5" alone, a title of two lines, cells, notes with their marks."""
    paper = Paper()
    page = paper.page()
    flow(page, LEFT, prose(300, 1))
    flow(page, RIGHT, prose(290, 2) + " and the boats that came late")
    page = paper.page()
    put(page, 60, 80, "Table 5", 8)
    put(page, 60, 90, "Catches of the northern harbours in the years after the storm, as the " + prose(9, 3), 8)
    put(page, 60, 100, "harbour master wrote them down", 8)
    for at in range(6):
        for column, cell in enumerate(("Ness", "21", "1516", "57")):
            put(page, 60 + 120 * column, 120 + 10 * at, cell, 8)
    put(
        page,
        64,
        190,
        "a Rains are those of the year that was used, and the number beside them says how far " + prose(12, 4),
        8,
    )
    put(page, 60, 200, "they lay from the mean.", 8)
    put(page, 64, 210, "b Counted by hand.", 8)
    flow(page, pymupdf.Rect(60, 260, 285, 760), "lay in the sound until noon. " + prose(250, 5))
    flow(page, pymupdf.Rect(310, 260, 535, 760), prose(250, 6))
    pack = extract(paper.save(tmp_path / "a.pdf"))
    body = " ".join(" ".join(pack.text[b.start : b.end].split()) for b in pack.blocks if b.flow is Flow.BODY)
    assert "the boats that came late lay in the sound until noon" in body
    beside = " ".join(" ".join(pack.text[b.start : b.end].split()) for b in pack.blocks if b.flow is Flow.AUXILIARY)
    for words in (
        "Table 5",
        "Catches of the northern",
        "wrote them down",
        "1516",
        "a Rains",
        "from the mean",
        "b Counted",
    ):
        assert words in beside
        assert words not in body
