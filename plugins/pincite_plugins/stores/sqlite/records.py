"""Writing items and their children."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pincite.item_text import own_chunk
from pincite.values.ledger import NewChunk
from pincite.values.library import Annotation, Attachment, Child, Item, Note, Record, item_from_json, to_json
from pincite.values.search import Op
from pincite_plugins.stores.sqlite.part import Part, folded, packed, storable
from pincite_plugins.stores.sqlite.reading import item_of
from pincite_plugins.stores.sqlite.texts import text_fingerprint

_WHAT = {Note: "note", Annotation: "annotation", Attachment: "attachment"}


class RecordsPart(Part):
    """One item with its children is one transaction."""

    def fingerprints(self) -> dict[str, str]:
        """Item id → fingerprint of its record."""
        return dict(self.db.execute("SELECT id, fingerprint FROM item"))

    def put_record(self, record: Record, fingerprint: str, chunks: Mapping[str, Sequence[NewChunk]]) -> int:
        """Inserts or replaces an item and its children; returns its row."""
        with self.transaction():
            row, changed = self._put_item(record.item, fingerprint)
            self._put_children(row, record, chunks)
            self._settle(row, chunks.get("", ()), changed)
        return row

    def drop_items(self, ids: Iterable[str]) -> int:
        """Removes items with everything made of them, each in its own transaction."""
        count = 0
        for id in ids:
            with self.transaction():
                for (row,) in list(self.db.execute("SELECT row FROM item WHERE id = ?", (id,))):
                    for (child,) in list(self.db.execute("SELECT row FROM child WHERE item = ?", (row,))):
                        self._drop_child(child)
                    self._replace_chunks(row, None, ())
                    self.db.execute("DELETE FROM label WHERE item = ?", (row,))
                    self.db.execute("DELETE FROM item WHERE row = ?", (row,))
                    count += 1
        return count

    # ------------------------------------------------------------------------------------------ items

    def _put_item(self, item: Item, fingerprint: str) -> tuple[int, bool]:
        """(its row, whether it says something else than before)."""
        text = storable(to_json(item))
        for row, before in self.db.execute("SELECT row, json FROM item WHERE id = ?", (item.id,)):
            self.db.execute("UPDATE item SET fingerprint = ? WHERE row = ?", (fingerprint, row))
            if before != text:
                title = self.item(row).title  # type: ignore[attr-defined]
                self.db.execute("UPDATE item SET json = ?, grp = ? WHERE row = ?", (text, item.group, row))
                self._changed(row, title)
            return int(row), before != text
        self.db.execute(
            "INSERT INTO item (id, json, fingerprint, kind, year, grp) VALUES (?, ?, ?, ?, ?, ?)",
            (item.id, text, fingerprint, item.kind, item.year, item.group),
        )
        row = int(self.db.last_insert_rowid())
        self._label(row, item)
        return row, False

    def _settle(self, row: int, given: Sequence[NewChunk] = (), changed: bool = False) -> None:
        """What an item's files say of it, in the order of its attachments, fills what its source left empty; its own chunk follows.

        `given` is that chunk for an item that no file fills. `changed`: it is told anew though its text be the same, as its words hold
        the metadata, too."""
        before, text = next(iter(self.db.execute("SELECT found, json FROM item WHERE row = ?", (row,))))
        item, found = item_from_json(text), {}
        sql = "SELECT f.found FROM file f JOIN child k ON k.row = f.child WHERE k.item = ? AND f.found <> '' ORDER BY k.position, k.row"
        for (says,) in self.db.execute(sql, (row,)):
            for name, value in json.loads(says).items():
                if not getattr(item, name):
                    found.setdefault(name, value)
        after = packed(dict(sorted(found.items()))) if found else ""
        if after != before:
            changed = True
            title = item_of(text, before).title
            self.db.execute("UPDATE item SET found = ? WHERE row = ?", (after, row))
            self._changed(row, title)
        had = self.db.execute("SELECT 1 FROM chunk WHERE item = ? AND child IS NULL", (row,)).get is not None
        if changed:
            self._replace_chunks(row, None, ())
        if given or found or had:
            own = list(given) if given and not found else [own_chunk(item_of(text, after))]
            if not item_of(text, after).abstract and self._has_embedded_body(row):
                # a bare title beside its text says less than the text does, and crowds it out: cisi .340 against .308 (nDCG@10)
                own = [replace(chunk, embed=None) for chunk in own]
            self._replace_chunks(row, None, own)

    def _has_embedded_body(self, row: int) -> bool:
        sql = """SELECT 1 FROM chunk c JOIN child k ON k.row = c.child
                 WHERE c.item = ? AND c.embed_key IS NOT NULL AND k.what = 'attachment' LIMIT 1"""
        return self.db.execute(sql, (row,)).get is not None

    def _changed(self, row: int, title: str) -> None:
        """An item says something else now: its labels, and the title that the words of its children carry."""
        item = self.item(row)  # type: ignore[attr-defined]
        self._label(row, item)
        if item.title != title:
            self.db.execute(
                "INSERT INTO change (op, row) SELECT ?, row FROM chunk WHERE item = ? AND child IS NOT NULL ORDER BY row",
                (str(Op.PUT), row),
            )

    def _label(self, row: int, item: Item) -> None:
        self.db.execute("DELETE FROM label WHERE item = ?", (row,))
        self.db.execute("UPDATE item SET year = ?, kind = ? WHERE row = ?", (item.year, item.kind, row))
        labels = {("tag", folded(tag)) for tag in item.tags}
        for collection in item.collections:
            labels.add(("collection", folded(collection)))
        labels |= {("creator", folded(creator.name)) for creator in item.creators}
        self.db.executemany(
            "INSERT OR IGNORE INTO label VALUES (?, ?, ?)", ((row, what, value) for what, value in sorted(labels))
        )

    # ------------------------------------------------------------------------------------------ children

    def _put_children(self, item: int, record: Record, chunks: Mapping[str, Sequence[NewChunk]]) -> None:
        before = {
            id: (row, what, text)
            for row, id, what, text, embedded in self.db.execute(
                "SELECT row, id, what, json, embedded FROM child WHERE item = ?", (item,)
            )
            if not embedded
        }
        children: list[Child] = [*record.notes, *record.annotations, *record.attachments]
        for position, child in enumerate(children):
            what, text = _WHAT[type(child)], storable(to_json(child))
            known = before.pop(child.id, None)
            if known is not None and known[1] != what:
                self._drop_child(known[0])
                known = None
            if known is None:
                row = self._insert_child(item, child.id, what, position, text)
            else:
                row = known[0]
                self.db.execute("UPDATE child SET position = ?, json = ? WHERE row = ?", (position, text, row))
            if isinstance(child, Attachment):
                if known is not None and _content(known[2]) != _content(text):
                    self.db.execute(
                        "UPDATE file SET state = 'waiting', size = -1, mtime_ns = -1, attempts = 0 WHERE child = ?",
                        (row,),
                    )
            elif known is None or known[2] != text:
                self._replace_chunks(item, row, chunks.get(child.id, ()))
        for row, _, _ in before.values():
            self._drop_child(row)

    def _insert_child(self, item: int, id: str, what: str, position: int, text: str, embedded: int = 0) -> int:
        # an id that moved from another item takes nothing along
        for row, other in list(self.db.execute("SELECT row, item FROM child WHERE id = ?", (id,))):
            self._drop_child(row)
            if other != item:
                self._settle(other)
        self.db.execute(
            "INSERT INTO child (id, item, what, position, json, embedded) VALUES (?, ?, ?, ?, ?, ?)",
            (id, item, what, position, text, embedded),
        )
        row = self.db.last_insert_rowid()
        if what == "attachment":
            self.db.execute("INSERT INTO file (child) VALUES (?)", (row,))
        return row

    def _drop_child(self, child: int) -> None:
        self._drop_embedded(child)
        self._replace_chunks(None, child, ())
        self.db.execute("DELETE FROM file WHERE child = ?", (child,))
        self.db.execute("DELETE FROM child WHERE row = ?", (child,))

    def _drop_embedded(self, attachment: int) -> None:
        """The annotations that were found inside an attachment's file."""
        for (row,) in list(
            self.db.execute(
                "SELECT row FROM child WHERE item = (SELECT item FROM child WHERE row = ?1) AND embedded = ?1",
                (attachment,),
            )
        ):
            self._replace_chunks(None, row, ())
            self.db.execute("DELETE FROM child WHERE row = ?", (row,))

    # ------------------------------------------------------------------------------------------ chunks

    def _replace_chunks(self, item: int | None, child: int | None, chunks: Sequence[NewChunk]) -> None:
        """The chunks of a child, or (child None) of an item's own text. What is the same keeps its row."""
        if child is None:
            # +child: by the index of items; by that of children SQLite reads the item texts of the whole library
            own = "SELECT row, * FROM chunk WHERE +child IS NULL AND item = ? ORDER BY ordinal"
            old = self.db.execute(own, (item,))
        else:
            old = self.db.execute("SELECT row, * FROM chunk WHERE child = ? ORDER BY ordinal", (child,))
        before = [(row[0], tuple(row[2:])) for row in old]
        after = [_values(item, child, ordinal, chunk) for ordinal, chunk in enumerate(chunks)]
        if [values for _, values in before] == after:
            return
        self.db.execute("UPDATE state SET value = value + ? WHERE key = 'chunks'", (len(after) - len(before),))
        for row, _ in before:
            self.db.execute("DELETE FROM chunk WHERE row = ?", (row,))
            self.db.execute("INSERT INTO change (op, row) VALUES (?, ?)", (str(Op.GONE), row))
        for values in after:
            self.db.execute(
                """INSERT INTO chunk (item, child, ordinal, kind, spans, section, page, page_label, anchor, language, role, tokens,
                   path_embedded, embed_key, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                values,
            )
            self.db.execute("INSERT INTO change (op, row) VALUES (?, ?)", (str(Op.PUT), self.db.last_insert_rowid()))


def _values(item: int | None, child: int | None, ordinal: int, chunk: NewChunk) -> tuple[Any, ...]:
    draft = chunk.draft
    key = None if chunk.embed is None else embed_key(chunk.embed)
    return (
        item,
        child,
        ordinal,
        str(draft.kind),
        packed(draft.spans),
        packed(draft.section),
        draft.page,
        chunk.page_label,
        packed(dict(chunk.anchor)),
        chunk.language,
        draft.role,
        draft.tokens,
        int(draft.path_embedded),
        key,
        text_fingerprint(chunk.text),
    )


def embed_key(text: str) -> bytes:
    """Sixteen bytes of a hash of the text to embed."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _content(text: str) -> tuple[Any, ...]:
    data = json.loads(text)
    own = data.get("title") if data.get("text") is not None else None  # it is embedded with the text
    return (own, *(data.get(key) for key in ("path", "text", "content_type", "missing", "language")))
