"""OpenDocument: paragraphs, headings, lists, tables, text boxes, formulas, foot- and endnotes (OASIS ODF 1.3 part 3).

Deleted text of tracked changes, comments, descriptions of pictures, and the table of contents are no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pincite.values.pack import BlockKind
from pincite_docx.parts import DC, Parts
from pincite_docx.writing import Writing

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
XLINK = "{http://www.w3.org/1999/xlink}"
MATH = "{http://www.w3.org/1998/Math/MathML}"
BOX = f"{DRAW}text-box"

_SKIPPED = frozenset((f"{OFFICE}annotation", f"{SVG}title", f"{SVG}desc", f"{TEXT}ruby-text", f"{TEXT}tracked-changes"))
_LISTS = frozenset((f"{TEXT}list", f"{TEXT}numbered-paragraph"))
_WRAPPERS = _LISTS | {
    *(f"{TEXT}{name}" for name in ("list-item", "list-header", "section", "bibliography", "index-body")),
    f"{DRAW}frame",
    BOX,
}


def read_open_document(parts: Parts, writing: Writing) -> dict[str, str] | None:
    """Writes the document's text; returns its metadata, or None where it is a sheet or slides."""
    root = parts.xml("content.xml") if "content.xml" in parts.names else None
    text = root.find(f"{OFFICE}body/{OFFICE}text") if root is not None else None
    if text is None:
        return None
    _Reader(parts, root, writing).blocks(text)
    writing.end()
    # creator is who wrote to it last
    tags = {
        f"{DC}title": "title",
        f"{DC}creator": "author",
        f"{META}initial-creator": "author",
        f"{DC}language": "language",
        f"{DC}subject": "subject",
    }
    return parts.metadata("meta.xml", tags)


class _Reader:
    def __init__(self, parts: Parts, root: Any, writing: Writing) -> None:
        self.parts = parts
        self.writing = writing
        self.boxes: list[Any] = []
        self.titles = {"Title"} | {
            style.get(f"{STYLE}name", "")
            for style in root.iter(f"{STYLE}style")
            if style.get(f"{STYLE}parent-style-name") == "Title"
        }

    def blocks(self, parent: Any) -> None:
        """Writes what is below an element."""
        for element, listed, reference in _blocks(parent):
            if element.tag == f"{TABLE}table":
                self.writing.table(self._rows(element))
            else:
                self._paragraph(element, listed, reference)
            # a box stands after what it is fastened to
            while self.boxes:
                boxes, self.boxes = self.boxes, []
                for box in boxes:
                    self.blocks(box)

    def _paragraph(self, element: Any, listed: bool, reference: bool) -> None:
        words = self._words(element)
        if not self.writing.title and element.get(f"{TEXT}style-name") in self.titles:
            self.writing.title = " ".join(words.split())
        if element.tag == f"{TEXT}h":
            level = element.get(f"{TEXT}outline-level", "1")
            self.writing.heading(words, max(1, int(level)) if level.isdecimal() and len(level) < 3 else 1)
        else:
            self.writing.add(words, BlockKind.LIST if listed else BlockKind.PARAGRAPH, reference=reference)

    def _rows(self, table: Any) -> list[list[str]]:
        return [[self._all(cell) for cell in _inside(row, "table-cell")] for row in _inside(table, "table-row")]

    def _all(self, parent: Any) -> str:
        """The words of all paragraphs, a table inside as one."""
        return "\n".join(
            " ".join(" ".join(row) for row in self._rows(one)) if one.tag == f"{TABLE}table" else self._words(one)
            for one, _, _ in _blocks(parent)
        )

    def _words(self, element: Any) -> str:
        """What a paragraph or a part of it says; boxes are put aside, and so are notes."""
        parts = [re.sub(r"\s+", " ", element.text or "")]
        for child in element:
            parts += [self._child(child), re.sub(r"\s+", " ", child.tail or "")]
        return "".join(parts)

    def _child(self, element: Any) -> str:
        tag = element.tag
        if tag in _SKIPPED:
            return ""
        if tag == f"{TEXT}note":
            body = element.find(f"{TEXT}note-body")
            if body is not None:
                self.writing.note(self._all(body))
            return ""
        if tag == BOX:
            self.boxes.append(element)
            return ""
        if tag == f"{DRAW}object":
            return self._formula(element.get(f"{XLINK}href", ""))
        if tag == f"{TEXT}s":
            return " "
        if tag == f"{TEXT}tab":
            return "\t"
        if tag == f"{TEXT}line-break":
            return "\n"
        return self._words(element)

    def _formula(self, place: str) -> str:
        """A formula as it was typed, else its signs; any other object has no words."""
        name = f"{place.removeprefix('./')}/content.xml"
        if name not in self.parts.names:
            return ""
        root = self.parts.xml(name)
        if root.tag != f"{MATH}math":
            return ""
        typed = root.find(f".//{MATH}annotation")
        return " ".join((typed.text if typed is not None and typed.text else " ".join(root.itertext())).split())


def _inside(parent: Any, name: str) -> Iterator[Any]:
    """Rows or cells in order, those in groups too, but none of a table inside."""
    for element in parent:
        if element.tag == f"{TABLE}{name}":
            yield element
        elif element.tag in (f"{TABLE}table-rows", f"{TABLE}table-header-rows", f"{TABLE}table-row-group"):
            yield from _inside(element, name)


def _blocks(parent: Any, listed: bool = False, reference: bool = False) -> Iterator[tuple[Any, bool, bool]]:
    """Paragraphs, headings and tables in order, whether in a list, and whether of the bibliography."""
    for element in parent:
        if element.tag in (f"{TEXT}p", f"{TEXT}h", f"{TABLE}table"):
            yield element, listed, reference
        elif element.tag in _WRAPPERS:
            yield from _blocks(
                element, listed or element.tag in _LISTS, reference or element.tag == f"{TEXT}bibliography"
            )
