"""Annotations that readers have left in a file: what they marked, what they wrote, where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pymupdf

from pincite.anchors.find import words_in
from pincite.values.pack import EmbeddedAnnotation, Page, Places

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


def annotations_of(
    document: pymupdf.Document, text: str, places: Places, pages: Sequence[Page]
) -> tuple[EmbeddedAnnotation, ...]:
    """The annotations in the order of the pages; links, form fields and pop-ups left out. Rectangles stand in the frame of
    `Places`."""
    out: list[EmbeddedAnnotation] = []
    for number in range(len(document)):
        try:
            if not document.page_annot_xrefs(number):
                continue
            page = document[number]
            found = [_read(annot, page, number + 1, text, places, pages[number].label) for annot in page.annots()]
        except Exception:
            continue
        out += [annotation for annotation in found if annotation is not None]
        if len(out) > _LIMIT:
            break
    return tuple(out[:_LIMIT])


def _read(
    annot: pymupdf.Annot, page: pymupdf.Page, number: int, text: str, places: Places, label: str | None
) -> EmbeddedAnnotation | None:
    kind = _KINDS.get(annot.type[1])
    if kind is None:
        return None
    info: dict[str, Any] = annot.info
    rects = _rects(annot, page, number)
    marked = ""
    if kind in _MARKS:
        shrunk = [(p, x1, y1 + (y2 - y1) * 0.15, x2, y2 - (y2 - y1) * 0.15) for p, x1, y1, x2, y2 in rects]
        marked = " … ".join(" ".join(text[a:b].split()) for a, b in words_in(text, places, shrunk))
    comment = (info.get("content") or "").strip()
    if kind in _MARKS and not marked and not comment:
        return None
    return EmbeddedAnnotation(kind, marked, comment, number, label, tuple(rects), _color(annot))


def _rects(annot: pymupdf.Annot, page: pymupdf.Page, number: int) -> list[tuple[int, float, float, float, float]]:
    quads = annot.vertices if annot.type[1] in ("Highlight", "Underline", "Squiggly", "StrikeOut") else None
    rects = []
    if quads and len(quads) % 4 == 0:
        for at in range(0, len(quads), 4):
            points = [pymupdf.Point(point) for point in quads[at : at + 4]]
            rects.append(pymupdf.Quad(points).rect)
    if not rects:
        rects = [annot.rect]
    back = page.derotation_matrix if page.rotation else None
    out = []
    for rect in rects:
        box = rect * back if back else rect
        out.append((number, *(round(float(side), 2) for side in (box.x0, box.y0, box.x1, box.y1))))
    return out


def _color(annot: pymupdf.Annot) -> str:
    stroke = (annot.colors or {}).get("stroke") or ()
    if len(stroke) != 3:
        return ""
    return "#" + "".join(f"{round(255 * part):02x}" for part in stroke)
