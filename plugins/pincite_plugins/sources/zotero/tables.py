"""The tables of a Zotero database, read whole by a few set-based queries.

Table and column names are Zotero's (userdata schema 120 and later). Nothing is interpreted here beyond joining.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import apsw


class ItemRow(NamedTuple):
    """A row of `items`, with the name of its type."""

    id: int
    kind: str
    library: int
    key: str
    modified: str


class AttachmentRow(NamedTuple):
    """A row of `itemAttachments`."""

    id: int
    parent: int | None
    link_mode: int
    content_type: str
    path: str


class NoteRow(NamedTuple):
    """A row of `itemNotes`."""

    id: int
    parent: int | None
    html: str
    title: str


class AnnotationRow(NamedTuple):
    """A row of `itemAnnotations`."""

    id: int
    parent: int
    kind: int
    text: str
    comment: str
    color: str
    page_label: str
    order: str
    position: str


class CreatorRow(NamedTuple):
    """A creator of an item. `single` marks a name in one field."""

    family: str
    given: str
    single: bool
    role: str


@dataclass
class Tables:
    """Everything that the records need, by itemID. `groups`: libraryID → (groupID, name)."""

    schema: int = 0
    groups: dict[int, tuple[int, str]] = field(default_factory=dict)
    items: dict[int, ItemRow] = field(default_factory=dict)
    trash: frozenset[int] = frozenset()
    fields: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    creators: dict[int, list[CreatorRow]] = field(default_factory=lambda: defaultdict(list))
    tags: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    collections: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: list[NoteRow] = field(default_factory=list)
    attachments: list[AttachmentRow] = field(default_factory=list)
    annotations: list[AnnotationRow] = field(default_factory=list)


_ITEMS = """
SELECT i.itemID, t.typeName, i.libraryID, i.key, i.clientDateModified
FROM items i
JOIN itemTypesCombined t USING (itemTypeID)
JOIN libraries l USING (libraryID)
WHERE l.type IN ('user', 'group')
"""

_GROUPS = """
SELECT l.libraryID, coalesce(g.groupID, l.libraryID), coalesce(g.name, 'library ' || l.libraryID)
FROM libraries l
LEFT JOIN groups g USING (libraryID)
WHERE l.type = 'group'
"""

# A field that stands for another in items of its type (caseName for title) is given under that other's name as well,
# which is what baseFieldMappings is for.
_FIELDS = """
SELECT d.itemID, f.fieldName, b.fieldName, v.value
FROM itemData d
JOIN items i USING (itemID)
JOIN fieldsCombined f ON f.fieldID = d.fieldID
JOIN itemDataValues v ON v.valueID = d.valueID
LEFT JOIN baseFieldMappingsCombined m ON m.itemTypeID = i.itemTypeID AND m.fieldID = d.fieldID
LEFT JOIN fieldsCombined b ON b.fieldID = m.baseFieldID
"""

_CREATORS = """
SELECT ic.itemID, c.lastName, c.firstName, c.fieldMode, ct.creatorType
FROM itemCreators ic
JOIN creators c USING (creatorID)
JOIN creatorTypes ct USING (creatorTypeID)
ORDER BY ic.itemID, ic.orderIndex
"""

_TAGS = "SELECT it.itemID, t.name FROM itemTags it JOIN tags t USING (tagID) ORDER BY it.itemID, t.name"
_COLLECTIONS = "SELECT collectionID, collectionName, parentCollectionID FROM collections"
_MEMBERS = "SELECT itemID, collectionID FROM collectionItems"
_NOTES = "SELECT itemID, parentItemID, note, title FROM itemNotes"
_ATTACHMENTS = "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
_ANNOTATIONS = """
SELECT itemID, parentItemID, type, text, comment, color, pageLabel, sortIndex, position
FROM itemAnnotations
"""


def schema_version(connection: apsw.Connection) -> int | None:
    """The number of the userdata schema; None where this is no database of Zotero's."""
    names = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"version", "items", "itemData"} <= names:
        return None
    for (version,) in connection.execute("SELECT version FROM version WHERE schema IN ('userdata', 'userdata2')"):
        return int(version)
    return None


def read_tables(connection: apsw.Connection, schema: int) -> Tables:
    """All rows of one state of the database."""
    with connection:  # one transaction: one state
        tables = Tables(schema=schema)
        for library, group, name in connection.execute(_GROUPS):
            tables.groups[library] = (group, str(name))
        for id, kind, library, key, modified in connection.execute(_ITEMS):
            tables.items[id] = ItemRow(id, kind, library, key, str(modified or ""))
        tables.trash = frozenset(id for (id,) in connection.execute("SELECT itemID FROM deletedItems"))
        for id, name, base, value in connection.execute(_FIELDS):
            text = str(value)
            tables.fields[id][name] = text
            if base:
                tables.fields[id][base] = text
        for id, family, given, mode, role in connection.execute(_CREATORS):
            tables.creators[id].append(CreatorRow(_text(family), _text(given), bool(mode), role))
        for id, name in connection.execute(_TAGS):
            tables.tags[id].append(str(name))
        paths = _collection_paths(connection)
        for id, collection in connection.execute(_MEMBERS):
            if collection in paths:
                tables.collections[id].append(paths[collection])
        tables.notes = [NoteRow(i, p, _text(n), _text(t)) for i, p, n, t in connection.execute(_NOTES)]
        tables.attachments = [
            AttachmentRow(i, p, int(m or 0), _text(c), _text(a)) for i, p, m, c, a in connection.execute(_ATTACHMENTS)
        ]
        tables.annotations = list(_annotations(connection))
    return tables


def _annotations(connection: apsw.Connection) -> Iterator[AnnotationRow]:
    for id, parent, kind, *texts in connection.execute(_ANNOTATIONS):
        yield AnnotationRow(id, parent, int(kind), *map(_text, texts))


def _collection_paths(connection: apsw.Connection) -> dict[int, str]:
    """collectionID → "Outer/Inner", without those in the trash and what is below them."""
    rows = {id: (str(name), parent) for id, name, parent in connection.execute(_COLLECTIONS)}
    trash = {id for (id,) in connection.execute("SELECT collectionID FROM deletedCollections")}
    paths: dict[int, str] = {}
    for id in rows:
        names: list[str] = []
        seen: set[int] = set()
        at: int | None = id
        while at is not None and at in rows and at not in trash and at not in seen:
            seen.add(at)
            names.append(rows[at][0])
            at = rows[at][1]
        if at is None:  # the way up ended at the top, neither in the trash nor in a circle
            paths[id] = "/".join(reversed(names))
    return paths


def _text(value: Any) -> str:
    return "" if value is None else str(value)
