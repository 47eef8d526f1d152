"""Anchors: where a stretch of a pack's text stands in its file, and back again (specs/05-anchors.md)."""

from pincite.anchors.find import spans_of
from pincite.anchors.make import anchor_of, rects_of

__all__ = ["anchor_of", "rects_of", "spans_of"]
