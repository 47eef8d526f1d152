import zipfile

import pytest

from pincite.errors import Unreadable
from pincite.testing import ExtractorKit
from pincite.values.pack import BlockKind, Flow
from pincite_docx import DocxExtractor

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
WORD = {
    "word/document.xml": f"""<w:document {W}><w:body>
<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Kelp after the storm</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">The holdfast </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>grips</w:t></w:r><w:r><w:t xml:space="preserve"> the rock.</w:t></w:r>
<w:del><w:r><w:delText>never said</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>
<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Plots</w:t></w:r></w:p>
<w:sdt><w:sdtContent><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one urchin</w:t></w:r></w:p></w:sdtContent></w:sdt>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>plot</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:t>潮水退去之后。</w:t></w:r></w:p></w:body></w:document>""",
    "word/styles.xml": f'<w:styles {W}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
    "word/footnotes.xml": f"""<w:footnotes {W}><w:footnote w:type="separator"><w:p/></w:footnote>
<w:footnote><w:p><w:r><w:t>See the appendix.</w:t></w:r></w:p></w:footnote></w:footnotes>""",
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
        ("See the appendix.", BlockKind.NOTE, 1),
    ]
    assert pack.blocks[-1].flow is Flow.AUXILIARY
    assert pack.section_path(1) == ("Kelp after the storm", "Plots")
    assert pack.metadata == {"title": "Kelp", "author": "Ada Okafor"}


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path):
    path = written(tmp_path / "bomb.docx", {"word/document.xml": " " * (200 << 20)})
    with pytest.raises(Unreadable, match="unpacks to more than"):
        DocxExtractor().extract(path)


def test_entities_are_not_resolved(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    text = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]><w:document {W}><w:body><w:p><w:r><w:t>kelp &x;</w:t></w:r></w:p></w:body></w:document>'
    path = tmp_path / "kelp.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", text)
    assert "secret" not in DocxExtractor().extract(path).text


def test_an_encrypted_file_is_named_so(tmp_path):
    path = tmp_path / "locked.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    with pytest.raises(Unreadable) as caught:
        DocxExtractor().extract(path)
    assert caught.value.verdict == "encrypted"
