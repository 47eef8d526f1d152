"""What the page prints beside its text: running heads and feet, page numbers, line numbers.

Judged by place and recurrence over the pages, digits aside.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_plugins.extractors.pdf.model import Row, Sheet, around
from pincite_plugins.extractors.pdf.numbered import line_numbers
from pincite_plugins.extractors.pdf.rows import groups_of

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
        lines = line_numbers(sheet.rows)
        if lines:
            _take(sheet, lines, taken)
    edges = {sheet.number: _edges(sheet) for sheet in sheets}
    recurring = _recurring(edges, len(sheets))
    numbers = _sequence(edges)
    _take_asides(sheets, taken)
    for sheet in sheets:
        unwanted = _unwanted(sheet.number, edges[sheet.number], recurring, numbers)
        if _all_there_is(sheet, unwanted):
            unwanted = [edge for edge in unwanted if not any(map(str.isalpha, edge.text))]
        for edge in unwanted:
            _take(sheet, edge.pieces, taken)
    return taken


def _take_asides(sheets: Sequence[Sheet], taken: dict[int, list[Row]]) -> None:
    """Sideways lines that several pages repeat (who downloaded the file, and when)."""
    seen = Counter(key for sheet in sheets for key in {_key(row.text) for _, rows in sheet.aside for row in rows})
    for sheet in sheets:
        for _, rows in sheet.aside:
            again = [row for row in rows if seen[_key(row.text)] >= 2 and len(row.text) > 1]
            taken.setdefault(sheet.number, []).extend(again)
            rows[:] = [row for row in rows if row not in again]


@dataclass(frozen=True, slots=True)
class _Edge:
    """A row near the top or the foot of a page. `distance` from that edge of the text, in points; `key`: its text, digits
    aside; `alone`: more than a line's height of white stands between it and the text."""

    zone: str
    distance: float
    key: str
    text: str
    pieces: list[Row]
    alone: bool


def _edges(sheet: Sheet) -> list[_Edge]:
    groups = groups_of(sheet.rows)
    top, foot = sheet.frame[1], sheet.frame[3]
    height = foot - top
    out: list[_Edge] = []
    boxes = [around([piece.box for piece in group]) for group in groups]
    for at, (group, box) in enumerate(zip(groups, boxes, strict=True)):
        if _DEPTH <= at < len(groups) - _DEPTH:
            continue
        text = " ".join(piece.text for piece in group)
        high = box[3] - box[1]
        if at < _DEPTH and box[1] - top < 0.2 * height:
            below = boxes[at + 1][1] - box[3] if at + 1 < len(boxes) else height
            out.append(_Edge("top", box[1] - top, _key(text), text, group, below > 0.8 * high))
        if at >= len(groups) - _DEPTH and foot - box[3] < 0.2 * height:
            above = box[1] - boxes[at - 1][3] if at else height
            out.append(_Edge("foot", foot - box[3], _key(text), text, group, above > 0.8 * high))
    return out


def _key(text: str) -> str:
    return re.sub(r"\s+", " ", _DIGITS.sub("#", text.casefold())).strip()


def _recurring(edges: dict[int, list[_Edge]], pages: int) -> set[tuple[str, str]]:
    """(zone, key) of what stands in the same place on several pages."""
    seen: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for number, page in edges.items():
        for edge in page:
            seen[edge.zone, edge.key].append((number, edge.distance))
    least = 2 if pages <= 5 else 3
    out = set()
    for name, places in seen.items():
        best = max(sum(abs(d - distance) <= _NEAR for _, d in places) for _, distance in places)
        if best >= least and len({number for number, _ in places}) >= least:
            out.add(name)
    return out


def _sequence(edges: dict[int, list[_Edge]]) -> dict[str, set[int]]:
    """By zone, the differences between printed number and ordinal that several pages share."""
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    for number, page in edges.items():
        for edge in page:
            printed = _NUMBER.match(edge.text)
            if printed and printed[1].isdecimal():
                seen[edge.zone][int(printed[1]) - number] += 1
    return {zone: {shift for shift, count in counts.items() if count >= 2} for zone, counts in seen.items()}


def _unwanted(
    number: int, page: list[_Edge], recurring: set[tuple[str, str]], numbers: dict[str, set[int]]
) -> list[_Edge]:
    out: list[_Edge] = []
    for zone in ("top", "foot"):
        for at, edge in enumerate(sorted((e for e in page if e.zone == zone), key=lambda e: e.distance)):
            printed = _NUMBER.match(edge.text)
            counted = (
                printed is not None and printed[1].isdecimal() and int(printed[1]) - number in numbers.get(zone, ())
            )
            lone = at == 0 and printed is not None and edge.alone
            if counted or lone or (zone, edge.key) in recurring:
                out.append(edge)
    return out


def _all_there_is(sheet: Sheet, edges: list[_Edge]) -> bool:
    """Whether edges are the only words of a page: then they are no furniture of a text."""
    pieces = {id(piece) for edge in edges for piece in edge.pieces}
    return all(id(row) in pieces or not any(map(str.isalpha, row.text)) for row in sheet.rows)


def _take(sheet: Sheet, rows: Sequence[Row], taken: dict[int, list[Row]]) -> None:
    gone = {id(row) for row in rows}
    taken.setdefault(sheet.number, []).extend(row for row in sheet.rows if id(row) in gone)
    sheet.rows = [row for row in sheet.rows if id(row) not in gone]
