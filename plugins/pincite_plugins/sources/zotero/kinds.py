"""Zotero's annotation types, as its database numbers them."""

from __future__ import annotations

from pincite.values.library import AnnotationKind

ANNOTATIONS = {
    1: AnnotationKind.HIGHLIGHT,
    2: AnnotationKind.NOTE,
    3: AnnotationKind.IMAGE,
    4: AnnotationKind.INK,
    5: AnnotationKind.UNDERLINE,
    6: AnnotationKind.TEXT,
}
