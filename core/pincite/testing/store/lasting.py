"""The contract of stores: what outlasts closing, other readers, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.testing.samples import BELLS, RECORDS, TIDES, TrigramEmbedder, chunks_of, embed_all, many, put
from pincite.testing.store.base import StoreBase


class LastingTests(StoreBase):
    """State, readers, and how it ends."""

    def test_state_is_kept_and_forgotten(self, store: Any, index: Path) -> None:
        store.set("schlüssel", "värde 値\n")
        store.set("other", "x")
        store.set("other", None)
        store.close()
        again = self.opened(index)
        self.must(again.get("schlüssel") == "värde 値\n" and again.get("other") is None, "does not keep its state")
        again.close()

    def test_readers_see_whole_records_while_another_writes(self, filled: Any, index: Path) -> None:
        reader = self.opened(index)
        for record in many(12):
            put(filled, record)
            rows = reader.all_rows()
            self.must(len(reader.chunks(rows)) == len(rows) == len(reader.texts(rows)), "shows a reader half a record")
        self.must(len(reader.all_rows()) == len(filled.all_rows()), "hides from a reader what was written")
        reader.close()

    def test_writing_the_same_gives_the_same(self, folder: Path) -> None:
        seen = []
        for name in ("one", "two"):
            store = self.opened(folder / name)
            for record in (*RECORDS, *many(5)):
                put(store, record)
            store.drop_items(["bells"])
            embed_all(store, TrigramEmbedder())
            seen.append(
                (
                    [(change.op, change.row) for change in store.changes(0)],
                    store.texts(store.all_rows()),
                    store.totals(),
                )
            )
            store.close()
        self.must(seen[0] == seen[1], "gives other rows or changes for the same records in the same order")

    def test_a_record_that_cannot_be_kept_leaves_nothing(self, filled: Any) -> None:
        last, rows = filled.last_change(), filled.all_rows().tolist()
        wrong = replace(TIDES, item=replace(TIDES.item, id="wrong", title=object()))  # type: ignore[arg-type]
        with self.raises(Exception, message="a record with a title that is no text must be refused"):
            filled.put_record(wrong, "x", chunks_of(BELLS))
        self.must(
            filled.last_change() == last and filled.all_rows().tolist() == rows,
            "keeps half of a record that it refuses",
        )
        put(filled, many(1)[0])

    def test_everything_is_given_back(self, filled: Any, index: Path) -> None:
        filled.close()
        self.opened(index).close()
        with self.gives_back():
            for _ in range(3):
                store = self.opened(index)
                store.texts(store.all_rows())
                store.close()
                del store
