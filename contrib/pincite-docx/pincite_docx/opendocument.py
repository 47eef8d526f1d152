"""OpenDocument: paragraphs, headings, lists, tables, text boxes, formulas, foot- and endnotes (OASIS ODF 1.3 part 3).

Deleted text of tracked changes, comments, descriptions of pictures, and the table of contents are no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pincite.values.pack import BlockKind
from pincite_docx.parts import DC, Parts
from pincite_docx.reading import Found, Reader
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
_GROUPS = frozenset(f"{TABLE}{name}" for name in ("table-rows", "table-header-rows", "table-row-group"))
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
    _Reader(parts, root, writing).read(text)
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


class _Reader(Reader):
    TABLE, ROW, CELL = f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-cell"

    def __init__(self, parts: Parts, root: Any, writing: Writing) -> None:
        super().__init__(parts, writing)
        self.titles = {"Title"} | {
            style.get(f"{STYLE}name", "")
            for style in root.iter(f"{STYLE}style")
            if style.get(f"{STYLE}parent-style-name") == "Title"
        }

    def blocks(self, parent: Any) -> Iterator[Found]:
        return _blocks(parent)

    def inside(self, parent: Any, tag: str) -> Iterator[Any]:
        for element in parent:
            if element.tag == tag:
                yield element
            elif element.tag in _GROUPS:
                yield from self.inside(element, tag)

    def paragraph(self, found: Found) -> None:
        element = found.element
        words = self.words(element)
        if not self.writing.title and element.get(f"{TEXT}style-name") in self.titles:
            self.writing.title = " ".join(words.split())
        if element.tag == f"{TEXT}h":
            level = element.get(f"{TEXT}outline-level", "1")
            self.writing.heading(words, max(1, int(level)) if level.isdecimal() and len(level) < 3 else 1)
        else:
            self.writing.add(words, BlockKind.LIST if found.listed else BlockKind.PARAGRAPH, reference=found.reference)

    def words(self, element: Any) -> str:
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
                self.writing.note(self.all_words(body))
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
        return self.words(element)

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


def _blocks(parent: Any, listed: bool = False, reference: bool = False) -> Iterator[Found]:
    """Paragraphs, headings and tables in order, whether in a list, and whether of the bibliography."""
    for element in parent:
        if element.tag in (f"{TEXT}p", f"{TEXT}h", f"{TABLE}table"):
            yield Found(element, listed, reference)
        elif element.tag in _WRAPPERS:
            yield from _blocks(
                element, listed or element.tag in _LISTS, reference or element.tag == f"{TEXT}bibliography"
            )
