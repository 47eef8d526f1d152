"""The source: tables of the database → records."""

from __future__ import annotations

import dataclasses
import hashlib
import marshal
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from pincite.errors import PinciteError, UsageError
from pincite.metadata.markup import html_to_text, inline_to_text
from pincite.metadata.zotero import annotation_place
from pincite.values.library import (
    Annotation,
    AnnotationKind,
    Attachment,
    Item,
    Marked,
    Note,
    Problem,
    Record,
)
from pincite_plugins.sources.zotero.attachments import EMBEDDED_IMAGE, LINKED_URL, Place, locate
from pincite_plugins.sources.zotero.database import read
from pincite_plugins.sources.zotero.items import make_item
from pincite_plugins.sources.zotero.kinds import ANNOTATIONS
from pincite_plugins.sources.zotero.tables import (
    AnnotationRow,
    AttachmentRow,
    ItemRow,
    NoteRow,
    Tables,
    read_tables,
    schema_version,
)

OLDEST = 120
"""The first userdata schema that is read: Zotero 7."""
NEWEST = 129
"""The newest userdata schema that was known when this was written: Zotero 10."""

VERSION = 1
"""Counts up when the same rows make another record than before."""


class ZoteroSource:
    """A Zotero data directory. `database` is its zotero.sqlite, `base` the Linked Attachment Base Directory, if any."""

    def __init__(self, database: Path, base: Path | None, note: Callable[[str], None]) -> None:
        self.database = database.absolute()
        self.base = base
        self.note = note
        self.identity = f"zotero:{self.database.parent}"

    def records(self) -> Iterator[Record | Problem]:
        """Every item that is neither in the trash nor of a feed, by id. The database is read at once, at the first
        step."""
        assembly = self._assembly()
        for row in assembly.tops():
            yield assembly.record(row)

    def marked(self) -> Iterator[Marked | Problem]:
        """The same, each marked by the rows that it is made of."""
        assembly = self._assembly()
        salt = (VERSION, assembly.data, assembly.base or "", sorted(assembly.tables.groups.items()))
        for row in assembly.tops():
            # marshal: a fifth of the time that JSON takes; its version 2 writes the same for the same values
            rows = marshal.dumps((salt, assembly.rows(row)), 2)
            mark = hashlib.blake2b(rows, digest_size=16).hexdigest()
            yield Marked(assembly.id_of(row), mark, partial(assembly.record, row))

    def _assembly(self) -> _Assembly:
        tables = read(self.database, self._read)
        if tables.schema > NEWEST:
            self.note(
                f"{self.database}: schema {tables.schema} is newer than {NEWEST}, which this version of pincite knows; "
                "it is read all the same, but look for an update if something is missing"
            )
        return _Assembly.of(tables, str(self.database.parent), str(self.base) if self.base else None)

    def watched(self) -> Sequence[Path]:
        """The database, what is pending beside it, and the stored files."""
        return (self.database, Path(f"{self.database}-wal"), self.database.parent / "storage")

    def close(self) -> None:
        """Nothing stays open: a copy is removed as soon as it has been read."""

    def _read(self, connection: apsw.Connection) -> Tables:
        schema = schema_version(connection)
        if schema is None:
            raise UsageError(
                f"{self.database}: an SQLite database, but not one of Zotero's; give a Zotero data directory"
            )
        if schema < OLDEST:
            raise UsageError(
                f"{self.database}: a Zotero database with schema {schema}, older than {OLDEST} (Zotero 7); open it "
                "once in a current Zotero, which upgrades it"
            )
        try:
            return read_tables(connection, schema)
        except apsw.SQLError as error:
            raise PinciteError(
                f"{self.database}: the tables of schema {schema} are not as expected ({error}); pincite reads {OLDEST} "
                f"to {NEWEST}: look for an update of pincite"
            ) from None


@dataclass
class _Assembly:
    """Puts children under their items. Rows in the trash, and rows below one, have no place."""

    tables: Tables
    data: str
    base: str | None
    notes: dict[int, list[NoteRow]] = field(default_factory=lambda: defaultdict(list))
    attachments: dict[int, list[AttachmentRow]] = field(default_factory=lambda: defaultdict(list))
    annotations: dict[int, list[AnnotationRow]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, tables: Tables, data: str, base: str | None) -> _Assembly:
        made = cls(tables, data, base)
        # A child without a parent is an item of its own, and its own child
        for note in tables.notes:
            made.notes[note.id if note.parent is None else note.parent].append(note)
        for attachment in tables.attachments:
            if attachment.link_mode != EMBEDDED_IMAGE:
                made.attachments[attachment.id if attachment.parent is None else attachment.parent].append(attachment)
        for annotation in tables.annotations:
            made.annotations[annotation.parent].append(annotation)
        return made

    def tops(self) -> list[ItemRow]:
        """The rows of the works, by id."""
        children = {note.id for note in self.tables.notes if note.parent is not None}
        children.update(row.id for row in self.tables.attachments if row.parent is not None)
        children.update(row.id for row in self.tables.attachments if row.link_mode == EMBEDDED_IMAGE)
        children.update(row.id for row in self.tables.annotations)
        tops = [row for id, row in self.tables.items.items() if id not in children and id not in self.tables.trash]
        return sorted(tops, key=self.id_of)

    def rows(self, row: ItemRow) -> tuple[Any, ...]:
        """All that `record` goes by, as it stands in the database; of a path that the disk may spell otherwise, where it leads."""
        notes, attachments = self.notes.get(row.id, ()), self.attachments.get(row.id, ())
        return (
            self._own(row),
            sorted((*note, self._own(own)) for note in notes if (own := self.alive(note.id))),
            sorted(
                (*one, self._own(own), "" if one.path.isascii() else self._place(one, own).path, self._marks(one))
                for one in attachments
                if (own := self.alive(one.id))
            ),
        )

    def _own(self, row: ItemRow) -> tuple[Any, ...]:
        tables, id = self.tables, row.id
        fields, collections = tables.fields.get(id), tables.collections.get(id)
        return (
            *row,
            sorted(fields.items()) if fields else None,
            [tuple(one) for one in tables.creators.get(id, ())],
            tables.tags.get(id),
            sorted(collections) if collections else None,
        )

    def _marks(self, attachment: AttachmentRow) -> list[tuple[Any, ...]]:
        rows = self.annotations.get(attachment.id, ())
        return sorted((*one, self._own(own)) for one in rows if (own := self.alive(one.id)))

    def id_of(self, row: ItemRow) -> str:
        """KEY in the user's own library, GROUPID/KEY in a group's."""
        group = self.tables.groups.get(row.library)
        return row.key if group is None else f"{group[0]}/{row.key}"

    def link(self, action: str, row: ItemRow) -> str:
        group = self.tables.groups.get(row.library)
        where = "library" if group is None else f"groups/{group[0]}"
        return f"zotero://{action}/{where}/items/{row.key}"

    def alive(self, id: int) -> ItemRow | None:
        return None if id in self.tables.trash else self.tables.items.get(id)

    def record(self, row: ItemRow) -> Record:
        notes: list[Note] = []
        attachments: list[Attachment] = []
        annotations: list[Annotation] = []
        for note in self.notes.get(row.id, ()):
            if own := self.alive(note.id):
                notes.append(self.note(note, own))
        for attachment in self.attachments.get(row.id, ()):
            if own := self.alive(attachment.id):
                attachments.append(self.attachment(attachment, own))
                annotations.extend(self.annotations_of(attachment, own))
        return Record(
            item=self.item(row, notes),
            notes=tuple(sorted(notes, key=lambda note: note.id)),
            annotations=tuple(sorted(annotations, key=lambda one: (one.attachment, one.order, one.id))),
            attachments=tuple(sorted(attachments, key=lambda one: one.id)),
        )

    def item(self, row: ItemRow, notes: list[Note]) -> Item:
        group = self.tables.groups.get(row.library)
        item = make_item(row, self.tables, self.id_of(row), group[1] if group else "", self.link("select", row))
        if row.kind == "note" and notes:
            return dataclasses.replace(item, title=notes[0].title)
        # Zotero calls a file that is alone by its name: no title yet
        if any(
            row.id == one.id and one.path.endswith((f":{item.title}", f"/{item.title}"))
            for one in self.attachments.get(row.id, ())
        ):
            return dataclasses.replace(item, title="")
        return item

    def note(self, note: NoteRow, own: ItemRow) -> Note:
        return Note(
            id=self.id_of(own),
            text=html_to_text(note.html),
            title=note.title,
            link=self.link("select", own),
            modified=own.modified,
        )

    def attachment(self, attachment: AttachmentRow, own: ItemRow) -> Attachment:
        place = self._place(attachment, own)
        fields = self.tables.fields.get(own.id, {})
        if attachment.content_type == "application/pdf" and attachment.link_mode != LINKED_URL:
            link = self.link("open-pdf", own) + "?page={page}"
        else:
            link = self.link("select", own)
        return Attachment(
            id=self.id_of(own),
            path=place.path,
            content_type=attachment.content_type,
            title=fields.get("title", ""),
            missing=place.missing,
            link=link,
            modified=own.modified,
        )

    def _place(self, attachment: AttachmentRow, own: ItemRow) -> Place:
        return locate(self.data, self.base, own.key, attachment.link_mode, attachment.path)

    def annotations_of(self, attachment: AttachmentRow, parent: ItemRow) -> Iterator[Annotation]:
        for row in self.annotations.get(attachment.id, ()):
            own = self.alive(row.id)
            if own is None:
                continue
            page, anchor = annotation_place(row.position, attachment.content_type)
            link = self.link("open-pdf", parent) + f"?annotation={own.key}"
            yield Annotation(
                id=self.id_of(own),
                attachment=self.id_of(parent),
                kind=ANNOTATIONS.get(row.kind, AnnotationKind.HIGHLIGHT),
                text=inline_to_text(row.text),
                comment=inline_to_text(row.comment),
                color=row.color,
                page=page,
                page_label=row.page_label or None,
                order=row.order,
                anchor=anchor,
                tags=tuple(self.tables.tags.get(own.id, ())),
                link=link if page is None else f"{link}&page={page}",
                modified=own.modified,
            )
