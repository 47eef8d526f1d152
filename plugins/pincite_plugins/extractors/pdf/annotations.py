"""Annotations that readers have left in a file: what they marked, what they wrote, where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pymupdf

from pincite.values.pack import EmbeddedAnnotation, Page
from pincite_plugins.extractors.pdf.glyphs import FLAGS

_KINDS = {
    "Highlight": "highlight",
    "Underline": "underline",
    "Squiggly": "underline",
    "StrikeOut": "strikeout",
    "Text": "note",
    "FreeText": "text",
    "Ink": "ink",
    "Square": "image",
    "Circle": "image",
}
_MARKS = ("highlight", "underline", "strikeout")
_LIMIT = 20_000
"""A file with more annotations than this was made by a machine."""

_Rect = tuple[int, float, float, float, float]
_Glyph = tuple[str, float, float]
"""A character and its centre."""


def annotations_of(document: pymupdf.Document, pages: Sequence[Page]) -> tuple[EmbeddedAnnotation, ...]:
    """The annotations in the order of the pages; links, form fields and pop-ups left out. Rectangles stand in the frame of
    `Places`. One that cannot be read does not hide the others."""
    out: list[EmbeddedAnnotation] = []
    for at, page in enumerate(pages):
        try:
            if document.page_annot_xrefs(at):
                out += _of_page(document[at], page)
        except Exception:
            continue
        if len(out) > _LIMIT:
            break
    return tuple(out[:_LIMIT])


def _of_page(page: pymupdf.Page, facts: Page) -> list[EmbeddedAnnotation]:
    glyphs: list[_Glyph] | None = None
    out = []
    for annotation in page.annots():
        kind = _KINDS.get(annotation.type[1])
        if kind is None:
            continue
        rects = _rects(annotation, facts.number)
        text = ""
        if kind in _MARKS:
            if glyphs is None:
                glyphs = _glyphs(page)
            text = _marked(glyphs, rects)
        comment = (annotation.info.get("content") or "").strip()
        if text or comment or kind not in _MARKS:
            color = _color(annotation)
            out.append(EmbeddedAnnotation(kind, text, comment, facts.number, facts.label, tuple(rects), color))
    return out


def _glyphs(page: pymupdf.Page) -> list[_Glyph]:
    return [
        (char["c"], (char["bbox"][0] + char["bbox"][2]) / 2, (char["bbox"][1] + char["bbox"][3]) / 2)
        for block in page.get_text("rawdict", flags=FLAGS)["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
    ]


def _marked(glyphs: Sequence[_Glyph], rects: Sequence[_Rect]) -> str:
    """The characters under a mark, line by line; a line that ends in a hyphen keeps its break."""
    lines = []
    for _, x1, y1, x2, y2 in rects:
        line = "".join(c for c, x, y in glyphs if x1 <= x <= x2 and y1 <= y <= y2)
        lines.append(" ".join(line.split()))
    return "\n".join(line for line in lines if line)


def _rects(annotation: pymupdf.Annot, number: int) -> list[_Rect]:
    """One for each quadrilateral of a mark, else the annotation's own. PyMuPDF gives both before the page's rotation."""
    points: Any = annotation.vertices if _KINDS.get(annotation.type[1]) in _MARKS else None
    boxes = []
    if points and len(points) % 4 == 0:
        boxes = [pymupdf.Quad(*map(pymupdf.Point, points[at : at + 4])).rect for at in range(0, len(points), 4)]
    return [
        (number, round(box.x0, 2), round(box.y0, 2), round(box.x1, 2), round(box.y1, 2))
        for box in boxes or [annotation.rect]
    ]


def _color(annotation: pymupdf.Annot) -> str:
    stroke = (annotation.colors or {}).get("stroke") or ()
    return "#" + "".join(f"{round(255 * part):02x}" for part in stroke) if len(stroke) == 3 else ""
