"""Tables that hold data, and tables that only lay out a page."""

from __future__ import annotations

from pincite.markup.parse import Element, local_name

_BLOCKS_OF_TEXT = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "article", "section", "pre", "blockquote")
)
LONGEST_CELL = 250
"""Characters; cells that hold more on average are columns of a page."""


def is_data_table(table: Element) -> bool:
    """Whether a table holds data: at least two rows and two columns of short cells, no table inside."""
    if table.get("role") in ("presentation", "none"):
        return False
    rows = cells = widest = length = heads = texts = 0
    row_cells = 0
    for element in table.iter():
        name = local_name(element)
        if name == "table" and element is not table:
            return False
        if name == "tr":
            rows += 1
            row_cells = 0
        elif name in ("td", "th"):
            cells += 1
            row_cells += 1
            widest = max(widest, row_cells)
            heads += name == "th"
            length += len(element.xpath("string()"))
        elif name in _BLOCKS_OF_TEXT:
            texts += 1
    if rows < 2 or widest < 2:
        return False
    if heads:
        return length <= 2 * LONGEST_CELL * cells
    return length <= LONGEST_CELL * cells and texts <= cells
