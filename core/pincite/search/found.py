"""A passage by its id, with the work that it stands in and what stands around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pincite.errors import UsageError
from pincite.item_text import item_text
from pincite.search.places import attachment_of, link_of
from pincite.spec import Store
from pincite.values.library import Attachment, Item, Record
from pincite.values.quick import dataclass
from pincite.values.search import Chunk

RECORDS = 500
"""Records that are read at a time, where all of a library are looked through."""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage. `text` is "" where its file no longer reads as it did when it was indexed."""

    record: Record
    chunk: Chunk
    text: str

    @property
    def item(self) -> Item:
        """The work."""
        return self.record.item

    @property
    def link(self) -> str:
        """What opens it at its place."""
        return link_of(self.record, self.chunk)

    @property
    def attachment(self) -> Attachment | None:
        """The file it stands in."""
        return attachment_of(self.record, self.chunk)


def find(store: Store, passage: str) -> Found:
    """A passage by its id. Raises `UsageError` where there is none of it."""
    row = store.find_chunk(passage)
    found = [] if row is None else rows(store, [row])
    if not found:
        raise UsageError(f"no passage has the id '{passage}'; `pincite search … --json` gives the ids of passages")
    return found[0]


def whole_item(store: Store, item: str) -> Found:
    """An item's own text as a passage: for a hit that has no other. Raises `UsageError` where there is no such item."""
    row = store.find_item(item)
    if row is not None:
        for one in every(store, row):
            return one
    raise UsageError(f"no work has the id '{item}' any more; search again")


def records_of(store: Store, items: Sequence[int]) -> Iterator[tuple[int, Record]]:
    """(row, record) of items, read `RECORDS` at a time."""
    for at in range(0, len(items), RECORDS):
        yield from store.records(items[at : at + RECORDS]).items()


def item_row(store: Store, name: str) -> int:
    """The row of a work by its id, else by its citation key. Raises `UsageError` where there is none."""
    row = store.find_item(name)
    if row is not None:
        return row
    items = np.unique(store.items_of(store.all_rows()))
    for item, record in records_of(store, items[items >= 0].tolist()):
        if name and record.item.key == name:
            return item
    raise UsageError(f"{name}: no work of this library has that id or citation key")


def every(store: Store, item: int) -> list[Found]:
    """Every passage of an item in reading order."""
    return rows(store, store.rows_of_item(item).tolist())


def around(store: Store, found: Found, count: int = 1) -> tuple[list[Found], list[Found]]:
    """Up to `count` passages before and after it in the same file, note or annotation, in reading order."""
    same = [int(row) for row in store.rows_of_item(found.chunk.item)]
    chunks = store.chunks(same)
    same = [row for row in same if row in chunks and chunks[row].child == found.chunk.child]
    if found.chunk.row not in same:
        return [], []
    at = same.index(found.chunk.row)
    return rows(store, same[max(0, at - count) : at]), rows(store, same[at + 1 : at + 1 + count])


def rows(store: Store, wanted: list[int]) -> list[Found]:
    """Passages by row, in the order given; those that are gone are left out."""
    chunks = store.chunks(wanted)
    texts = store.texts(chunks)
    records = store.records({chunk.item for chunk in chunks.values()})
    found = []
    for row in wanted:
        chunk = chunks.get(row)
        if chunk is not None and chunk.item in records:
            record = records[chunk.item]
            text = texts.get(row, "") or (item_text(record.item) if not chunk.child else "")
            found.append(Found(record, chunk, text))
    return found
