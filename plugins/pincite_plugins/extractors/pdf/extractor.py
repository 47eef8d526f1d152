"""The extractor itself: a file → its pack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

from pincite.errors import Unreadable
from pincite.values.pack import BlockKind, Flow, Health, Pack, Page
from pincite_plugins.extractors.pdf import VERSION
from pincite_plugins.extractors.pdf.annotations import annotations_of
from pincite_plugins.extractors.pdf.assemble import Builder
from pincite_plugins.extractors.pdf.classify import Measure, classify, foot_of_page
from pincite_plugins.extractors.pdf.columns import Column, reading_order
from pincite_plugins.extractors.pdf.flow import join
from pincite_plugins.extractors.pdf.furniture import take_furniture
from pincite_plugins.extractors.pdf.glyphs import glyphs_of
from pincite_plugins.extractors.pdf.metadata import metadata_of
from pincite_plugins.extractors.pdf.model import Para, Row, Sheet, Turn, around
from pincite_plugins.extractors.pdf.ocr import reader_of
from pincite_plugins.extractors.pdf.opening import open_document
from pincite_plugins.extractors.pdf.outline import match_outline, outline_of
from pincite_plugins.extractors.pdf.paragraphs import body_size, paragraphs_of
from pincite_plugins.extractors.pdf.parts import mark_parts
from pincite_plugins.extractors.pdf.pictures import read_pictures
from pincite_plugins.extractors.pdf.rows import rows_of
from pincite_plugins.extractors.pdf.sections import make_sections
from pincite_plugins.extractors.pdf.sheets import sheet_of

WITH_OCR = 1_000
"""Added where pages are read by OCR: files read before Tesseract was installed are read again."""


class PdfExtractor:
    """Reads PDF files. Holds nothing but its settings, so it goes to a worker as it is.

    `no_ocr`: why pictures of pages are not read although the settings ask for it, in one line; "" else.
    """

    name = "pdf"

    def __init__(self, settings: Any) -> None:
        self.settings = settings
        self.ocr, self.no_ocr = reader_of(settings.ocr_languages, settings.ocr_dpi) if settings.ocr else (None, "")
        self.version = VERSION + (WITH_OCR if self.ocr is not None else 0)

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The file's text with its structure. Raises `Unreadable`."""
        passwords = [*([password] if password else []), *self.settings.passwords]
        document = open_document(path, passwords, self.settings.max_bytes, self.settings.max_pages)
        try:
            return self._pack(path, document)
        except Unreadable:
            raise
        except MemoryError as error:
            raise Unreadable("out-of-memory", f"{path}: not enough memory to read it", passing=True) from error
        finally:
            document.close()

    def _pack(self, path: Path, document: pymupdf.Document) -> Pack:
        sheets = _sheets(path, document, self.settings.max_characters)
        by_ocr = read_pictures(document, sheets, self.ocr, self.settings.ocr_seconds) if self.ocr is not None else 0
        taken = take_furniture([sheet for sheet in sheets if sheet.health in (Health.GOOD, Health.POOR)])
        body = body_size([row for sheet in sheets for row in sheet.rows])
        paras = _paragraphs(sheets, taken, Measure(body, len(sheets)))
        paras = match_outline(paras, outline_of(document))
        mark_parts(paras)
        sections = make_sections(paras)
        builder = Builder()
        for para in paras:
            builder.add(para)
        pages = tuple(Page(s.number, s.label, s.width, s.height, s.health, s.reason) for s in sheets)
        metadata = metadata_of(document, paras, body)
        if by_ocr:
            metadata["note"] = f"{by_ocr:,} of {len(sheets):,} pages were read by OCR"
        return Pack(
            format="pdf",
            text=builder.text(),
            blocks=tuple(builder.blocks),
            sections=tuple(sections),
            pages=pages,
            places=builder.places(),
            metadata=metadata,
            annotations=annotations_of(document, pages),
            extractor=self.name,
            extractor_version=self.version,
        )


def _sheets(path: Path, document: pymupdf.Document, limit: int) -> list[Sheet]:
    labels = _labels(document)
    sheets = []
    characters = 0
    for number in range(1, len(document) + 1):
        sheet = _sheet(document, number, labels[number - 1])
        sheets.append(sheet)
        characters += sum(row.style.characters for row in sheet.rows)
        if characters > limit:
            raise Unreadable("too-large", f"{path}: over {limit:,} characters by page {number:,}")
    return sheets


def _labels(document: pymupdf.Document) -> list[str | None]:
    """The label of each page, None where the file declares none."""
    none: list[str | None] = [None] * len(document)
    try:
        if not document.get_page_labels():
            return none
        return [document[at].get_label() or None for at in range(len(document))]
    except Exception:
        return none


def _sheet(document: pymupdf.Document, number: int, label: str | None) -> Sheet:
    try:
        page = document[number - 1]
        return sheet_of(page, number, label, glyphs_of(page, number))
    except MemoryError:
        raise
    except Exception as error:
        reason = f"the page cannot be read: {' '.join(str(error).split())[:120]}"
        return Sheet(number, label, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0), Turn.RIGHT, [], health=Health.NONE, reason=reason)


def _paragraphs(sheets: Sequence[Sheet], taken: dict[int, list[Row]], measure: Measure) -> list[Para]:
    out: list[Para] = []
    column_number = 0
    for sheet, order in zip(sheets, reading_order(sheets), strict=True):
        unread = sheet.health in (Health.GARBLED, Health.NONE)
        columns = [(column, False) for column in order]
        columns += [(Column(rows, around(r.box for r in rows)), True) for rows in _aside(sheet)]
        found: list[list[Para]] = []
        for column, aside in columns:
            column_number += 1
            for row in column.rows:
                row.column = column_number
            found.append(classify(paragraphs_of(column, measure.size), column, measure, aside))
        foot_of_page(found, measure, sheet.frame)
        for para in (para for paras in found for para in paras):
            if unread:
                para.flow = Flow.EXCLUDED
            out.append(para)
        out += [Para([row], BlockKind.IMAGE, Flow.EXCLUDED) for row in sheet.aslant]
        out += [Para([row], BlockKind.NOTE, Flow.EXCLUDED) for row in taken.get(sheet.number, ())]
    return join(out)


def _aside(sheet: Sheet) -> list[list[Row]]:
    return [rows_of(rows) for _, rows in sheet.aside if rows]
