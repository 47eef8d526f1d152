"""Makes the PDFs and the EPUB of examples/library from the texts in examples/texts.

    python examples/make_library.py [FOLDER]

A text begins with ``name: value`` lines; then ``# `` begins a section, and every other line is a paragraph.
"""

from __future__ import annotations

import sys
import zipfile
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import pymupdf

HERE = Path(__file__).parent
PDFS = {"night-heat": "halvorsen2022", "strassenbaeume": "aschenbrenner2021", "spacing": "odukoya2019"}
EPUBS = {"bread": "delacourt2018"}

WIDTH, HEIGHT, MARGIN, GUTTER = 420, 595, 54, 18  # A5, in points
TEXT, BOLD = "tiro", "tibo"  # Times, which every reader has
LEADING = 1.3


@dataclass
class Text:
    """A text: its head, and its sections with their paragraphs."""

    head: dict[str, str] = field(default_factory=dict)
    sections: list[tuple[str, list[str]]] = field(default_factory=list)


def read(path: Path) -> Text:
    text = Text()
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            text.sections.append((line[2:], []))
        elif text.sections and line.strip():
            text.sections[-1][1].append(line.strip())
        elif ": " in line:
            name, _, value = line.partition(": ")
            text.head[name] = value
    return text


def lines(words: str, font: str, size: float, width: float) -> list[str]:
    """Words in lines that are no wider than `width`."""
    out = [""]
    for word in words.split():
        longer = f"{out[-1]} {word}".strip()
        if pymupdf.get_text_length(longer, font, size) <= width or not out[-1]:
            out[-1] = longer
        else:
            out.append(word)
    return out


class Press:
    """Sets text into columns, page after page."""

    def __init__(self, columns: int) -> None:
        self.document = pymupdf.open()
        self.columns = columns
        self.width = (WIDTH - 2 * MARGIN - (columns - 1) * GUTTER) / columns
        self.column, self.y, self.top = columns, 0.0, float(MARGIN)
        self.outline: list[list[object]] = []

    def room(self, height: float) -> None:
        """Goes on in the next column or page where `height` does not fit."""
        if self.column < self.columns and self.y + height <= HEIGHT - MARGIN:
            return
        self.column += 1
        if self.column >= self.columns:
            self.document.new_page(width=WIDTH, height=HEIGHT)
            self.column, self.top = 0, float(MARGIN)
        self.y = self.top

    def put(self, words: str, size: float, font: str = TEXT, after: float = 0, whole: bool = False) -> None:
        """A paragraph or heading; `whole` sets it across all columns."""
        for line in lines(words, font, size, WIDTH - 2 * MARGIN if whole else self.width):
            self.room(size * LEADING)
            self.y += size * LEADING
            x = MARGIN + self.column * (self.width + GUTTER)
            self.document[-1].insert_text((x, self.y), line, fontname=font, fontsize=size)
        self.y += after


def make_pdf(text: Text, path: Path) -> None:
    press = Press(int(text.head.get("columns", "1")))
    press.put(text.head["title"], 17, BOLD, 4, whole=True)
    press.put(text.head["subtitle"], 11, after=6, whole=True)
    press.put(", ".join(text.head["author"].split("; ")), 10, after=14, whole=True)
    press.top = press.y
    for number, (heading, paragraphs) in enumerate(text.sections):
        # numbered pages begin with the section after the preface
        press.room(HEIGHT if number == 1 and "labels" in text.head else 60)
        press.put(heading, 11.5, BOLD, 3)
        press.outline.append([1, heading, len(press.document)])
        for paragraph in paragraphs:
            press.put(paragraph, 9.5, after=5)
    document = press.document
    document.set_toc(press.outline)
    if "labels" in text.head:  # the first pages are counted i, ii, …; the rest from 1
        roman = int(text.head["labels"].split()[1]) - 1
        document.set_page_labels(
            [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": roman, "style": "D", "firstpagenum": 1}]
        )
    labels = [page.get_label() or str(page.number + 1) for page in document]
    for page, label in zip(document, labels, strict=True):
        page.insert_text((WIDTH / 2 - 4, HEIGHT - MARGIN / 2), label, fontname=TEXT, fontsize=8)
    document.set_metadata(
        {
            "title": f"{text.head['title']}: {text.head['subtitle']}",
            "author": text.head["author"],
            "keywords": text.head["keywords"],
            "creationDate": "D:20250101000000Z",
            "modDate": "D:20250101000000Z",
        }
    )
    document.save(path, garbage=4, deflate=True, no_new_id=True)


XHTML = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}">
<head><title>{title}</title></head>
<body>{body}</body>
</html>
"""

PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:5e0b2c0e-6d0a-4d0e-9d55-2f6c0a1b7c11</dc:identifier>
<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>{language}</dc:language><dc:date>2018</dc:date>
<meta property="dcterms:modified">2025-01-01T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{manifest}
</manifest>
<spine>{spine}</spine>
</package>
"""

CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""


def make_epub(text: Text, path: Path) -> None:
    head = {name: escape(value) for name, value in text.head.items()}
    files = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    entries = []
    for number, (heading, paragraphs) in enumerate(text.sections, 1):
        body = f"<h1>{escape(heading)}</h1>" + "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
        files[f"chapter{number}.xhtml"] = XHTML.format(title=escape(heading), language=head["language"], body=body)
        entries.append((f"chapter{number}", escape(heading)))
    contents = "".join(f'<li><a href="{id}.xhtml">{heading}</a></li>' for id, heading in entries)
    nav = f'<nav epub:type="toc"><h1>Contents</h1><ol>{contents}</ol></nav>'
    files["nav.xhtml"] = XHTML.format(title="Contents", language=head["language"], body=nav)
    manifest = "\n".join(f'<item id="{id}" href="{id}.xhtml" media-type="application/xhtml+xml"/>' for id, _ in entries)
    spine = "".join(f'<itemref idref="{id}"/>' for id, _ in entries)
    files["package.opf"] = PACKAGE.format(**head, manifest=manifest, spine=spine)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def main(folder: Path) -> None:
    for name in ("papers", "books"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for source, key in PDFS.items():
        make_pdf(read(HERE / "texts" / f"{source}.txt"), folder / "papers" / f"{key}.pdf")
    for source, key in EPUBS.items():
        make_epub(read(HERE / "texts" / f"{source}.txt"), folder / "books" / f"{key}.epub")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "library")
