"""specs/07-verdicts.md: files that cannot be read, or not whole; labels, annotations, health."""

import tomllib
from pathlib import Path

import pymupdf
import pytest

from pdf_pages import LEFT, Paper, extract, flow, prose, put
from pincite.errors import Unreadable
from pincite.values.pack import Flow, Health

VERDICTS = tomllib.loads((Path(__file__).parents[3] / "conformance" / "verdicts.toml").read_text())


@pytest.fixture
def locked(tmp_path):
    paper = Paper()
    put(paper.page(), 60, 100, "Behind the harbour gate")
    return paper.save(tmp_path / "a.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="gate", owner_pw="keeper")


def verdict(path, **settings):
    with pytest.raises(Unreadable) as caught:
        extract(path, **settings)
    assert str(path) in caught.value.reason
    assert "\n" not in caught.value.reason
    return caught.value


def test_a_password_is_asked_for(locked):
    assert verdict(locked).verdict == "encrypted"
    assert verdict(locked, passwords=("wrong",)).verdict == "encrypted"


def test_passwords_of_the_file_and_of_the_settings_are_tried(locked):
    assert extract(locked, "gate").text == "Behind the harbour gate"
    assert extract(locked, passwords=("no", "keeper")).text == "Behind the harbour gate"


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", "empty"), (b"just some text, no PDF", "not-a-document"), (b"%PDF-1.7\n%%EOF", "damaged")],
)
def test_what_is_no_document(tmp_path, capfd, content, expected):
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    error = verdict(path)
    assert (error.verdict, error.passing) == (expected, False)
    assert capfd.readouterr() == ("", "")


def test_a_file_that_is_gone(tmp_path):
    error = verdict(tmp_path / "a.pdf")
    assert (error.verdict, error.passing) == ("missing", True)


@pytest.mark.parametrize("setting", ["max_pages", "max_bytes", "max_characters"])
def test_limits(tmp_path, setting):
    paper = Paper()
    for _ in range(3):
        put(paper.page(), 60, 100, "A page of a long book")
    assert verdict(paper.save(tmp_path / "a.pdf"), **{setting: 2}).verdict == "too-large"


def test_a_file_cut_short_is_read_after_repair_or_called_damaged(tmp_path):
    paper = Paper()
    flow(paper.page(), LEFT, prose(100, 1))
    path = paper.save(tmp_path / "a.pdf")
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"xref")])
    pack = extract(path)
    assert pack.metadata["verdict"] == "repaired"
    assert " ".join(pack.text.split()) == prose(100, 1)


def test_a_scan_has_pages_and_no_letters(tmp_path):
    paper = Paper()
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40), False)
    picture.clear_with(200)
    paper.page().insert_image(pymupdf.Rect(60, 60, 500, 700), pixmap=picture)
    paper.page()
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [(page.health, page.reason) for page in pack.pages] == [
        (Health.NONE, "no text: a picture of a page"),
        (Health.NONE, "no text"),
    ]
    assert (pack.letters, pack.text) == (0, "")


def test_text_of_a_garbled_page_is_kept_and_left_out(tmp_path):
    paper = Paper()
    flow(paper.page(), LEFT, prose(100, 1))
    page = paper.page()
    for line in range(12):
        put(page, 60, 100 + 14 * line, '7K$H\\I #HU"UG D+GX\\@ H[F<S# W%K!E Z$H?Q =M^{C_ |L~P` Q;B>V')
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [page.health for page in pack.pages] == [Health.GOOD, Health.GARBLED]
    assert {b.flow for b in pack.blocks if b.page == 2} == {Flow.EXCLUDED}
    assert pack.pages[1].reason


def test_page_labels_are_kept_beside_the_numbers(tmp_path):
    paper = Paper()
    for _ in range(4):
        put(paper.page(), 60, 100, "A page of a long book")
    paper.document.set_page_labels([
        {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 11},
        {"startpage": 2, "prefix": "S", "style": "D", "firstpagenum": 3},
    ])  # fmt: skip
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [page.label for page in pack.pages] == ["xi", "xii", "S3", "S4"]


def test_no_label_is_invented(tmp_path):
    paper = Paper()
    put(paper.page(), 60, 100, "A page of a long book")
    assert extract(paper.save(tmp_path / "a.pdf")).pages[0].label is None


@pytest.mark.parametrize("rotation", [0, 90])
def test_annotations_come_with_what_they_mark(tmp_path, rotation):
    paper = Paper()
    page = paper.page()
    put(page, 60, 100, "The ferry leaves twice a day from the old quay.")
    put(page, 60, 130, "Nothing sails in a northerly wind.")
    for words, comment in (("leaves twice a day", "check the timetable"), ("northerly wind", "")):
        annotation = page.add_highlight_annot(page.search_for(words))
        annotation.set_info(content=comment)
        annotation.update()
    page.add_text_annot((400, 300), "ask the harbourmaster")
    page.set_rotation(rotation)
    pack = extract(paper.save(tmp_path / "a.pdf"))
    assert [(a.kind, a.text, a.comment, a.page) for a in pack.annotations] == [
        ("highlight", "leaves twice a day", "check the timetable", 1),
        ("highlight", "northerly wind", "", 1),
        ("note", "", "ask the harbourmaster", 1),
    ]
    assert pack.annotations[0].color.startswith("#")


def test_links_are_no_annotations(tmp_path):
    paper = Paper()
    page = paper.page()
    put(page, 60, 100, "See the port's own pages.")
    page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(60, 90, 200, 105), "uri": "https://example.org"})
    assert extract(paper.save(tmp_path / "a.pdf")).annotations == ()


def test_the_extractor_goes_to_another_process():
    import pickle

    from pincite_plugins.extractors.pdf import Settings
    from pincite_plugins.extractors.pdf.extractor import PdfExtractor

    assert pickle.loads(pickle.dumps(PdfExtractor(Settings(max_pages=7)))).settings.max_pages == 7


@pytest.mark.corpora
@pytest.mark.parametrize("name", sorted(VERDICTS["broken"]))
def test_hostile_files(corpora, capfd, name):
    expected = VERDICTS["broken"][name]
    path = corpora / "docs" / "broken" / name
    try:
        pack = extract(path, expected.get("password"))
    except Unreadable as error:
        found = error.verdict
    else:
        found = pack.metadata.get("verdict", "") or ("no-text" if pack.letters == 0 else "readable")
    assert found == expected["verdict"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.corpora
def test_every_hostile_file_has_its_verdict(corpora):
    assert {path.name for path in (corpora / "docs" / "broken").iterdir()} == set(VERDICTS["broken"])
