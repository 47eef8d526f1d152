"""Writing items and their children."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pincite.values.ledger import NewChunk
from pincite.values.library import Annotation, Attachment, Child, Item, Note, Record, to_json
from pincite.values.search import Op
from pincite_plugins.stores.sqlite.part import Part, folded, packed
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
            before = self.find_item(record.item.id)  # type: ignore[attr-defined]
            title = "" if before is None else self.item(before).title  # type: ignore[attr-defined]
            row = self._put_item(record.item, fingerprint)
            self._replace_chunks(row, None, chunks.get("", ()))
            if before is not None and title != self.item(row).title:  # type: ignore[attr-defined]
                self._tell_again(row)
            self._put_children(row, record, chunks)
        return row

    def fill_item(self, item: int, found: Mapping[str, Any], chunks: Sequence[NewChunk]) -> None:
        """What only the file knows of an item."""
        with self.transaction():
            self.db.execute("UPDATE item SET found = ? WHERE row = ?", (packed(dict(found)) if found else "", item))
            self._tell_again(item)
            self._label(item, self.item(item))  # type: ignore[attr-defined]
            self._replace_chunks(item, None, chunks)

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

    def _put_item(self, item: Item, fingerprint: str) -> int:
        text = to_json(item)
        self.db.execute(
            """INSERT INTO item (id, json, fingerprint, kind, year, grp) VALUES (?, ?, ?, ?, ?, ?)
               ON CONFLICT (id) DO UPDATE SET json = excluded.json, fingerprint = excluded.fingerprint, kind = excluded.kind,
                   year = excluded.year, grp = excluded.grp""",
            (item.id, text, fingerprint, item.kind, item.year, item.group),
        )
        row = int(self.db.execute("SELECT row FROM item WHERE id = ?", (item.id,)).get)
        self._label(row, self.item(row))  # type: ignore[attr-defined]
        return row

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

    def _tell_again(self, item: int) -> None:
        """The words of the rows of an item's children have changed with its title (`ChunkText.columns["context"]`)."""
        self.db.execute(
            "INSERT INTO change (op, row) SELECT ?, row FROM chunk WHERE item = ? AND child IS NOT NULL ORDER BY row",
            (str(Op.PUT), item),
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
            what, text = _WHAT[type(child)], to_json(child)
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
                        "UPDATE file SET state = 'waiting', mtime_ns = -1, attempts = 0 WHERE child = ?", (row,)
                    )
            elif known is None or known[2] != text:
                self._replace_chunks(item, row, chunks.get(child.id, ()))
        for row, _, _ in before.values():
            self._drop_child(row)

    def _insert_child(self, item: int, id: str, what: str, position: int, text: str, embedded: int = 0) -> int:
        # an id that moved from another item takes nothing along
        for (row,) in list(self.db.execute("SELECT row FROM child WHERE id = ?", (id,))):
            self._drop_child(row)
        self.db.execute(
            "INSERT INTO child (id, item, what, position, json, embedded) VALUES (?, ?, ?, ?, ?, ?)",
            (id, item, what, position, text, embedded),
        )
        row = self.db.last_insert_rowid()
        if what == "attachment":
            self.db.execute("INSERT INTO file (child) VALUES (?)", (row,))
        return row

    def _drop_child(self, child: int) -> None:
        self._replace_chunks(None, child, ())
        self.db.execute("DELETE FROM file WHERE child = ?", (child,))
        self.db.execute("DELETE FROM child WHERE row = ?", (child,))

    # ------------------------------------------------------------------------------------------ chunks

    def _replace_chunks(self, item: int | None, child: int | None, chunks: Sequence[NewChunk]) -> None:
        """The chunks of a child, or (child None) of an item's own text. What is the same keeps its row."""
        if child is None:
            old = self.db.execute("SELECT row, * FROM chunk WHERE child IS NULL AND item = ? ORDER BY ordinal", (item,))
        else:
            old = self.db.execute("SELECT row, * FROM chunk WHERE child = ? ORDER BY ordinal", (child,))
        before = [(row[0], tuple(row[2:])) for row in old]
        after = [_values(item, child, ordinal, chunk) for ordinal, chunk in enumerate(chunks)]
        if [values for _, values in before] == after and not (child is None and before):
            return
        # item text is always told anew: its metadata is no part of the row, but of its words
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
    return tuple(data.get(key) for key in ("path", "text", "content_type", "missing"))
