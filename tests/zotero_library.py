"""Makes Zotero data directories in Zotero's own schema, to test with."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zotero_schema import BASE_FIELDS, CREATOR_TYPES, FIELDS, ITEM_TYPES, TABLES, USERDATA

NOW = "2025-03-04 05:06:07"
IMPORTED_FILE, IMPORTED_URL, LINKED_FILE, LINKED_URL, EMBEDDED_IMAGE = range(5)
ANNOTATION_TYPES = {"highlight": 1, "note": 2, "image": 3, "ink": 4, "underline": 5, "text": 6}


class ZoteroLibrary:
    """A data directory being filled. Each method inserts rows as Zotero does and gives the new row's id."""

    def __init__(self, folder: Path, userdata: int = USERDATA) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.database = folder / "zotero.sqlite"
        self.db = sqlite3.connect(self.database)
        self.db.executescript(TABLES)
        self._types(userdata)
        self.user = self._insert("libraries", type="user", editable=1, filesEditable=1)
        self.keys = 0

    def _types(self, userdata: int) -> None:
        run = self.db.executemany
        run("INSERT INTO version VALUES (?, ?)", [("userdata", userdata), ("compatibility", 7), ("globalSchema", 41)])
        run("INSERT INTO itemTypes VALUES (?, ?, NULL, 1)", enumerate(ITEM_TYPES, 1))
        run("INSERT INTO itemTypesCombined VALUES (?, ?, 1, 0)", enumerate(ITEM_TYPES, 1))
        run("INSERT INTO fields VALUES (?, ?, NULL)", enumerate(FIELDS, 1))
        run("INSERT INTO fieldsCombined VALUES (?, ?, NULL, NULL, 0)", enumerate(FIELDS, 1))
        run("INSERT INTO creatorTypes VALUES (?, ?)", enumerate(CREATOR_TYPES, 1))
        for mapping in BASE_FIELDS:
            kind, pair = mapping.split(":")
            row = (ITEM_TYPES.index(kind) + 1, *(FIELDS.index(name) + 1 for name in pair.split("=")))
            self.db.execute("INSERT INTO baseFieldMappings VALUES (?, ?, ?)", row)
            self.db.execute("INSERT INTO baseFieldMappingsCombined VALUES (?, ?, ?)", row)

    def _insert(self, table: str, **values: Any) -> int:
        marks = ", ".join("?" * len(values))
        cursor = self.db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", list(values.values()))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def group(self, group_id: int, name: str) -> int:
        """A group library; its libraryID."""
        library = self._insert("libraries", type="group", editable=1, filesEditable=1)
        self._insert("groups", groupID=group_id, libraryID=library, name=name, description="", version=1)
        return library

    def feed(self, name: str) -> int:
        """A feed; its libraryID."""
        library = self._insert("libraries", type="feed", editable=0, filesEditable=0)
        self._insert("feeds", libraryID=library, name=name, url=f"https://example.org/{name}.xml")
        return library

    def key(self, wanted: str = "") -> str:
        """`wanted`, or a key that was not given yet."""
        self.keys += 1
        return wanted or f"AUTO{self.keys:04d}"

    def item(self, kind: str, key: str = "", library: int | None = None, **fields: str) -> int:
        """An item with fields by Zotero's names."""
        item = self._insert(
            "items",
            itemTypeID=ITEM_TYPES.index(kind) + 1,
            dateAdded=NOW,
            dateModified=NOW,
            clientDateModified=NOW,
            libraryID=library or self.user,
            key=self.key(key),
        )
        for name, value in fields.items():
            self.db.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
            self.db.execute(
                "INSERT INTO itemData SELECT ?, ?, valueID FROM itemDataValues WHERE value = ?",
                (item, FIELDS.index(name) + 1, value),
            )
        return item

    def creator(self, item: int, family: str, given: str = "", role: str = "author", single: bool = False) -> None:
        """One more creator of an item."""
        mode = int(single)
        self.db.execute(
            "INSERT OR IGNORE INTO creators (firstName, lastName, fieldMode) VALUES (?, ?, ?)", (given, family, mode)
        )
        self.db.execute(
            "INSERT INTO itemCreators SELECT ?, creatorID, ?, (SELECT count(*) FROM itemCreators WHERE itemID = ?) "
            "FROM creators WHERE lastName = ? AND firstName = ? AND fieldMode = ?",
            (item, CREATOR_TYPES.index(role) + 1, item, family, given, mode),
        )

    def tag(self, item: int, name: str) -> None:
        """A tag of an item."""
        self.db.execute("INSERT OR IGNORE INTO tags (name) VALUES (?)", (name,))
        self.db.execute("INSERT OR IGNORE INTO itemTags SELECT ?, tagID, 0 FROM tags WHERE name = ?", (item, name))

    def collection(
        self, name: str, parent: int | None = None, library: int | None = None, items: Sequence[int] = ()
    ) -> int:
        """A collection with items in it."""
        collection = self._insert(
            "collections",
            collectionName=name,
            parentCollectionID=parent,
            libraryID=library or self.user,
            key=self.key(),
        )
        for item in items:
            self._insert("collectionItems", collectionID=collection, itemID=item)
        return collection

    def note(
        self, html: str, parent: int | None = None, key: str = "", title: str = "", library: int | None = None
    ) -> int:
        """A note, HTML inside Zotero's wrapping div; alone without a parent."""
        note = self.item("note", key, library)
        wrapped = f'<div data-schema-version="9">{html}</div>'
        self._insert("itemNotes", itemID=note, parentItemID=parent, note=wrapped, title=title)
        return note

    def attachment(
        self,
        path: str | None,
        parent: int | None = None,
        key: str = "",
        link_mode: int = IMPORTED_FILE,
        content_type: str = "application/pdf",
        library: int | None = None,
        content: bytes | None = None,
        **fields: str,
    ) -> int:
        """An attachment; with `content`, its file is put where ``storage:NAME`` says."""
        key = self.key(key)
        attachment = self.item("attachment", key, library, **fields)
        self._insert(
            "itemAttachments",
            itemID=attachment,
            parentItemID=parent,
            linkMode=link_mode,
            contentType=content_type,
            path=path,
        )
        if content is not None and path is not None:
            file = self.folder / "storage" / key / path.removeprefix("storage:")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return attachment

    def annotation(
        self,
        attachment: int,
        kind: str = "highlight",
        text: str | None = None,
        comment: str | None = None,
        key: str = "",
        position: dict[str, Any] | None = None,
        page_label: str = "",
        order: str = "00000|000000|00000",
        library: int | None = None,
    ) -> int:
        """An annotation of an attachment."""
        annotation = self.item("annotation", key, library)
        self._insert(
            "itemAnnotations",
            itemID=annotation,
            parentItemID=attachment,
            type=ANNOTATION_TYPES[kind],
            text=text,
            comment=comment,
            color="#ffd400",
            pageLabel=page_label,
            sortIndex=order,
            position=json.dumps(position or {"pageIndex": 0, "rects": [[10, 20, 110, 32]]}),
            isExternal=0,
        )
        return annotation

    def trash(self, *items: int) -> None:
        """Puts items of any kind into the trash."""
        self.db.executemany("INSERT INTO deletedItems (itemID) VALUES (?)", [(item,) for item in items])

    def trash_collection(self, collection: int) -> None:
        """Puts a collection into the trash."""
        self._insert("deletedCollections", collectionID=collection)

    def close(self) -> Path:
        """Commits and closes; the data directory."""
        self.db.commit()
        self.db.close()
        return self.folder


_ZOTERO = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("PRAGMA journal_mode = " + sys.argv[2])
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.executescript(sys.argv[3])
    print("ready", flush=True)
    for line in sys.stdin:
        db.executescript(line)
        print("done", flush=True)
"""


class RunningZotero:
    """Another process that has the database open."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, sql: str) -> None:
        """Runs one line of SQL in that process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(sql.replace("\n", " ") + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline().strip() == "done"


@contextmanager
def zotero_running(database: Path, sql: str = "", journal: str = "WAL") -> Iterator[RunningZotero]:
    """Zotero 10 as it runs: another process that holds an exclusive lock for as long as the context lasts, and has
    written `sql`, which in the journal mode WAL stands in the ``-wal`` file only. Killed at the end, as in a crash."""
    command = [sys.executable, "-c", textwrap.dedent(_ZOTERO), str(database), journal, sql]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "ready"
            yield RunningZotero(process)
        finally:
            process.kill()
