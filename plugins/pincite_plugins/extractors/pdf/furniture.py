"""What the page prints beside its text: running heads and feet, page numbers, line numbers.

Judged by place and recurrence over the pages, digits aside (reference: semantic-module.md, "Text quality").
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from pincite_plugins.extractors.pdf.model import Row, Sheet
from pincite_plugins.extractors.pdf.rows import rows_of

_DEPTH = 4
"""So many rows from the top and from the bottom can be heads and feet."""
_NEAR = 9.0
"""Points by which the same head may move from page to page."""
_NUMBER = re.compile(
    r"^\W*(?:(?:page|seite|p\.|pag\.|página|стр\.|第)\s*)?(\d{1,4}|[ivxlcdm]{1,7})(?:\s*(?:of|von|de|/|из)\s*\d{1,4})?\s*页?頁?\W*$",
    re.I,
)
_DIGITS = re.compile(r"\d+")


def take_furniture(sheets: Sequence[Sheet]) -> dict[int, list[Row]]:
    """Takes heads, feet, page and line numbers out of the pages' rows; gives them by page number."""
    taken: dict[int, list[Row]] = {}
    for sheet in sheets:
        numbers = line_numbers(sheet.rows)
        if numbers:
            _take(sheet, numbers, taken)
    edges = {sheet.number: _edges(sheet) for sheet in sheets}
    recurring = _recurring(edges, len(sheets))
    for sheet in sheets:
        for row, pieces in _unwanted(edges[sheet.number], recurring):
            del row
            _take(sheet, pieces, taken)
    return taken


def line_numbers(pieces: Sequence[Row]) -> list[Row]:
    """Pieces that are whole numbers in one upright line at the margin, rising steadily."""
    numbers = [p for p in pieces if p.text.isdecimal() and len(p.text) <= 5]
    if len(numbers) < 8:
        return []
    groups: dict[int, list[Row]] = defaultdict(list)
    for piece in numbers:
        groups[round(piece.box[2] / 6)].append(piece)
    out: list[Row] = []
    for group in groups.values():
        group.sort(key=lambda piece: piece.box[1])
        values = [int(piece.text) for piece in group]
        steps = [b - a for a, b in zip(values, values[1:], strict=False)]
        if len(group) >= 8 and steps and min(steps) > 0 and sum(step == steps[0] for step in steps) >= 0.9 * len(steps):
            out += group
    return out


_Edge = tuple[str, float, str, Row, list[Row]]
"""Zone ("top", "foot"), distance from that edge, key, the row, its pieces."""


def _edges(sheet: Sheet) -> list[_Edge]:
    pieces = list(sheet.rows)
    rows = rows_of(pieces)
    by_row: list[tuple[Row, list[Row]]] = []
    for row in rows:
        members = [p for p in pieces if p is row or _within(p, row)]
        by_row.append((row, members))
    top, foot = sheet.frame[1], sheet.frame[3]
    height = foot - top
    out: list[_Edge] = []
    for at, (row, members) in enumerate(by_row[:_DEPTH]):
        distance = row.box[1] - top
        if distance < 0.2 * height:
            out.append(("top", distance, _key(row.text), row, members))
        del at
    for row, members in by_row[max(0, len(by_row) - _DEPTH) :]:
        distance = foot - row.box[3]
        if distance < 0.2 * height:
            out.append(("foot", distance, _key(row.text), row, members))
    return out


def _within(piece: Row, row: Row) -> bool:
    a, b = piece.box, row.box
    return a[0] >= b[0] - 0.1 and a[2] <= b[2] + 0.1 and a[1] >= b[1] - 0.1 and a[3] <= b[3] + 0.1


def _key(text: str) -> str:
    return re.sub(r"\s+", " ", _DIGITS.sub("#", text.casefold())).strip()


def _recurring(edges: dict[int, list[_Edge]], pages: int) -> set[tuple[str, str]]:
    seen: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for number, page in edges.items():
        for zone, distance, key, *_ in page:
            seen[zone, key].append((number, distance))
    least = 2 if pages <= 5 else 3
    out = set()
    for name, places in seen.items():
        best = max(sum(abs(d - distance) <= _NEAR for _, d in places) for _, distance in places)
        if best >= least and len({number for number, _ in places}) >= least:
            out.add(name)
    return out


def _unwanted(page: list[_Edge], recurring: set[tuple[str, str]]) -> list[tuple[Row, list[Row]]]:
    out = []
    for zone in ("top", "foot"):
        rows = sorted((edge for edge in page if edge[0] == zone), key=lambda edge: edge[1])
        for at, (_, _, key, row, pieces) in enumerate(rows):
            number = at == 0 and _NUMBER.match(row.text) is not None
            if number or (zone, key) in recurring:
                out.append((row, pieces))
            elif at > 0:
                break
    return out


def _take(sheet: Sheet, rows: Sequence[Row], taken: dict[int, list[Row]]) -> None:
    gone = {id(row) for row in rows}
    taken.setdefault(sheet.number, []).extend(row for row in sheet.rows if id(row) in gone)
    sheet.rows = [row for row in sheet.rows if id(row) not in gone]
