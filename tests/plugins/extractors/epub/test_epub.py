"""EPUB → pack."""

from __future__ import annotations

import io
import zipfile
import zlib

import pytest

from pincite.errors import Unreadable
from pincite.markup.encoding import decode
from pincite.markup.parse import declared_encoding, parse_xhtml
from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.epub.archive import Archive
from pincite_plugins.extractors.epub.extractor import EpubExtractor
from pincite_plugins.extractors.epub.package import read_package

WHITE = str.maketrans("\n\r\t\f", "    ")
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
META = (
    '<dc:title id="s">A Subtitle</dc:title><dc:title id="t">The Tidal Clock</dc:title>'
    '<meta refines="#t" property="title-type">main</meta>'
    '<dc:creator id="a">Amina Noor</dc:creator><dc:creator id="b">Ida Brandt</dc:creator>'
    '<meta refines="#b" property="role" scheme="marc:relators">ill</meta>'
    "<dc:language>de-AT</dc:language><dc:date>2011-04-02</dc:date><dc:publisher>Shore Press</dc:publisher>"
    "<dc:identifier>urn:isbn:9780306406157</dc:identifier><dc:subject>crabs</dc:subject><dc:subject>tides</dc:subject>"
)


def page(body: str, head: str = "<title>x</title>") -> str:
    return (
        f'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head>{head}</head><body>{body}</body></html>'
    )


def package(documents, extra="", spine=None, metadata=META) -> str:
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(documents)
    )
    references = "".join(f'<itemref idref="{name}"/>' for name in spine or [f"i{n}" for n in range(len(documents))])
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata>{metadata}</metadata><manifest>{items}{extra}</manifest><spine>{references}</spine></package>"
    )


def book(path, documents, files=(), compression=zipfile.ZIP_DEFLATED, **options):
    """Writes a book: `documents` is name → markup in spine order, `files` more entries."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OPS/book.opf", package(documents, **options))
        for name, markup in documents.items():
            if markup is not None:
                archive.writestr(f"OPS/{name}", markup)
        for name, data in dict(files).items():
            archive.writestr(name, data)
    return path


def node_text(root, steps):
    """What a CFI path leads to: a text node's text, or a picture's."""
    element = root
    for step in steps[:-1]:
        element = [child for child in element if isinstance(child.tag, str)][step // 2 - 1]
    if steps[-1] % 2 == 0:
        return [child for child in element if isinstance(child.tag, str)][steps[-1] // 2 - 1].get("alt").strip()
    texts, at = {1: element.text or ""}, 1
    for child in element:
        at += 2 if isinstance(child.tag, str) else 0
        texts[at] = texts.get(at, "") + (child.tail or "")
    return texts[steps[-1]]


def read(path, **options):
    """The pack, with every run checked against the book."""
    pack = EpubExtractor(**options).extract(path)
    archive = Archive(path, 1 << 30, 1 << 30)
    roots = {}
    for document in read_package(archive).documents:
        try:
            data = archive.read(document.entry)
        except Unreadable:
            continue
        roots[document.step] = parse_xhtml(decode(data, declared_encoding(data))[0])
    archive.close()
    for run in pack.runs:
        step, _, inside = run.target.partition("!")
        held = node_text(roots[step], [int(number) for number in inside.strip("/").split("/")])
        length = run.end - run.start
        assert pack.text[run.start : run.end].translate(WHITE) == held[run.offset : run.offset + length].translate(
            WHITE
        )
    return pack


def shown(pack):
    return [(b.kind.value, pack.text[b.start : b.end]) for b in pack.blocks if b.flow is not Flow.EXCLUDED]


def refused(path, **options):
    with pytest.raises(Unreadable) as caught:
        EpubExtractor(**options).extract(path)
    assert path.name in caught.value.reason
    assert "\n" not in caught.value.reason
    return caught.value.verdict


def test_documents_are_read_in_the_order_of_the_spine(tmp_path):
    path = book(
        tmp_path / "a.epub",
        {"b.xhtml": page("<h1>Ebb</h1><p>It goes.</p>"), "a.xhtml": page("<h1>Flow</h1><p>It <i>comes</i>.</p>")},
        spine=["i1", "i0"],
    )
    pack = read(path)
    assert shown(pack) == [
        ("heading", "Flow"),
        ("paragraph", "It comes."),
        ("heading", "Ebb"),
        ("paragraph", "It goes."),
    ]
    assert [run.target for run in pack.runs][:4] == ["/6/2!/4/2/1", "/6/2!/4/4/1", "/6/2!/4/4/2/1", "/6/2!/4/4/3"]


def test_metadata_of_the_package(tmp_path):
    metadata = read(book(tmp_path / "a.epub", {"a.xhtml": page("<p>Text</p>")})).metadata
    assert metadata["title"] == "The Tidal Clock"
    assert metadata["author"] == "Amina Noor"
    assert (metadata["language"], metadata["year"], metadata["isbn"]) == ("de", "2011", "9780306406157")
    assert (metadata["publisher"], metadata["keywords"]) == ("Shore Press", "crabs; tides")


def test_comments_and_sections_of_raw_text_do_not_part_a_text_node(tmp_path):
    pack = read(book(tmp_path / "a.epub", {"a.xhtml": page("<p>one <!-- x -->two <![CDATA[three & ]]>four</p>")}))
    assert shown(pack) == [("paragraph", "one two three & four")]
    assert {run.target for run in pack.runs} == {"/6/2!/4/2/1"}


NCX = (
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint id="p1"><navLabel><text>The Cove</text></navLabel>'
    '<content src="a.xhtml"/><navPoint id="p2"><navLabel><text>At Night</text></navLabel><content src="a.xhtml#n"/></navPoint>'
    '</navPoint></navMap><pageList><pageTarget><navLabel><text>xii</text></navLabel><content src="a.xhtml#n"/></pageTarget>'
    "</pageList></ncx>"
)


def test_a_table_of_contents_gives_titles_to_documents_without_headings(tmp_path):
    extra = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    body = '<p>Crabs wait.</p><p id="n" class="head">At night</p><p>They come.</p>'
    pack = read(book(tmp_path / "a.epub", {"a.xhtml": page(body)}, {"OPS/toc.ncx": NCX}, extra=extra))
    assert [(pack.section_path(b.section), b.page) for b in pack.blocks] == [
        (("The Cove",), None),
        (("The Cove", "At Night"), 1),
        (("The Cove", "At Night"), 1),
    ]
    assert pack.label(1) == "xii"


def test_headings_win_over_the_table_of_contents(tmp_path):
    extra = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    pack = read(
        book(tmp_path / "a.epub", {"a.xhtml": page("<h2>Cove</h2><p>Text</p>")}, {"OPS/toc.ncx": NCX}, extra=extra)
    )
    assert [section.title for section in pack.sections] == ["Cove"]


def test_the_navigation_document_is_no_text_and_tells_pages(tmp_path):
    nav = page(
        '<nav epub:type="toc"><h1>Contents</h1><ol><li><a href="a.xhtml">The Cove</a></li></ol></nav>'
        '<nav epub:type="page-list"><ol><li><a href="a.xhtml#p3">3</a></li></ol></nav>'
    )
    extra = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    documents = {"a.xhtml": page('<p>Crabs wait.</p><p id="p3">They come.</p>')}
    path = book(tmp_path / "a.epub", documents, {"OPS/nav.xhtml": nav}, extra=extra, spine=["nav", "i0"])
    pack = read(path)
    assert shown(pack) == [("paragraph", "Crabs wait."), ("paragraph", "They come.")]
    assert [block.page for block in pack.blocks if block.flow is Flow.BODY] == [None, 1]
    assert [page.label for page in pack.pages] == ["3"]
    assert [section.title for section in pack.sections] == ["The Cove"]


def test_notes_page_breaks_and_bibliographies_by_their_type(tmp_path):
    body = (
        '<p>One<a epub:type="noteref" href="#f">1</a> and<span epub:type="pagebreak" title="7"/> two.</p>'
        '<aside epub:type="footnote" id="f"><p>A note.</p></aside>'
        '<section epub:type="bibliography"><h2>Books</h2><p>Noor, Shore.</p></section>'
    )
    pack = read(book(tmp_path / "a.epub", {"a.xhtml": page(body)}))
    assert shown(pack)[:2] == [("paragraph", "One and two."), ("note", "A note.")]
    assert pack.blocks[1].flow is Flow.AUXILIARY
    assert [b.reference for b in pack.blocks] == [False, False, False, True]
    assert [page.label for page in pack.pages] == ["7"]


def test_right_to_left_text_is_in_its_own_order(tmp_path):
    pack = read(book(tmp_path / "a.epub", {"a.xhtml": page('<p dir="rtl">הסרטן <b>ממתין</b> מתחת לאבן</p>')}))
    assert pack.text == "הסרטן ממתין מתחת לאבן"


def test_broken_markup_is_mended(tmp_path):
    pack = read(book(tmp_path / "a.epub", {"a.xhtml": "<html><body><p>Ebb &nbsp;and<br>flow<p>again & again</body>"}))
    assert [text for _, text in shown(pack)] == ["Ebb \xa0and\nflow", "again & again"]


def test_what_is_missing_is_said_and_the_rest_is_read(tmp_path):
    path = book(tmp_path / "a.epub", {"a.xhtml": None, "b.xhtml": page("<p>Here.</p>")})
    pack = read(path)
    assert pack.text == "Here."
    assert "a.xhtml is missing" in pack.metadata["note"]
    assert pack.runs[0].target.startswith("/6/4!")


def test_a_damaged_document_is_said_and_the_rest_is_read(tmp_path):
    path = book(tmp_path / "a.epub", {"a.xhtml": page("<p>" + "tide " * 500 + "</p>"), "b.xhtml": page("<p>Here.</p>")})
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("OPS/a.xhtml")
    at = info.header_offset + 30 + len(info.filename)
    data[at + 5 : at + 25] = b"\xff" * 20
    path.write_bytes(bytes(data))
    pack = read(path)
    assert pack.text == "Here."
    assert "OPS/a.xhtml is damaged" in pack.metadata["note"]


def test_names_are_found_whatever_their_spelling(tmp_path):
    documents = {"Text/Kap%201.xhtml": None}
    files = {"OPS/text/kap 1.xhtml": page("<p>Here.</p>")}
    assert read(book(tmp_path / "a.epub", documents, files)).text == "Here."


def test_a_container_without_its_index_still_opens(tmp_path):
    path = tmp_path / "a.epub"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("book.opf", package({"a.xhtml": ""}))
        archive.writestr("a.xhtml", page("<p>Here.</p>"))
    assert read(path).text == "Here."


def test_paths_that_lead_out_of_the_archive_lead_nowhere(tmp_path):
    secret = tmp_path / "secret.xhtml"
    secret.write_text(page("<p>the warden's key</p>"))
    documents = {"../../secret.xhtml": None, str(secret): None, secret.as_uri(): None, "a.xhtml": page("<p>Here.</p>")}
    (tmp_path / "in").mkdir()
    path = book(tmp_path / "in" / "a.epub", documents)
    assert EpubExtractor().extract(path).text == "Here."
    assert sorted(file.name for file in tmp_path.rglob("*") if file.is_file()) == ["a.epub", "secret.xhtml"]


def test_a_bomb_is_not_inflated(tmp_path):
    path = book(tmp_path / "a.epub", {"a.xhtml": page("<p>" + " " * 50_000_000 + "</p>")})
    assert path.stat().st_size < 100_000
    assert refused(path, max_text_bytes=10_000_000) == "too-large"


def test_a_bomb_that_lies_about_its_size_is_not_inflated(tmp_path):
    path = book(tmp_path / "a.epub", {"a.xhtml": page("<p>" + "x" * 30_000_000 + "</p>")})
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("OPS/a.xhtml").file_size
    path.write_bytes(data.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little")))
    assert refused(path, max_text_bytes=5_000_000) in ("too-large", "damaged")


def test_entities_are_not_expanded(tmp_path):
    laughs = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "' + "&a;" * 1000 + '"><!ENTITY c "' + "&b;" * 1000 + '">]>'
    body = f'{laughs}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Here &c; now.</p></body></html>'
    assert read(book(tmp_path / "a.epub", {"a.xhtml": body})).text == "Here &c; now."


ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">'
    '<enc:EncryptedData><enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
    '<enc:CipherReference URI="{uri}"/></enc:CipherData></enc:EncryptedData></encryption>'
)


def test_a_locked_book_is_said_to_be(tmp_path):
    locked = ENCRYPTION.format(algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc", uri="OPS/a.xhtml")
    files = {"META-INF/encryption.xml": locked, "META-INF/rights.xml": "<rights/>"}
    path = book(tmp_path / "a.epub", {"a.xhtml": "\x8f\x02 noise"}, files)
    assert refused(path) == "encrypted"


def test_obfuscated_fonts_are_no_lock(tmp_path):
    fonts = ENCRYPTION.format(algorithm="http://www.idpf.org/2008/embedding", uri="OPS/a.xhtml")
    assert read(book(tmp_path / "a.epub", {"a.xhtml": page("<p>Here.</p>")}, {"META-INF/encryption.xml": fonts})).text


# An archive with one encrypted entry (PKWARE's way, password "neap"), as zipfile reads but does not write them.
def zipcrypto(data: bytes, password: bytes) -> bytes:
    raw = []
    for n in range(256):
        value = n
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        raw.append(value)
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte):
        keys[0] = raw[(keys[0] ^ byte) & 0xFF] ^ keys[0] >> 8
        keys[1] = (keys[1] + (keys[0] & 0xFF)) * 134775813 + 1 & 0xFFFFFFFF
        keys[2] = raw[(keys[2] ^ keys[1] >> 24) & 0xFF] ^ keys[2] >> 8

    for byte in password:
        update(byte)
    out = bytearray()
    for byte in data:
        temporary = keys[2] | 2
        out.append(byte ^ (temporary * (temporary ^ 1) >> 8 & 0xFF))
        update(byte)
    return bytes(out)


def encrypted_book(path):
    """A book whose document is encrypted in the archive itself."""
    plain = page("<p>Here.</p>").encode()
    crc = zlib.crc32(plain)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OPS/book.opf", package({"a.xhtml": ""}))
        archive.writestr("OPS/a.xhtml", b"\0" * 12 + plain)
        info = archive.getinfo("OPS/a.xhtml")
        wrong = info.CRC
    data = bytearray(buffer.getvalue())
    cipher = zipcrypto(b"\0" * 11 + bytes([crc >> 24]) + plain, b"neap")
    at = info.header_offset + 30 + len("OPS/a.xhtml")
    data[at : at + len(cipher)] = cipher
    out = bytes(data).replace(wrong.to_bytes(4, "little"), crc.to_bytes(4, "little"))
    out = bytearray(out)
    out[info.header_offset + 6] |= 1
    out[info.header_offset + 22 : info.header_offset + 26] = len(plain).to_bytes(4, "little")
    central = bytes(out).rindex(b"PK\x01\x02")
    out[central + 8] |= 1
    out[central + 24 : central + 28] = len(plain).to_bytes(4, "little")
    path.write_bytes(bytes(out))
    return path


def test_a_password_opens_an_encrypted_archive(tmp_path):
    path = encrypted_book(tmp_path / "a.epub")
    assert refused(path) == "encrypted"
    assert EpubExtractor().extract(path, "neap").text == "Here."


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", "empty"),
        (b"just text", "not-a-document"),
        (b"PK\x03\x04 cut short", "damaged"),
        (b"%PDF-1.7", "not-a-document"),
    ],
)
def test_what_is_no_book_is_said_so(tmp_path, data, verdict):
    path = tmp_path / "a.epub"
    path.write_bytes(data)
    assert refused(path) == verdict


def test_other_refusals(tmp_path):
    assert refused(tmp_path / "none.epub") == "missing"
    path = tmp_path / "z.epub"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "text")
    assert refused(path) == "not-a-document"
    assert refused(book(tmp_path / "p.epub", {"a.xhtml": page('<img src="x.png"/>')})) == "no-text"
    assert refused(book(tmp_path / "m.epub", {"a.xhtml": None})) == "damaged"
    assert refused(book(tmp_path / "n.epub", {})) == "damaged"
    assert refused(book(tmp_path / "l.epub", {"a.xhtml": page("<p>Here.</p>")}), max_bytes=100) == "too-large"


def test_a_book_that_ebooklib_wrote_has_the_order_and_the_metadata_that_ebooklib_gives_it(tmp_path):
    epub = pytest.importorskip("ebooklib.epub")
    made = epub.EpubBook()
    made.set_identifier("978-0-306-40615-7")
    made.set_title("The Tidal Clock")
    made.set_language("en")
    made.add_author("Amina Noor")
    chapters = []
    for n, name in enumerate(("Ebb", "Flow", "Neap")):
        chapter = epub.EpubHtml(title=name, file_name=f"c{n}.xhtml", lang="en")
        chapter.content = f"<h1>{name}</h1><p>Crabs wait for the {name.lower()} tide.</p>"
        made.add_item(chapter)
        chapters.append(chapter)
    made.toc = tuple(chapters)
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    made.spine = ["nav", *reversed(chapters)]
    path = tmp_path / "made.epub"
    epub.write_epub(str(path), made)
    pack = read(path)
    again = epub.read_epub(str(path))
    order = [again.get_item_with_id(name).file_name for name, _ in again.spine if name != "nav"]
    assert order == ["c2.xhtml", "c1.xhtml", "c0.xhtml"]
    assert [section.title for section in pack.sections] == ["Neap", "Flow", "Ebb"]
    assert pack.metadata["title"] == again.get_metadata("DC", "title")[0][0]
    assert pack.metadata["author"] == again.get_metadata("DC", "creator")[0][0]
    assert pack.metadata["isbn"] == "9780306406157"


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("name", "title", "part"),
    [
        ("books/childrens-literature.epub", "Children's Literature", "Tree stood all night quiet and thoughtful"),
        ("books/developers-reference.en.epub", "developers-reference", "As a package maintainer, you're supposed to"),
        ("books/docworker-1.epub", "The Life of Lazarillo de Tormes", "one of the noblest families of Spain"),
        ("books/epub_purvis_poetry.epub", "Poetry", "The poor slave is laid all unheeded and lone"),
        ("books/israelsailing.epub", "", "אבישי נכנס לבניין מנהלת המרינה"),
        ("books/recognizeEPUB_test_DC.epub", "The Mania of the Nations", "centuries ago, when the celestial globe"),
        ("books/regime-anticancer-arabic.epub", "", "من أين تأتي الحياة؟"),
        ("books/tika-xml-ext.epub", "1984", "the clocks were striking thirteen"),
        ("cjk/developers-reference.ja.epub", "", "Debian デベロッパー"),
        ("cjk/kusamakura-japanese-vertical-writing.epub", "草枕", "山路を登りながら"),
    ],
)
def test_books_of_the_corpora(corpora, name, title, part):
    pack = read(corpora / "docs" / name)
    assert title in pack.metadata["title"]
    kept = [pack.text[b.start : b.end] for b in pack.blocks if b.flow is not Flow.EXCLUDED]
    assert any(part in text for text in kept)
    assert any(block.kind is BlockKind.HEADING for block in pack.blocks)
