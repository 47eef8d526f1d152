"""From a quotation to its place in a library: item, page, rectangles and the exact span of the text (specs/30-locating.md)."""

from pincite.locating.locate import locate

__all__ = ["locate"]
