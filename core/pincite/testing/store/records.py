"""The contract of stores: what was put is read back, word for word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pincite.testing.samples import RECORDS, chunks_of, paragraphs
from pincite.testing.store.base import MODEL, StoreBase
from pincite.values.library import fingerprint


class RecordTests(StoreBase):
    """What is put and read back."""

    def test_an_empty_store_is_empty(self, store: Any) -> None:
        self.must(store.last_change() == 0, f"has the last change {store.last_change()} before anything was written")
        self.must(
            list(store.changes(0)) == [] and len(store.all_rows()) == 0, "holds something before anything was written"
        )
        self.must(
            store.find_item("kelp") is None and store.find_chunk("kelp#item0") is None, "finds what was never put"
        )
        self.must(
            store.fingerprints() == {} and store.totals().items == 0 and store.get("x") is None,
            "holds something before anything was written",
        )
        self.must(
            len(store.pending(MODEL)) == 0 and tuple(store.coverage(MODEL)) == (0, 0), "waits for vectors of nothing"
        )

    def test_what_was_put_reads_back_after_it_was_closed_and_opened(self, filled: Any, index: Path) -> None:
        for again in (False, True):
            store = self.opened(index) if again else filled
            for record in RECORDS:
                row = store.find_item(record.item.id)
                self.must(row is not None, f"does not find {record.item.id}")
                self.must(store.records([row])[row] == record, f"does not read back {record.item.id} as it was put")
                self.must(store.item(row) == record.item, f"does not read back the item {record.item.id}")
                self.must(store.item_ids([row]) == {row: record.item.id}, "gives another id for a row than was put")
            self.must(
                store.fingerprints() == {record.item.id: fingerprint(record) for record in RECORDS},
                "does not keep the fingerprints",
            )
            store.close()

    def test_texts_read_back_word_for_word(self, filled: Any) -> None:
        texts = set(filled.texts(filled.all_rows()).values())
        wanted = {chunk.text for record in RECORDS for chunks in chunks_of(record).values() for chunk in chunks}
        wanted |= {
            chunk.text for record in RECORDS for one in record.attachments for chunk in paragraphs(one.text or "")
        }
        self.must(texts == wanted, f"reads back other texts: {sorted(texts ^ wanted)[:3]}")

    def test_passage_ids_name_their_owner_and_find_their_row(self, filled: Any) -> None:
        rows = filled.all_rows()
        self.must(list(rows) == sorted(set(rows.tolist())), "does not give all rows once and sorted")
        wanted = [
            "bells#item0",
            "bells-f#0",
            "kelp#item0",
            "kelp-a#0",
            "kelp-f#0",
            "kelp-f#1",
            "kelp-n#0",
            "tides#item0",
            "tides-n#0",
        ]
        self.must(self.ids(filled, rows) == wanted, f"has the passages {self.ids(filled, rows)}")
        for row, chunk in filled.chunks(rows).items():
            self.must(filled.find_chunk(chunk.id) == row == chunk.row, f"does not find {chunk.id} by its id")
        for wrong in ("kelp-f#9", "kelp-f#", "nobody#0", "#", "", "kelp-f#1x", "kelp-f#" + "9" * 40, "\ud800#0"):
            self.must(filled.find_chunk(wrong) is None, f"finds a passage called {wrong!r}")

    def test_rows_lead_to_their_item_and_back_in_reading_order(self, filled: Any) -> None:
        for record in RECORDS:
            item = filled.find_item(record.item.id)
            rows = filled.rows_of_item(item)
            self.must(
                set(filled.items_of(rows).tolist()) == {item}, f"gives another item for the rows of {record.item.id}"
            )
        items = [filled.find_item(record.item.id) for record in RECORDS]
        together = {item: rows.tolist() for item, rows in filled.rows_of_items([*items, items[0], 10**9]).items()}
        alone = {item: filled.rows_of_item(item).tolist() for item in items}
        self.must(
            together == {item: rows for item, rows in alone.items() if rows}, "gives other rows for items together"
        )
        kelp = [filled.chunks([row])[row].id for row in filled.rows_of_item(filled.find_item("kelp"))]
        self.must(kelp.index("kelp-f#0") < kelp.index("kelp-f#1"), f"gives the rows of an item out of order: {kelp}")
        self.must(filled.items_of(np.array([10**9])).tolist() == [-1], "gives an item for a row that there is not")

    def test_words_come_by_column_in_the_order_asked_for(self, filled: Any) -> None:
        rows = filled.all_rows()[::-1]
        words = list(filled.words(rows))
        self.must(
            [one.row for one in words] == rows.tolist(), "gives the words of rows in another order than was asked for"
        )
        by_id = {filled.chunks([one.row])[one.row].id: one for one in words}
        self.must(
            "Kelp forests" in by_id["kelp#item0"].columns["title"]
            and "canopy" in by_id["kelp#item0"].columns["abstract"],
            "does not give title and abstract",
        )
        for word in ("Okafor", "2018", "ocean"):
            self.must(word in by_id["kelp#item0"].columns["metadata"], f"does not give {word} among the metadata")
        self.must("urchins" in by_id["kelp-n#0"].columns["note"], "does not give the words of a note")
        self.must("floor" in by_id["kelp-a#0"].columns["annotation"], "does not give the words of an annotation")
        self.must(
            by_id["kelp-f#0"].columns["body"] == "The holdfast grips the rock.", "does not give the words of a body"
        )
        self.must(
            "Kelp forests" in by_id["kelp-f#0"].columns["context"], "does not give the title as context of a body"
        )
