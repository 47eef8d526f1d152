import zipfile

import pytest

from pincite.errors import Unreadable
from pincite.testing import ExtractorKit
from pincite.values.pack import BlockKind, Flow
from pincite_docx import Settings
from pincite_docx.extractor import DocxExtractor

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
WORD = {
    "word/document.xml": f"""<w:document {W}><w:body>
<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Kelp after the storm</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">The holdfast </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>grips</w:t></w:r><w:r><w:t xml:space="preserve"> the rock.</w:t><w:footnoteReference w:id="2"/></w:r>
<w:del><w:r><w:delText>never said</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>
<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Plots</w:t></w:r></w:p>
<w:sdt><w:sdtContent><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one urchin</w:t></w:r></w:p></w:sdtContent></w:sdt>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>plot</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:t>潮水退去之后。</w:t></w:r></w:p></w:body></w:document>""",
    "word/styles.xml": f'<w:styles {W}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
    "word/footnotes.xml": f"""<w:footnotes {W}><w:footnote w:type="separator"><w:p/></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:t>See the appendix.</w:t></w:r></w:p></w:footnote></w:footnotes>""",
    "docProps/core.xml": '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Kelp</dc:title><dc:creator>Ada Okafor</dc:creator></c>',
}
ODT = {
    "content.xml": """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text>
<text:h text:outline-level="1">Kelp after the storm</text:h>
<text:p>The holdfast <text:span>grips</text:span><text:s text:c="1"/>the rock.<text:note><text:note-body><text:p>See the appendix.</text:p></text:note-body></text:note></text:p>
<text:h text:outline-level="2">Plots</text:h>
<text:list><text:list-item><text:p>one urchin</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>plot</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>
<text:p>潮水退去之后。</text:p></office:text></office:body></office:document-content>""",
    "meta.xml": '<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Kelp</dc:title><dc:creator>Ada Okafor</dc:creator></m>',
}


def written(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return path


class TestDocx(ExtractorKit):
    name = "docx"
    says = "The holdfast grips the rock."

    def sample(self, folder):
        return written(folder / "kelp.docx", WORD)


class TestOdt(TestDocx):
    def sample(self, folder):
        return written(folder / "kelp.odt", ODT)


@pytest.mark.parametrize(("suffix", "parts"), [("docx", WORD), ("odt", ODT)])
def test_structure(tmp_path, suffix, parts):
    pack = DocxExtractor().extract(written(tmp_path / f"kelp.{suffix}", parts))
    assert [(pack.text[block.start : block.end], block.kind, block.section) for block in pack.blocks] == [
        ("Kelp after the storm", BlockKind.HEADING, 0),
        ("The holdfast grips the rock.", BlockKind.PARAGRAPH, 0),
        ("Plots", BlockKind.HEADING, 1),
        ("one urchin", BlockKind.LIST, 1),
        ("plot\t12", BlockKind.TABLE, 1),
        ("潮水退去之后。", BlockKind.PARAGRAPH, 1),
        ("See the appendix.", BlockKind.NOTE, 0),
    ]
    assert pack.blocks[-1].flow is Flow.AUXILIARY
    assert pack.section_path(1) == ("Kelp after the storm", "Plots")
    assert pack.metadata == {"title": "Kelp", "author": "Ada Okafor"}


M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
RUN = "<w:r><w:t>{}</w:t></w:r>".format
PARAGRAPH = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>".format
BOX = f"<w:txbxContent>{PARAGRAPH('boxed urchins')}</w:txbxContent>"
CELL = f"<w:tc>{PARAGRAPH('{}')}</w:tc>".format
INNER = f"<w:tbl><w:tr>{CELL('a')}{CELL('b')}</w:tr></w:tbl>"


def power(base, exponent):
    return f"<m:sSup><m:e>{base}</m:e><m:sup><m:r><m:t>{exponent}</m:t></m:r></m:sup></m:sSup>"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (
            f'<w:p>{RUN("kelp ")}<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
            f"<mc:Choice>{BOX}</mc:Choice><mc:Fallback>{BOX}</mc:Fallback></mc:AlternateContent></w:r>{RUN('forest')}</w:p>",
            ["kelp forest", "boxed urchins"],
        ),
        (f"<w:p><w:moveFrom>{RUN('kelp')}</w:moveFrom></w:p><w:p><w:moveTo>{RUN('kelp')}</w:moveTo></w:p>", ["kelp"]),
        (f"<w:p><w:ins>{RUN('kelp')}</w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>", ["kelp"]),
        ('<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>kelp</w:t></w:r></w:p>', ["kelp"]),
        (f"<w:tbl><w:tr><w:tc>{INNER}<w:p/></w:tc>{CELL('c')}</w:tr></w:tbl>", ["a b\tc"]),
        (f"<w:tbl><w:tr>{CELL('one')}</w:tr><w:tr>{CELL('two')}</w:tr></w:tbl>", ["one", "two"]),
        (f'<w:p><w:pPr><w:outlineLvl w:val="x"/></w:pPr>{RUN("kelp")}</w:p>', ["kelp"]),
        (f'<w:p><w:pPr><w:pStyle w:val="C1"/></w:pPr>{RUN("Kelp 12")}</w:p>{PARAGRAPH("kelp")}', ["kelp"]),
        (
            "<w:p><w:r><w:ruby><w:rt><w:r><w:t>しお</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>潮</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
            ["潮"],
        ),
        (f'<w:p>{RUN("kelp")}<w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:del></w:p>', ["kelp"]),
        (
            f"<w:p>{RUN('so ')}<m:oMath><m:r><m:t>E=m</m:t></m:r>{power('<m:r><m:t>c</m:t></m:r>', 2)}</m:oMath></w:p>",
            ["so E=mc^2"],
        ),
        (
            f"<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den>{power('<m:r><m:t>x</m:t></m:r>', 'n+1')}</m:den></m:f></m:oMath></w:p>",
            ["(a+b)/(x^(n+1))"],
        ),
        (
            "<w:p><m:oMath><m:d><m:e><m:rad><m:deg/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad></m:e></m:d></m:oMath></w:p>",
            ["(√x)"],
        ),
        (
            '<w:p><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i</m:t></m:r></m:sub><m:sup/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:nary></m:oMath></w:p>',
            ["∑_i x"],
        ),
        (PARAGRAPH("שלום עולם"), ["שלום עולם"]),
    ],
)
def test_a_word_document_says_what_it_shows_once(tmp_path, body, shown):
    styles = f'<w:styles {W}><w:style w:styleId="C1"><w:name w:val="toc 1"/></w:style></w:styles>'
    document = f"<w:document {W} {M}><w:body>{body}</w:body></w:document>"
    parts = {**WORD, "word/document.xml": document, "word/styles.xml": styles}
    pack = DocxExtractor().extract(written(tmp_path / "kelp.docx", parts))
    assert [pack.text[block.start : block.end] for block in pack.blocks] == shown


def test_a_heading_is_known_by_the_style_that_its_style_is_based_on(tmp_path):
    styles = (
        f'<w:styles {W}><w:style w:styleId="Chapter"><w:name w:val="Chapter"/><w:basedOn w:val="H"/></w:style>'
        '<w:style w:styleId="H"><w:name w:val="heading 2"/></w:style></w:styles>'
    )
    body = f'<w:p><w:pPr><w:pStyle w:val="Chapter"/></w:pPr>{RUN("Plots")}</w:p>{PARAGRAPH("kelp")}'
    parts = {"word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>", "word/styles.xml": styles}
    pack = DocxExtractor().extract(written(tmp_path / "kelp.docx", parts))
    assert [(section.title, section.level) for section in pack.sections] == [("Plots", 2)]


def test_the_text_is_where_the_package_says_and_strict_files_are_read(tmp_path):
    strict = "http://purl.oclc.org/ooxml"
    parts = {
        "_rels/.rels": f'<r><e Type="{strict}/officeDocument/relationships/officeDocument" Target="/word/document2.xml"/></r>',
        "word/document2.xml": f'<w:document xmlns:w="{strict}/wordprocessingml/main"><w:body>{PARAGRAPH("kelp")}</w:body></w:document>',
    }
    assert DocxExtractor().extract(written(tmp_path / "kelp.docx", parts)).text == "kelp"


def test_the_note_of_a_heading_stands_under_that_heading(tmp_path):
    note = "<text:note><text:note-body><text:p>See the appendix.</text:p></text:note-body></text:note>"
    content = ODF(f"<text:h>Kelp</text:h><text:p>urchins</text:p><text:h>Plots{note}</text:h><text:p>twelve</text:p>")
    pack = DocxExtractor().extract(written(tmp_path / "kelp.odt", {"content.xml": content}))
    assert [section.title for section in pack.sections] == ["Kelp", "Plots"]
    assert (pack.blocks[-1].kind, pack.blocks[-1].section) == (BlockKind.NOTE, 1)


@pytest.mark.parametrize(("heading", "title"), [("Kelp", {"title": "Kelp"}), ("Introduction", {})])
def test_a_heading_that_the_text_begins_with_is_the_title(tmp_path, heading, title):
    content = ODF(f"<text:h>{heading}</text:h><text:p>urchins</text:p>")
    assert DocxExtractor().extract(written(tmp_path / "kelp.odt", {"content.xml": content})).metadata == title


def test_a_title_that_is_only_on_the_page_is_the_title(tmp_path):
    styles = f'<w:styles {W}><w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>'
    body = f'<w:p><w:pPr><w:pStyle w:val="T"/></w:pPr>{RUN("Kelp")}</w:p>{PARAGRAPH("urchins")}'
    parts = {"word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>", "word/styles.xml": styles}
    pack = DocxExtractor().extract(written(tmp_path / "kelp.docx", parts))
    assert (pack.metadata, pack.blocks[0].role) == ({"title": "Kelp"}, "title")


ODF = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 ><office:body><office:text>{}</office:text></office:body></office:document-content>""".format
ODF_CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>".format
ODF_INNER = f"<table:table><table:table-row>{ODF_CELL('a')}{ODF_CELL('b')}</table:table-row></table:table>"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (
            "<text:p>kelp<draw:frame><draw:text-box><text:p>boxed</text:p><text:p>urchins</text:p></draw:text-box><svg:desc>a picture</svg:desc></draw:frame> forest</text:p>",
            ["kelp forest", "boxed", "urchins"],
        ),
        ("<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>", ["boxed"]),
        (
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>kelp</text:p>",
            ["kelp"],
        ),
        ("<text:p>kelp<office:annotation><text:p>a remark</text:p></office:annotation></text:p>", ["kelp"]),
        (
            f"<table:table><table:table-header-rows><table:table-row><table:table-cell>{ODF_INNER}</table:table-cell>{ODF_CELL('c')}</table:table-row></table:table-header-rows></table:table>",
            ["a b\tc"],
        ),
        (
            "<text:p>kelp<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:note-body></text:note></text:p>",
            ["kelp", "one\ntwo"],
        ),
        (
            '<text:p>so <draw:frame><draw:object xlink:href="./Object 1"/><svg:desc>formula</svg:desc></draw:frame></text:p>',
            ["so E = m c^2"],
        ),
        (
            "<text:bibliography><text:index-body><text:p>Okafor 2018</text:p></text:index-body></text:bibliography>",
            ["Okafor 2018"],
        ),
        (
            "<text:table-of-content><text:index-body><text:p>Kelp 12</text:p></text:index-body></text:table-of-content><text:p>kelp</text:p>",
            ["kelp"],
        ),
    ],
)
def test_an_opendocument_text_says_what_it_shows_once(tmp_path, body, shown):
    formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>E</mi><annotation>E = m c^2</annotation></semantics></math>'
    path = written(tmp_path / "kelp.odt", {"content.xml": ODF(body), "Object 1/content.xml": formula})
    pack = DocxExtractor().extract(path)
    assert [pack.text[block.start : block.end] for block in pack.blocks] == shown


def test_the_author_of_an_opendocument_text_is_who_began_it(tmp_path):
    meta = (
        '<m xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0">'
        "<meta:initial-creator>Ada Okafor</meta:initial-creator><dc:creator>Uwe Brandt</dc:creator></m>"
    )
    pack = DocxExtractor().extract(written(tmp_path / "kelp.odt", {**ODT, "meta.xml": meta}))
    assert pack.metadata["author"] == "Ada Okafor"


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path):
    path = written(tmp_path / "bomb.docx", {"word/document.xml": " " * (200 << 20)})
    with pytest.raises(Unreadable, match="unpacks to more than"):
        DocxExtractor().extract(path)


def test_many_small_parts_are_bounded_together(tmp_path):
    body = "".join(f'<text:p><draw:object xlink:href="./{n}"/></text:p>' for n in range(9))
    parts = {"content.xml": ODF(body), **{f"{n}/content.xml": "<m>" + " " * 200 + "</m>" for n in range(9)}}
    path = written(tmp_path / "bomb.odt", parts)
    with pytest.raises(Unreadable, match="unpacks to more than"):
        DocxExtractor(Settings(max_text_bytes=2000)).extract(path)


@pytest.mark.parametrize("data", [b"", b" ", b"\0\1\2", b"\xff\xfe<", b"words", b"<", b"<!DOCTYPE d>"])
def test_a_part_that_is_no_xml_is_damage(tmp_path, data):
    path = tmp_path / "kelp.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", data)
    with pytest.raises(Unreadable, match="word/document.xml is not XML; save the file again") as caught:
        DocxExtractor().extract(path)
    assert caught.value.verdict == "damaged"


@pytest.mark.parametrize("names", [("xl/workbook.xml",), ("word/document.xml",), ("content.xml",), ("notes.txt",)])
def test_another_archive_is_no_text(tmp_path, names):
    with pytest.raises(Unreadable) as caught:
        DocxExtractor().extract(written(tmp_path / "kelp.docx", dict.fromkeys(names, "<other/>")))
    assert caught.value.verdict == "not-a-document"


def test_entities_are_not_resolved(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    text = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]><w:document {W}><w:body><w:p><w:r><w:t>kelp &x;</w:t></w:r></w:p></w:body></w:document>'
    path = tmp_path / "kelp.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", text)
    assert "secret" not in DocxExtractor().extract(path).text


@pytest.mark.parametrize("form", ["docx", "odt"])
def test_an_encrypted_file_is_named_so(tmp_path, form):
    path = tmp_path / f"locked.{form}"
    if form == "docx":
        path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    else:
        written(path, {"content.xml": "\0\1\2", "META-INF/manifest.xml": "<m><encryption-data/></m>"})
    with pytest.raises(Unreadable) as caught:
        DocxExtractor().extract(path)
    assert caught.value.verdict == "encrypted"
