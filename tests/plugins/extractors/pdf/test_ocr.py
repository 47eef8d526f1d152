"""Pages read by OCR (specs/04-packs.md, "Health"). Where Tesseract's English is installed it reads; else its one call has a stand-in."""

import pymupdf
import pytest

import pincite
from indexes import configure
from pdf_pages import WHOLE, Paper, extract, flow, prose
from pincite.spec import Context
from pincite.text.normalise import fold
from pincite.values.pack import Flow, Health
from pincite_plugins.extractors.pdf import Settings, _pdf, ocr

PROSE = prose(90, 11)
INSTALLED = ocr.tessdata() is not None and (ocr.tessdata() / "eng.traineddata").is_file()


@pytest.fixture
def scan(tmp_path):
    """A page of text, the picture of another, and an empty one; gives the file and the page behind the picture."""
    source = Paper()
    flow(source.page(), WHOLE, PROSE, 12)
    plain = source.save(tmp_path / "plain.pdf")
    paper = Paper()
    flow(paper.page(), WHOLE, prose(120, 12), 11)
    page = paper.page()
    with pymupdf.open(plain) as document:
        page.insert_image(page.rect, pixmap=document[0].get_pixmap(dpi=150))
    paper.page()
    return paper.save(tmp_path / "scan.pdf"), plain


@pytest.fixture
def tesseract(scan, tmp_path, monkeypatch):
    """Tesseract, or the call of it answered with the text of the page behind the picture."""
    if INSTALLED:
        return
    folder = tmp_path / "tessdata"
    folder.mkdir()
    (folder / "eng.traineddata").touch()
    monkeypatch.setenv("TESSDATA_PREFIX", str(folder))
    behind = pymupdf.open(scan[1])

    def read(page, flags, language, dpi, full, tessdata):
        assert (language, dpi, full, tessdata) == ("eng", 300, True, str(folder))
        return behind[0].get_textpage(flags=flags)

    monkeypatch.setattr(pymupdf.Page, "get_textpage_ocr", read)


def words(text):
    return set(fold(text).split())


@pytest.mark.usefixtures("tesseract")
def test_a_picture_of_a_page_is_read_and_marked_as_such(scan):
    pack = extract(scan[0], ocr=True)
    first, second, third = pack.pages
    assert (first.health, first.reason) == (Health.GOOD, "")
    assert second.health is Health.GOOD
    assert second.reason == "read by OCR (no text: a picture of a page)"
    assert (third.health, third.reason) == (Health.NONE, "no text")
    assert pack.metadata["note"] == "1 of 3 pages were read by OCR"
    body = "\n".join(pack.text[b.start : b.end] for b in pack.blocks if b.page == 2 and b.flow is Flow.BODY)
    wanted = words(PROSE)
    assert len(words(body) & wanted) >= 0.9 * len(wanted)
    boxes = pack.places.box[pack.places.page == 2]
    assert boxes[:, 0].min() >= WHOLE.x0 - 3
    assert boxes[:, 2].max() <= WHOLE.x1 + 3


def test_a_picture_of_a_page_is_left_alone_where_the_setting_is_off(scan, monkeypatch):
    monkeypatch.setattr(pymupdf.Page, "get_textpage_ocr", None)
    pack = extract(scan[0])
    assert [page.health for page in pack.pages] == [Health.GOOD, Health.NONE, Health.NONE]
    assert "note" not in pack.metadata


def test_a_page_on_its_side_is_turned_until_it_reads(scan, tmp_path, monkeypatch):
    """The call reads scraps off the side, and words upright; boxes stay in the page's own frame."""
    folder = tmp_path / "tessdata"
    folder.mkdir()
    (folder / "eng.traineddata").touch()
    monkeypatch.setenv("TESSDATA_PREFIX", str(folder))
    behind = pymupdf.open(scan[1])
    scraps = pymupdf.open()
    scraps.new_page().insert_text((60, 90), "ab oo q. c\nO oS x\nii l1 eo")
    asked = []

    def read(page, flags, **options):
        asked.append(page.rotation)
        return (behind if page.rotation == 270 else scraps)[0].get_textpage(flags=flags)

    monkeypatch.setattr(pymupdf.Page, "get_textpage_ocr", read)
    pack = extract(scan[0], ocr=True)
    assert asked == [0, 90, 270]
    assert pack.pages[1].health is Health.GOOD
    assert words(PROSE) <= words(pack.text)
    assert (pack.pages[1].width, pack.pages[1].height) == (595.0, 842.0)


@pytest.mark.usefixtures("tesseract")
def test_an_error_of_one_page_is_its_reason(scan, monkeypatch):
    def fail(page, **options):
        raise RuntimeError("no\nink")

    monkeypatch.setattr(pymupdf.Page, "get_textpage_ocr", fail)
    page = extract(scan[0], ocr=True).pages[1]
    assert page.health is Health.NONE
    assert page.reason == "no text: a picture of a page; OCR failed: no ink"


@pytest.mark.usefixtures("tesseract")
def test_what_the_time_does_not_reach_is_said(scan):
    page = extract(scan[0], ocr=True, ocr_seconds=1e-9).pages[1]
    assert page.reason.endswith("not read by OCR: 1e-09 s were over (extractor.pdf ocr_seconds)")


def test_a_file_is_read_again_once_tesseract_is_there(tmp_path, monkeypatch):
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path / "nowhere"))
    before = _pdf(Settings(ocr=True), Context(home=tmp_path)).version
    assert before == _pdf(Settings(), Context(home=tmp_path)).version
    (tmp_path / "eng.traineddata").touch()
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    assert _pdf(Settings(ocr=True), Context(home=tmp_path)).version > before


@pytest.mark.parametrize(
    ("languages", "says"),
    [(("eng",), "Tesseract is not installed; install it"), (("deu",), "Tesseract has no 'deu' in")],
)
def test_without_tesseract_there_is_one_line(scan, tmp_path, monkeypatch, languages, says):
    """And the file is indexed as far as it has text."""
    folder = tmp_path / "tessdata"
    if languages == ("deu",):
        folder.mkdir()
    monkeypatch.setenv("TESSDATA_PREFIX", str(folder))
    config = configure(tmp_path / "config", f"[extractor.pdf]\nocr = true\nocr_languages = {list(languages)}\n")
    (tmp_path / "library").mkdir()
    scan[0].rename(tmp_path / "library" / "scan.pdf")
    lines = []
    with pincite.open(tmp_path / "library", config=config, note=lines.append) as library:
        report = library.index()
        assert report.totals.indexed == 1
        (entry,) = library.store.files()
        assert dict(entry.pages) == {"good": 1, "none": 2}
    said = [line for line in lines if "Tesseract" in line]
    assert len(said) == 1
    assert says in said[0]
    assert "\n" not in said[0]


@pytest.mark.usefixtures("tesseract")
@pytest.mark.skipif(not INSTALLED, reason="a worker process does not see the stand-in")
def test_a_worker_reads_within_its_memory(scan, tmp_path):
    config = configure(tmp_path / "config", "[extractor.pdf]\nocr = true\n")
    (tmp_path / "library").mkdir()
    scan[0].rename(tmp_path / "library" / "scan.pdf")
    with pincite.open(tmp_path / "library", config=config) as library:
        library.index()
        (entry,) = library.store.files()
        assert dict(entry.pages) == {"good": 2, "none": 1}
        assert entry.reason == "1 of 3 pages were read by OCR"
