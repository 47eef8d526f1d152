"""The ledger of files, and what was made of each."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pincite import packs
from pincite.item_text import annotation_chunk
from pincite.text.language import language
from pincite.values.ledger import FileEntry, FileState, NewChunk, Totals
from pincite.values.library import Annotation, AnnotationKind, to_json
from pincite_plugins.stores.sqlite.part import Part, packed, storable

_COLUMNS = (
    "state, verdict, reason, attempts, passing, size, mtime_ns, hash, extractor, extractor_version, cutter, pages, "
    "letters, made_with, found"
)

if TYPE_CHECKING:
    from pincite.values.pack import Pack


def pack_name(entry: FileEntry, pack: Pack | None = None) -> str:
    """The file of the pack that this content gives with this extractor, its version and settings."""
    extractor, version = entry.extractor, entry.extractor_version
    if pack is not None and not extractor:
        extractor, version = pack.extractor, pack.extractor_version
    mark = f"-{entry.made_with}" if entry.made_with else ""
    return f"{entry.hash}-{extractor}{version}{mark}.pack"


class LedgerPart(Part):
    """One attachment is one transaction."""

    def files(self, items: Iterable[int] | None = None) -> list[FileEntry]:
        """Every attachment, or those of these items, smallest first where the size is known, then by id."""
        sql = f"SELECT k.id, k.item, k.json, {_COLUMNS} FROM file f JOIN child k ON k.row = f.child"
        if items is None:
            return [_entry(*row) for row in self.db.execute(f"{sql} ORDER BY f.size, k.id")]
        found = [_entry(*row) for row in self.rows_in(f"{sql} WHERE k.item IN ({{}})", map(int, items))]
        return sorted(found, key=lambda entry: (entry.size, entry.attachment))

    def note_file(self, entry: FileEntry) -> None:
        """A verdict or a new stat; what was made of the file goes where it is skipped or failed."""
        gone = entry.state in (FileState.SKIPPED, FileState.FAILED)
        with self.transaction():
            child = self._child(entry.attachment)
            if child is None:
                return
            self._write(child, replace(entry, found={}) if gone else entry)
            if gone:
                self.db.execute("UPDATE file SET pack = '' WHERE child = ?", (child,))
                self._drop_embedded(child)  # type: ignore[attr-defined]
                self._replace_chunks(entry.item, child, ())  # type: ignore[attr-defined]
                self._settle(entry.item)  # type: ignore[attr-defined]

    def put_file(self, entry: FileEntry, pack: Pack | None, chunks: Sequence[NewChunk]) -> None:
        """Replaces everything made of an attachment. The pack is written beside first; the row names it last."""
        name = ""
        if pack is not None:
            name = pack_name(entry, pack)
            path = self._pack_path(name)  # type: ignore[attr-defined]
            if not path.exists():  # a damaged one was removed when it was noticed
                packs.write_pack(path, pack)
        with self.transaction():
            child = self._child(entry.attachment)
            if child is None:
                return
            self._write(child, entry)
            if pack is not None:
                self.db.execute("UPDATE file SET pack = ? WHERE child = ?", (name, child))
                self._put_embedded(child, entry, pack)
            self._replace_chunks(entry.item, child, chunks)  # type: ignore[attr-defined]
            self._settle(entry.item)  # type: ignore[attr-defined]

    def stored_pack(self, entry: FileEntry) -> Pack | None:
        """The pack of this content by this extractor, version and settings, or None; a damaged one is removed."""
        if not entry.hash or not entry.extractor:
            return None
        path = self._pack_path(pack_name(entry))  # type: ignore[attr-defined]
        try:
            pack = packs.read_pack(path)
        except FileNotFoundError:
            return None
        except (OSError, packs.PackError):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        return pack if pack.source_hash == entry.hash else None

    def totals(self) -> Totals:
        """Counts that add up."""
        # not GROUP BY, which sorts them all first
        counts = ", ".join(f"count(*) FILTER (WHERE state = '{state}')" for state in FileState)
        (found,) = self.db.execute(f"SELECT {counts} FROM file").fetchall()
        by_state = dict(zip(FileState, found, strict=True))
        by_what = dict(self.db.execute("SELECT what, count(*) FROM child GROUP BY what"))
        waiting = by_state[FileState.WAITING]
        return Totals(
            items=self.db.execute("SELECT count(*) FROM item").get,
            files=sum(by_state.values()),
            indexed=by_state[FileState.INDEXED],
            skipped=by_state[FileState.SKIPPED] + waiting,
            failed=by_state[FileState.FAILED],
            waiting=waiting,
            notes=by_what.get("note", 0),
            annotations=by_what.get("annotation", 0),
            chunks=int(self.db.execute("SELECT value FROM state WHERE key = 'chunks'").get),
        )

    def _child(self, attachment: str) -> int | None:
        row = self.db.execute("SELECT row FROM child WHERE id = ? AND what = 'attachment'", (attachment,)).get
        return None if row is None else int(row)

    def _write(self, child: int, entry: FileEntry) -> None:
        self.db.execute(
            f"UPDATE file SET ({_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE child = ?",
            (
                str(entry.state), entry.verdict, entry.reason, entry.attempts, int(entry.passing), entry.size, entry.mtime_ns, entry.hash,
                entry.extractor, entry.extractor_version, entry.cutter, packed(dict(entry.pages)), entry.letters, entry.made_with,
                packed(dict(entry.found)) if entry.found else "", child,
            ),
        )  # fmt: skip

    def _put_embedded(self, child: int, entry: FileEntry, pack: Pack) -> None:
        """Annotations inside the file become children beside those of the source."""
        self._drop_embedded(child)  # type: ignore[attr-defined]
        kinds = {str(kind) for kind in AnnotationKind}
        for number, found in enumerate(pack.annotations):
            if not (found.text or found.comment):
                continue
            annotation = Annotation(
                id=f"{entry.attachment}@{number}",
                attachment=entry.attachment,
                kind=AnnotationKind(found.kind if found.kind in kinds else "note"),
                text=found.text,
                comment=found.comment,
                color=found.color,
                page=found.page,
                page_label=found.page_label,
                anchor=packed({"kind": "pdf", "rects": [list(rect) for rect in found.rects]}),
            )
            self._insert_embedded(child, entry.item, number, annotation)

    def _insert_embedded(self, child: int, item: int, number: int, annotation: Annotation) -> None:
        row = self._insert_child(  # type: ignore[attr-defined]
            item, annotation.id, "annotation", 1_000_000 + number, storable(to_json(annotation)), child
        )
        chunk = annotation_chunk(annotation, language(annotation.text or annotation.comment))
        if chunk is not None:
            self._replace_chunks(item, row, [chunk])  # type: ignore[attr-defined]


def _entry(id: str, item: int, text: str, state: str, *rest: Any) -> FileEntry:
    (
        verdict,
        reason,
        attempts,
        passing,
        size,
        mtime,
        hash,
        extractor,
        version,
        cutter,
        pages,
        letters,
        made_with,
        found,
    ) = rest
    return FileEntry(
        attachment=id,
        item=item,
        path=json.loads(text).get("path", ""),
        state=FileState(state),
        verdict=verdict,
        reason=reason,
        attempts=attempts,
        passing=bool(passing),
        size=size,
        mtime_ns=mtime,
        hash=hash,
        extractor=extractor,
        extractor_version=version,
        cutter=cutter,
        pages=json.loads(pages),
        letters=letters,
        made_with=made_with,
        found=json.loads(found) if found else {},
    )
