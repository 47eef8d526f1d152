"""The texts of chunks, read back from packs, items and children, and checked before they are shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite import packs
from pincite.chunks import embedded_text, join_parts
from pincite.item_text import annotation_text, item_text, metadata_text, titles_text
from pincite.values.library import Item, annotation_from_json, attachment_from_json, note_from_json
from pincite.values.search import ChunkKind, ChunkText
from pincite_plugins.stores.sqlite.part import Part
from pincite_plugins.stores.sqlite.reading import item_of

_COLUMN = {ChunkKind.NOTE: "note", ChunkKind.ANNOTATION: "annotation", ChunkKind.REFERENCE: "reference"}

_SQL = """
    SELECT c.row, c.item, c.kind, c.spans, c.section, c.language, c.fingerprint, c.path_embedded, c.embed_key,
           c.child, k.what, f.pack
    FROM chunk c LEFT JOIN child k ON k.row = c.child LEFT JOIN file f ON f.child = c.child
    WHERE c.row IN ({})
"""

if TYPE_CHECKING:
    from pincite.values.pack import Pack


def text_fingerprint(text: str) -> bytes:
    """Eight bytes of a hash of the text with its white space collapsed."""
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=8).digest()


class TextsPart(Part):
    """Texts for people, for lexical rankers and for the embedder."""

    def texts(self, rows: Iterable[int]) -> dict[int, str]:
        """Chunk row → text; a row that does not read back as it was cut is left out."""
        return {row: text for row, text, _ in self._read(list(map(int, rows)))}

    def words(self, rows: Iterable[int]) -> Iterator[ChunkText]:
        """Texts by column, in the order given."""
        wanted = list(map(int, rows))
        for at in range(0, len(wanted), 500):
            part = wanted[at : at + 500]
            found = {row: (text, about) for row, text, about in self._read(part)}
            titles = self._titles({about[1] for _, about in found.values()})
            for row in part:
                if row not in found:
                    continue
                text, (_, item, kind, _, section, language, *_) = found[row]
                kind = ChunkKind(kind)
                entry = titles.get(item)
                if kind is ChunkKind.ITEM:
                    if entry is None:
                        continue
                    columns = {
                        "title": titles_text(entry),
                        "abstract": entry.abstract,
                        "metadata": metadata_text(entry),
                    }
                else:
                    columns = {_COLUMN.get(kind, "body"): text, "context": entry.title if entry else ""}
                    path = json.loads(section)
                    if path:
                        columns["heading"] = " > ".join(path)
                yield ChunkText(row, item, kind, language, {name: value for name, value in columns.items() if value})

    def embed_texts(self, rows: Iterable[int]) -> list[tuple[bytes, str]]:
        """(key, text to embed) in the order given."""
        wanted = list(map(int, rows))
        found = {}
        titles: dict[Any, str] = {}
        for row, text, about in self._read(wanted):
            section = tuple(json.loads(about[4])) if about[7] else ()
            title = self._own_title(about, titles)
            found[row] = (about[8], embedded_text(section, text, title=title))
        return [found[row] for row in wanted if row in found and found[row][0] is not None]

    def _own_title(self, about: tuple[Any, ...], titles: dict[Any, str]) -> str:
        """The title of the file that a chunk is from, which its embedded text begins with; "" for item text, notes and annotations."""
        child, what, name = about[9], about[10], about[11]
        if what != "attachment":
            return ""
        key = name or child
        if key not in titles:
            if name:
                try:
                    titles[key] = packs.read_facts(self._pack_path(name)).metadata.get("title", "")
                except (OSError, packs.PackError):
                    self._suspect(f"pack {name}")
                    titles[key] = ""
            else:
                text = self.db.execute("SELECT json FROM child WHERE row = ?", (child,)).get
                titles[key] = attachment_from_json(text).title if text else ""
        return titles[key]

    def pack(self, attachment: str) -> Pack | None:
        """The structured text of an attachment; None where there is none or it is damaged."""
        name = self.db.execute(
            "SELECT f.pack FROM file f JOIN child k ON k.row = f.child WHERE k.id = ?", (attachment,)
        ).get
        if not name:
            return None
        try:
            return packs.read_pack(self._pack_path(name))
        except (OSError, packs.PackError):
            self._suspect(f"pack {name}")
            return None

    def _pack_path(self, name: str) -> Path:
        return self.packs / name[:2] / name

    def _titles(self, items: Iterable[int]) -> dict[int, Item]:
        sql = "SELECT row, json, found FROM item WHERE row IN ({})"
        return {row: item_of(text, found) for row, text, found in self.rows_in(sql, items)}

    def _read(self, rows: list[int]) -> Iterator[tuple[int, str, tuple[Any, ...]]]:
        """(row, text, the columns of `_SQL`), by pack, so that each is opened once."""
        by_pack: dict[str, list[tuple[Any, ...]]] = {}
        by_child: dict[tuple[str, int], list[tuple[Any, ...]]] = {}
        items: list[tuple[Any, ...]] = []
        for about in self.rows_in(_SQL, rows):
            if about[9] is None:
                items.append(about)
            elif about[11]:
                by_pack.setdefault(about[11], []).append(about)
            else:
                by_child.setdefault((about[10], about[9]), []).append(about)
        entries = self._titles({about[1] for about in items})
        for about in items:
            if about[1] in entries:
                yield from self._checked(about, [item_text(entries[about[1]])])
        sources = dict(self.rows_in("SELECT row, json FROM child WHERE row IN ({})", {child for _, child in by_child}))
        for (what, child), group in by_child.items():
            if child not in sources:
                continue  # removed since
            whole = _inline_text(what, sources[child])
            for about in group:
                yield from self._checked(about, [whole[start:end] for start, end in json.loads(about[3])])
        for name, group in by_pack.items():
            spans = [[(start, end) for start, end in json.loads(about[3])] for about in group]
            try:
                flat = packs.read_text(self._pack_path(name), [span for each in spans for span in each])
            except (OSError, packs.PackError):
                self._suspect(f"pack {name}")  # looked into by the next run; no text rather than a wrong one
                continue
            at = 0
            for about, each in zip(group, spans, strict=True):
                yield from self._checked(about, flat[at : at + len(each)])
                at += len(each)

    def _checked(self, about: tuple[Any, ...], parts: list[str]) -> Iterator[tuple[int, str, tuple[Any, ...]]]:
        text = join_parts(parts)
        if text_fingerprint(text) == about[6]:
            yield about[0], text, about
        else:
            self._suspect(f"row {about[0]}")


def _inline_text(what: str, text: str) -> str:
    if what == "note":
        return note_from_json(text).text
    if what == "annotation":
        return annotation_text(annotation_from_json(text))
    return attachment_from_json(text).text or ""
