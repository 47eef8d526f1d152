"""The texts of a library that may hold a quotation, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.errors import NotReady
from pincite.indexing.plain import pack_of
from pincite.item_text import annotation_text
from pincite.locating.match import Quotation, Readings
from pincite.locating.raised import raised_numbers
from pincite.query.parse import parse
from pincite.search.answer import lexicon_of
from pincite.search.found import records_of
from pincite.spec import Cancel, Store
from pincite.values.library import Record
from pincite.values.pack import Flow, Pack
from pincite.values.search import Chunk, ChunkKind

if TYPE_CHECKING:
    from pincite.library import Library

PASSAGES = 1_000
"""Passages by words that are looked at first."""

NEAR = 0.3
"""Share of the best passage's score below which a passage does not hold the quotation: its words alone score more, cut in two even."""

WORDS = 60
"""Words of a long quotation that are asked for."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose text it is: `kind` "file", "note", "annotation" or "abstract"; `item` is the item's row, `child` an id or ""."""

    item: int
    kind: str
    child: str


@dataclass(frozen=True, eq=False)
class Text:
    """One text. `pack` is None where nothing is known of its structure."""

    owner: Owner
    record: Record
    text: str
    pack: Pack | None = field(repr=False)

    @cached_property
    def readings(self) -> Readings:
        """The text in the ways that a quotation may have read it."""
        return readings_of(self.text, self.pack)


def readings_of(text: str, pack: Pack | None) -> Readings:
    """The readings of a text, whose pack, where there is one, says what interrupts its body."""
    blocks = pack.blocks if pack is not None else ()
    beside = [(b.start, b.end) for b in blocks if b.flow is not Flow.BODY]
    excluded = [(b.start, b.end) for b in blocks if b.flow is Flow.EXCLUDED]
    raised = raised_numbers(text, pack.places) if pack is not None and pack.places is not None else []
    return Readings(text, sorted(beside), sorted(excluded), raised)


def likely(library: Library, quotation: Quotation, cancelled: Cancel) -> list[Owner]:
    """The owners of the passages that hold the quotation's words, best first; empty where no ranker by words is ready."""
    letters = quotation.letters
    words = list(dict.fromkeys(_words(letters.normal)))
    query = parse(" ".join(words[:WORDS]))
    ranker, _ = lexicon_of(library, {}, query)
    if ranker is None:
        return []
    try:
        found = ranker.rank(query, None, PASSAGES, cancelled)
    except NotReady:
        return []
    if not found:
        return []
    kept = [one.row for one in found if one.score >= NEAR * found[0].score]
    chunks = library.store.chunks(kept)
    return list(dict.fromkeys(_owner(chunks[row]) for row in kept if row in chunks))


def every(store: Store, files: bool) -> Iterator[Owner]:
    """Every file with a text, or (`files` false) every note, annotation and abstract."""
    if files:
        for entry in store.files():
            yield Owner(entry.item, "file", entry.attachment)
        return
    rows = [row for id in store.fingerprints() if (row := store.find_item(id)) is not None]
    for row, record in records_of(store, rows):
        yield Owner(row, "abstract", "")
        yield from (Owner(row, "note", note.id) for note in record.notes)
        yield from (Owner(row, "annotation", one.id) for one in record.annotations)


def read(store: Store, owner: Owner) -> Text | None:
    """A text with its structure; None where there is none to read."""
    record = store.records([owner.item]).get(owner.item)
    if record is None:
        return None
    if owner.kind == "file":
        return _file(store, owner, record)
    text = ""
    if owner.kind == "abstract":
        text = record.item.abstract
    elif owner.kind == "note":
        text = next((note.text for note in record.notes if note.id == owner.child), "")
    else:
        text = next((annotation_text(one) for one in record.annotations if one.id == owner.child), "")
    return Text(owner, record, text, None) if text else None


def _file(store: Store, owner: Owner, record: Record) -> Text | None:
    attachment = next((one for one in record.attachments if one.id == owner.child), None)
    pack = pack_of(store, attachment)
    return Text(owner, record, pack.text, pack) if pack is not None and pack.text else None


def _owner(chunk: Chunk) -> Owner:
    if chunk.kind is ChunkKind.ITEM:
        return Owner(chunk.item, "abstract", "")
    if chunk.kind in (ChunkKind.NOTE, ChunkKind.ANNOTATION):
        return Owner(chunk.item, str(chunk.kind), chunk.child)
    return Owner(chunk.item, "file", chunk.child)


def _words(normal: str) -> Sequence[str]:
    """What stands between signs: nothing that the query's syntax would take for its own."""
    return "".join(char if char.isalnum() else " " for char in normal).split()
