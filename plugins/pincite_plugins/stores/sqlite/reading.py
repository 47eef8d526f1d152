"""Reading items, children and chunks."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from pincite.values.library import (
    Annotation,
    Attachment,
    Item,
    Note,
    Record,
    annotation_from_json,
    attachment_from_json,
    item_from_json,
    note_from_json,
)
from pincite.values.search import Chunk, ChunkKind, Rows
from pincite_plugins.stores.sqlite.part import Part

OWN = "item"
"""Marks the passage id of an item's own text: a file that stands alone may have the id of its item."""

CHUNK_COLUMNS = """
    c.row, i.id, c.item, k.id, k.what, k.json, c.ordinal, c.kind, c.spans, c.section, c.page, c.page_label, c.anchor, c.language, c.role
"""


def item_of(text: str, found: str) -> Item:
    """An item from its two columns: what its source says, and what only its file knows."""
    item = item_from_json(text)
    if not found:
        return item
    extra = item_from_json(json.dumps(json.loads(found) | {"id": item.id}))
    fields = (field.name for field in dataclasses.fields(Item))
    return dataclasses.replace(item, **{name: getattr(extra, name) for name in fields if not getattr(item, name)})


class ReadingPart(Part):
    """Items, children and chunks by row and by id."""

    def items_of(self, rows: Rows) -> Rows:
        """The item row of each chunk row, -1 for one that is gone."""
        wanted = [int(row) for row in rows]
        found = dict(self.rows_in("SELECT row, item FROM chunk WHERE row IN ({})", wanted))
        return np.array([found.get(row, -1) for row in wanted], dtype=np.int64)

    def item_ids(self, items: Iterable[int]) -> dict[int, str]:
        """Item row → item id."""
        return dict(self.rows_in("SELECT row, id FROM item WHERE row IN ({})", map(int, items)))

    def find_item(self, id: str) -> int | None:
        """The row of an item id, or None."""
        if not _writable(id):
            return None
        row = self.db.execute("SELECT row FROM item WHERE id = ?", (id,)).get
        return None if row is None else int(row)

    def item(self, item: int) -> Item | None:
        """An item by row, with what its file added."""
        for text, found in self.db.execute("SELECT json, found FROM item WHERE row = ?", (int(item),)):
            return item_of(text, found)
        return None

    def records(self, items: Iterable[int]) -> dict[int, Record]:
        """Item row → the item with its children."""
        out: dict[int, Record] = {}
        wanted = [int(item) for item in items]
        for row, text, found in self.rows_in("SELECT row, json, found FROM item WHERE row IN ({})", wanted):
            out[row] = Record(item_of(text, found))
        children: dict[int, list[tuple[int, Note | Annotation | Attachment]]] = {}
        for item, position, what, text in self.rows_in(
            "SELECT item, position, what, json FROM child WHERE item IN ({})", wanted
        ):
            children.setdefault(item, []).append((position, _child(what, text)))
        for row, parts in children.items():
            kept = [child for _, child in sorted(parts, key=lambda part: part[0])]
            out[row] = Record(
                out[row].item,
                tuple(child for child in kept if isinstance(child, Note)),
                tuple(child for child in kept if isinstance(child, Annotation)),
                tuple(child for child in kept if isinstance(child, Attachment)),
            )
        return out

    def chunks(self, rows: Iterable[int]) -> dict[int, Chunk]:
        """Chunk row → chunk, without those that are gone."""
        tables = "chunk c JOIN item i ON i.row = c.item LEFT JOIN child k ON k.row = c.child"
        sql = f"SELECT {CHUNK_COLUMNS} FROM {tables} WHERE c.row IN ({{}})"
        return {row[0]: _chunk(row) for row in self.rows_in(sql, map(int, rows))}

    def find_chunk(self, id: str) -> int | None:
        """The row of a passage id, or None."""
        owner, mark, place = id.rpartition("#")
        own = place.startswith(OWN)
        ordinal = place.removeprefix(OWN)
        if not _writable(owner) or not mark or not ordinal.isdecimal() or not ordinal.isascii() or len(ordinal) > 12:
            return None
        of_child = "child = (SELECT row FROM child WHERE id = ?)"
        of_item = "+child IS NULL AND item = (SELECT row FROM item WHERE id = ?)"
        sql = f"SELECT row FROM chunk WHERE {of_item if own else of_child} AND ordinal = ?"
        row = self.db.execute(sql, (owner, int(ordinal))).get
        return None if row is None else int(row)

    def rows_of_item(self, item: int) -> Rows:
        """The chunk rows of an item: its own text, then its children in their order."""
        return self.rows_of_items([item]).get(int(item), np.zeros(0, np.int64))

    def rows_of_items(self, items: Iterable[int]) -> dict[int, Rows]:
        """Item row → the same of each that has any."""
        sql = """SELECT c.item, c.row FROM chunk c LEFT JOIN child k ON k.row = c.child WHERE c.item IN ({})
                 ORDER BY c.item, coalesce(k.position, -1), k.row, c.ordinal"""
        found: dict[int, list[int]] = {}
        for item, row in self.rows_in(sql, dict.fromkeys(map(int, items))):
            found.setdefault(item, []).append(row)
        return {item: np.array(rows, np.int64) for item, rows in found.items()}

    def attachment(self, id: str) -> Attachment | None:
        """An attachment by id, or None."""
        text = self.db.execute("SELECT json FROM child WHERE id = ? AND what = 'attachment'", (id,)).get
        return None if text is None else attachment_from_json(text)


def _writable(id: str) -> bool:
    """Whether an id can stand in the database at all: a lone surrogate has no UTF-8."""
    return not any("\ud800" <= char <= "\udfff" for char in id)


def _child(what: str, text: str) -> Note | Annotation | Attachment:
    if what == "note":
        return note_from_json(text)
    if what == "annotation":
        return annotation_from_json(text)
    return attachment_from_json(text)


def _chunk(row: tuple[Any, ...]) -> Chunk:
    (
        number,
        item_id,
        item,
        child,
        what,
        child_json,
        ordinal,
        kind,
        spans,
        section,
        page,
        label,
        anchor,
        language,
        role,
    ) = row
    attachment = ""
    if what == "attachment":
        attachment = child
    elif what == "annotation":
        attachment = json.loads(child_json).get("attachment", "")
    return Chunk(
        row=number,
        id=f"{child}#{ordinal}" if child is not None else f"{item_id}#{OWN}{ordinal}",
        item=item,
        child=child or "",
        attachment=attachment,
        kind=ChunkKind(kind),
        spans=tuple((start, end) for start, end in json.loads(spans)),
        section=tuple(json.loads(section)),
        page=page,
        page_label=label,
        anchor=json.loads(anchor),
        language=language,
        role=role,
    )
