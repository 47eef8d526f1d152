"""Extractor `docx`: Word (.docx) and OpenDocument (.odt) texts, read from their XML.

Paragraphs, headings by style or outline level, lists, tables, foot- and endnotes, title and authors. Deleted text of tracked
changes, comments and field codes are no text. Office Open XML: ECMA-376 part 1, §17; OpenDocument: OASIS ODF 1.3 part 3.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.errors import Unreadable
from pincite.markup.files import read_bytes, refuse_no_text
from pincite.spec import Context, Register, hookimpl, setting
from pincite.values.pack import Block, BlockKind, Flow, Pack, Section

PINCITE_CONTRACT = 1
VERSION = 1

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
DC = "{http://purl.org/dc/elements/1.1/}"

_LEVEL = re.compile(r"(?:heading|title|überschrift|titre|título|rubrik|kop)\D*(\d)?", re.I)


@dataclass(frozen=True)
class Settings:
    """``[extractor.docx]``: limits."""

    max_bytes: int = setting(256 << 20, ge=1, description="A larger file is not read.")
    max_text_bytes: int = setting(128 << 20, ge=1, description="A larger part inside the file, unpacked, is not read.")


@dataclass
class Writing:
    """A pack being put together."""

    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    length: int = 0
    open: list[tuple[int, int]] = field(default_factory=list)

    def add(self, words: str, kind: BlockKind = BlockKind.PARAGRAPH, flow: Flow = Flow.BODY, role: str = "") -> None:
        """A block, if there is anything in it."""
        words = "\n".join(" ".join(line.split(" ")).strip() for line in words.strip().split("\n")).strip()
        if not words:
            return
        if self.length:
            self.parts.append("\n\n")
            self.length += 2
        section = self.open[-1][1] if self.open else -1
        self.blocks.append(Block(self.length, self.length + len(words), kind, flow, section, role=role))
        self.parts.append(words)
        self.length += len(words)

    def heading(self, words: str, level: int) -> None:
        """A heading, which opens a section."""
        title = " ".join(words.split())
        if not title:
            return
        while self.open and self.open[-1][0] >= level:
            self.open.pop()
        self.sections.append(Section(title, level, self.open[-1][1] if self.open else -1))
        self.open.append((level, len(self.sections) - 1))
        self.add(title, BlockKind.HEADING)


@dataclass(frozen=True)
class DocxExtractor:
    """Implements `pincite.spec.Extractor`."""

    settings: Settings = field(default_factory=Settings)
    name: str = "docx"
    version: int = VERSION

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The document's text with its structure."""
        data = read_bytes(path, self.settings.max_bytes)
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise Unreadable(
                "encrypted", f"{path.name} is encrypted, or an old Office file; save it as .docx without a password"
            )
        writing, metadata = Writing(), {}
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                names = set(archive.namelist())
                if "word/document.xml" in names:
                    form = "docx"
                    metadata = self._metadata(archive, names, "docProps/core.xml")
                    self._word(archive, names, writing)
                elif "content.xml" in names:
                    form = "odt"
                    metadata = self._metadata(archive, names, "meta.xml")
                    self._open_document(archive, writing)
                else:
                    raise Unreadable("not-a-document", f"{path.name} is no Word or OpenDocument text")
        except Unreadable:
            raise
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            ValueError,
            RuntimeError,
            NotImplementedError,
            KeyError,
            OSError,
        ) as error:
            raise Unreadable(
                "damaged", f"{path.name} cannot be unpacked: {' '.join(str(error).split())[:200]}"
            ) from None
        text = "".join(writing.parts)
        refuse_no_text(text, path.name)
        return Pack(
            form,
            text,
            tuple(writing.blocks),
            tuple(writing.sections),
            metadata=metadata,
            extractor=self.name,
            extractor_version=VERSION,
        )

    # ------------------------------------------------------------------------------------------ Word

    def _word(self, archive: zipfile.ZipFile, names: set[str], writing: Writing) -> None:
        levels = _style_levels(self._xml(archive, "word/styles.xml")) if "word/styles.xml" in names else {}
        body = self._xml(archive, "word/document.xml").find(f"{W}body")
        for element in _blocks(body if body is not None else []):
            if element.tag == f"{W}tbl":
                writing.add("\n".join(_word_rows(element)), BlockKind.TABLE)
                continue
            words = _word_text(element)
            style = element.find(f"{W}pPr/{W}pStyle")
            outline = element.find(f"{W}pPr/{W}outlineLvl")
            named = style.get(f"{W}val", "") if style is not None else ""
            level = int(outline.get(f"{W}val", "9")) + 1 if outline is not None else levels.get(named, 0)
            listed = element.find(f"{W}pPr/{W}numPr") is not None
            if 1 <= level <= 9:
                writing.heading(words, level)
            else:
                writing.add(words, BlockKind.LIST if listed else BlockKind.PARAGRAPH)
        for part, tag in (("word/footnotes.xml", "footnote"), ("word/endnotes.xml", "endnote")):
            if part in names:
                for note in self._xml(archive, part).iter(f"{W}{tag}"):
                    if note.get(f"{W}type") in (None, "normal"):
                        writing.add("\n".join(map(_word_text, note.iter(f"{W}p"))), BlockKind.NOTE, Flow.AUXILIARY)

    # ------------------------------------------------------------------------------------------ OpenDocument

    def _open_document(self, archive: zipfile.ZipFile, writing: Writing) -> None:
        body = self._xml(archive, "content.xml").find(f"{OFFICE}body/{OFFICE}text")
        notes: list[str] = []
        for element, listed in _odf_blocks(body if body is not None else [], False):
            if element.tag == f"{TABLE}table":
                writing.add("\n".join(_odf_rows(element, notes)), BlockKind.TABLE)
            elif element.tag == f"{TEXT}h":
                level = element.get(f"{TEXT}outline-level", "1")
                writing.heading(_odf_text(element, notes), int(level) if level.isdecimal() and int(level) else 1)
            else:
                writing.add(_odf_text(element, notes), BlockKind.LIST if listed else BlockKind.PARAGRAPH)
        for note in notes:
            writing.add(note, BlockKind.NOTE, Flow.AUXILIARY)

    # ------------------------------------------------------------------------------------------ parts

    def _xml(self, archive: zipfile.ZipFile, name: str) -> Any:
        from lxml import etree

        with archive.open(name) as part:
            data = part.read(self.settings.max_text_bytes + 1)
        if len(data) > self.settings.max_text_bytes:
            raise Unreadable(
                "too-large", f"{name} unpacks to more than the {self.settings.max_text_bytes:,} bytes allowed"
            )
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True, remove_pis=True
        )
        root = etree.fromstring(data, parser)
        if root is None:
            raise Unreadable("damaged", f"{name} is not XML")
        return root

    def _metadata(self, archive: zipfile.ZipFile, names: set[str], part: str) -> dict[str, str]:
        if part not in names:
            return {}
        root = self._xml(archive, part)
        found = {"title": "title", "creator": "author", "language": "language", "subject": "subject"}
        values = {
            key: " ".join("".join(element.itertext()).split())
            for tag, key in found.items()
            for element in root.iter(f"{DC}{tag}")
        }
        return {key: value for key, value in values.items() if value}


def _style_levels(root: Any) -> dict[str, int]:
    """Style id → heading level: by its outline level, else by its name."""
    levels = {}
    for style in root.iter(f"{W}style"):
        outline = style.find(f"{W}pPr/{W}outlineLvl")
        name = style.find(f"{W}name")
        named = _LEVEL.fullmatch(name.get(f"{W}val", "")) if name is not None else None
        if outline is not None and outline.get(f"{W}val", "").isdecimal():
            levels[style.get(f"{W}styleId", "")] = int(outline.get(f"{W}val")) + 1
        elif named:
            levels[style.get(f"{W}styleId", "")] = int(named[1] or 1)
    return levels


def _blocks(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, those inside content controls and insertions too."""
    for element in parent:
        if element.tag in (f"{W}p", f"{W}tbl"):
            yield element
        elif element.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml", f"{W}smartTag"):
            yield from _blocks(element)


def _word_text(paragraph: Any) -> str:
    out = []
    for element in paragraph.iter(f"{W}t", f"{W}tab", f"{W}br", f"{W}cr", f"{W}noBreakHyphen", f"{W}p"):
        if element.tag == f"{W}t":
            out.append(element.text or "")
        elif element.tag in (f"{W}br", f"{W}cr"):
            out.append("\n")
        elif element.tag == f"{W}noBreakHyphen":
            out.append("-")
        elif element.tag == f"{W}p":
            out.append("\n" if element is not paragraph else "")
        elif element.getparent().tag == f"{W}r":  # a tab character, not a tab stop
            out.append("\t")
    return "".join(out)


def _word_rows(table: Any) -> Iterator[str]:
    for row in table.iter(f"{W}tr"):
        yield "\t".join(" ".join(" ".join(map(_word_text, cell.iter(f"{W}p"))).split()) for cell in row.iter(f"{W}tc"))


def _odf_blocks(parent: Any, listed: bool) -> Iterator[tuple[Any, bool]]:
    for element in parent:
        if element.tag in (f"{TEXT}p", f"{TEXT}h", f"{TABLE}table"):
            yield element, listed
        elif element.tag in (f"{TEXT}list", f"{TEXT}list-item", f"{TEXT}section", f"{TEXT}index-body"):
            yield from _odf_blocks(element, listed or element.tag == f"{TEXT}list")


def _odf_rows(table: Any, notes: list[str]) -> Iterator[str]:
    for row in table.iter(f"{TABLE}table-row"):
        yield "\t".join(" ".join(_odf_text(cell, notes).split()) for cell in row.iter(f"{TABLE}table-cell"))


def _odf_text(element: Any, notes: list[str]) -> str:
    """The words of a paragraph; its notes are put aside."""
    if element.tag == f"{TEXT}note":
        body = element.find(f"{TEXT}note-body")
        notes.append("\n".join(_odf_text(part, []) for part in body) if body is not None else "")
        return ""
    if element.tag == f"{OFFICE}annotation":
        return ""
    if element.tag == f"{TEXT}s":
        count = element.get(f"{TEXT}c", "1")
        return " " * (min(int(count), 100) if count.isdecimal() else 1)
    if element.tag == f"{TEXT}tab":
        return "\t"
    if element.tag == f"{TEXT}line-break":
        return "\n"
    parts = [re.sub(r"\s+", " ", element.text or "")]
    for child in element:
        parts += [_odf_text(child, notes), re.sub(r"\s+", " ", child.tail or "")]
    return "".join(parts)


@hookimpl
def register_extractors(register: Register) -> None:
    """Registers `docx`."""

    def make(settings: Settings, context: Context) -> Any:
        return DocxExtractor(settings)

    register(
        "docx",
        make,
        settings=Settings,
        version=VERSION,
        suffixes=(".docx", ".docm", ".odt"),
        content_types=(
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.oasis.opendocument.text",
        ),
    )
