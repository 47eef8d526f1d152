"""The contract kit of stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.indexing.plain import plain_pack
from pincite.spec import Context
from pincite.testing.kit import Kit
from pincite.testing.packs import same_packs
from pincite.testing.samples import (
    BELLS,
    KELP,
    RECORDS,
    TIDES,
    TrigramEmbedder,
    chunks_of,
    embed_all,
    many,
    paragraphs,
    put,
)
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Attachment, Item, Record, fingerprint
from pincite.values.search import Filter, Op

MODEL = TrigramEmbedder().facts.id


class StoreKit(Kit):
    """Subclass it and name the store; nothing else is needed."""

    kind = "store"

    @pytest.fixture
    def index(self, folder: Path) -> Path:
        """The index folder."""
        return folder / "index"

    @pytest.fixture
    def store(self, index: Path) -> Iterator[Any]:
        """An empty store."""
        made = self.opened(index)
        yield made
        made.close()

    @pytest.fixture
    def filled(self, store: Any) -> Any:
        """The same with three works in it."""
        for record in RECORDS:
            put(store, record)
        return store

    def opened(self, index: Path) -> Any:
        """The store of a folder."""
        index.mkdir(exist_ok=True)
        return self.made(Context(home=index.parent, folder=index))

    def ids(self, store: Any, rows: Any) -> list[str]:
        """Passage ids of rows, sorted."""
        return sorted(chunk.id for chunk in store.chunks(rows).values())

    # ------------------------------------------------------------------------------------------ records

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

    # ------------------------------------------------------------------------------------------ changes

    def test_changes_rise_and_rows_are_never_used_again(self, store: Any) -> None:
        put(store, KELP)
        first = list(store.changes(0))
        self.must(
            {change.op for change in first} == {Op.PUT} and len(first) == 5,
            f"tells {len(first)} changes for five new passages",
        )
        before = set(store.all_rows().tolist())
        self.must(store.drop_items(["kelp", "nobody"]) == 1, "does not count the items that it drops")
        gone = list(store.changes(first[-1].seq))
        self.must(
            {(change.op, change.row) for change in gone} == {(Op.GONE, row) for row in before},
            "does not tell which rows are gone",
        )
        put(store, KELP)
        self.must(not before & set(store.all_rows().tolist()), "uses a row again")
        sequence = [change.seq for change in store.changes(0)]
        self.must(
            sequence == sorted(set(sequence)) and sequence[-1] == store.last_change(),
            "gives changes whose numbers do not rise",
        )
        self.must(list(store.changes(0, limit=3)) == first[:3], "does not keep to the limit of changes")
        self.must(store.first_change() <= first[0].seq, "says that its changes are incomplete")

    def test_putting_the_same_record_again_keeps_the_rows_of_its_children(self, filled: Any) -> None:
        kept = {chunk.id: row for row, chunk in filled.chunks(filled.all_rows()).items() if chunk.child}
        filled.put_record(KELP, fingerprint(KELP), chunks_of(KELP))
        now = {chunk.id: row for row, chunk in filled.chunks(filled.all_rows()).items() if chunk.child}
        self.must(kept == now, "gives the same children new rows")

    def test_a_child_that_is_no_longer_there_goes_with_everything_made_of_it(self, filled: Any) -> None:
        less = replace(KELP, notes=(), attachments=(), annotations=())
        filled.put_record(less, "x", chunks_of(less))
        self.must(
            self.ids(filled, filled.rows_of_item(filled.find_item("kelp"))) == ["kelp#item0"],
            "keeps passages of a child that is gone",
        )
        self.must(filled.attachment("kelp-f") is None and len(filled.files()) == 1, "keeps an attachment that is gone")

    def test_a_new_title_is_told_to_the_rows_that_carry_it(self, filled: Any) -> None:
        last = filled.last_change()
        other = replace(KELP, item=replace(KELP.item, title="Of weeds and waves"))
        filled.put_record(other, "x", chunks_of(other))
        told = {change.row for change in filled.changes(last) if change.op is Op.PUT}
        body = filled.find_chunk("kelp-f#0")
        self.must(body in told, "does not tell a body that its item has another title")
        (words,) = filled.words([body])
        self.must("Of weeds" in words.columns["context"], "gives the old title as context")

    # ------------------------------------------------------------------------------------------ filters

    @pytest.mark.parametrize(
        ("filter", "items"),
        [
            (Filter(tags=frozenset({"OCEAN"})), {"kelp", "bells", "tides"}),
            (Filter(tags=frozenset({"zeit"})), {"bells"}),
            (Filter(tags=frozenset({"ocean"}), years=(2000, None)), {"kelp"}),
            (Filter(years=(1999, 2018)), {"kelp", "bells"}),
            (Filter(years=(None, 1998)), set()),
            (Filter(kinds=frozenset({"book", "report"})), {"bells", "tides"}),
            (Filter(groups=frozenset({"guild"})), {"bells"}),
            (Filter(groups=frozenset({""})), {"kelp", "tides"}),
            (Filter(collections=frozenset({"coast/plants"})), {"kelp"}),
            (Filter(creators=frozenset({"okaf"})), {"kelp"}),
            (Filter(creators=frozenset({"渡辺"})), {"tides"}),
            (Filter(items=frozenset({"kelp", "nobody"})), {"kelp"}),
            (Filter(items=frozenset({"nobody"})), set()),
            (Filter(tags=frozenset({"100%_'\""})), set()),
        ],
    )  # fmt: skip
    def test_a_filter_admits_the_rows_of_the_right_items(self, filled: Any, filter: Filter, items: set[str]) -> None:
        rows = filled.resolve(filter)
        self.must(rows is not None, "says that a filter admits everything")
        found = set(filled.item_ids(set(filled.items_of(rows.rows).tolist())).values())
        self.must(found == items, f"admits {sorted(found)} for {filter}; it should admit {sorted(items)}")
        whole = sum(len(filled.rows_of_item(filled.find_item(id))) for id in items)
        self.must(
            len(rows) == whole and rows.rows.tolist() == sorted(set(rows.rows.tolist())),
            "does not admit every row of an item once, sorted",
        )

    def test_an_empty_filter_admits_all_and_languages_are_those_of_passages(self, filled: Any) -> None:
        self.must(filled.resolve(Filter()) is None, "does not give None for the empty filter")
        rows = filled.resolve(Filter(languages=frozenset({"de"})))
        self.must(self.ids(filled, rows.rows) == ["bells#item0"], f"admits {self.ids(filled, rows.rows)} for German")

    # ------------------------------------------------------------------------------------------ vectors

    def test_vectors_are_kept_by_text_as_they_were_put(self, filled: Any, index: Path) -> None:
        embedder = TrigramEmbedder()
        pending = filled.pending(MODEL)
        pairs = filled.embed_texts(pending)
        self.must(len(pairs) == len(pending) > 0, "does not give each text that waits for a vector")
        last = filled.last_change()
        embed_all(filled, embedder)
        self.must(len(filled.pending(MODEL)) == 0, "waits for vectors that it was given")
        have, want = filled.coverage(MODEL)
        self.must(have == want > 0, f"says that {have} of {want} have vectors, of all")
        told = {change.row for change in filled.changes(last) if change.op is Op.VECTOR}
        rows, vectors = filled.vectors(MODEL, filled.all_rows())
        self.must(told == set(rows.tolist()) and len(rows) == have, "does not tell each row that it has a vector")
        texts = dict(
            zip([key for key, _ in pairs], embedder.embed([text for _, text in pairs], "passage"), strict=True)
        )
        for row, vector in zip(rows, vectors, strict=True):
            ((key, _),) = filled.embed_texts([row])
            self.must(
                np.abs(vector.astype(np.float32) - texts[key]).max() < 2e-3,
                f"gives row {row} another vector than its text has",
            )
        self.must(
            vectors.dtype == np.float16 and rows.tolist() == sorted(rows.tolist()),
            "does not give float16 vectors by row",
        )
        filled.close()
        again = self.opened(index)
        self.must(np.array_equal(again.vectors(MODEL, again.all_rows())[1], vectors), "loses vectors when it is closed")
        again.close()

    def test_a_text_seen_before_has_its_vector_at_once(self, filled: Any) -> None:
        embed_all(filled, TrigramEmbedder())
        same = Record(
            Item("copy", title="A copy"), attachments=(Attachment("copy-f", text="The holdfast grips the rock."),)
        )
        put(filled, same)
        row = filled.find_chunk("copy-f#0")
        self.must(
            filled.vectors(MODEL, np.array([row]))[0].tolist() == [row], "embeds a text again that it has the vector of"
        )

    def test_models_do_not_mix(self, filled: Any) -> None:
        embed_all(filled, TrigramEmbedder())
        other = TrigramEmbedder(16)
        self.must(len(filled.vectors(other.facts.id, filled.all_rows())[0]) == 0, "gives vectors of another model")
        embed_all(filled, other)
        self.must(
            filled.vectors(other.facts.id, filled.all_rows())[1].shape[1] == 16, "mixes the vectors of two models"
        )
        self.must(filled.vectors(MODEL, filled.all_rows())[1].shape[1] == 32, "mixes the vectors of two models")

    @pytest.mark.parametrize("fault", ["count", "width", "nan"])
    def test_wrong_vectors_are_refused_and_nothing_is_written(self, filled: Any, fault: str) -> None:
        embedder = TrigramEmbedder()
        keys = [key for key, _ in filled.embed_texts(filled.pending(MODEL))]
        good = embedder.embed(["x"] * len(keys), "passage")
        filled.put_vectors(MODEL, keys[:1], good[:1])
        last = filled.last_change()
        bad = {"count": good[:-1], "width": good[:, :-1], "nan": good * np.float32(np.nan)}[fault]
        with self.raises(Exception, message=f"vectors of a wrong {fault} must be refused"):
            filled.put_vectors(MODEL, keys, bad)
        self.must(
            filled.last_change() == last and filled.coverage(MODEL)[0] >= 1,
            "writes some of the vectors that it refuses",
        )

    # ------------------------------------------------------------------------------------------ files

    def test_files_wait_and_totals_add_up(self, store: Any) -> None:
        files = tuple(Attachment(f"f{number}", path=f"/nowhere/{number}.pdf") for number in range(4))
        row = store.put_record(Record(Item("work", title="A work"), attachments=files), "x", {})
        self._adds_up(store, waiting=4)
        store.put_file(
            FileEntry("f0", row, state=FileState.INDEXED, hash="aa" * 16, extractor="kit"),
            plain_pack("Some text."),
            paragraphs("Some text."),
        )
        store.note_file(FileEntry("f1", row, state=FileState.SKIPPED, verdict="no-text", reason="has no text"))
        store.note_file(
            FileEntry("f2", row, state=FileState.FAILED, verdict="damaged", reason="is damaged", attempts=1)
        )
        self._adds_up(store, waiting=1, indexed=1, skipped=2, failed=1)
        entries = {entry.attachment: entry for entry in store.files()}
        self.must(
            entries["f2"].verdict == "damaged" and entries["f2"].attempts == 1, "does not keep the verdict of a file"
        )
        self.must(entries["f0"].path == "/nowhere/0.pdf", "does not say the path of a file")
        store.put_record(Record(Item("other"), attachments=(Attachment("g", path="/nowhere/g.pdf"),)), "x", {})
        self.must(
            {entry.attachment for entry in store.files([row])} == set(entries),
            "gives files of other items than those named",
        )
        self.must(store.attachment("f3") == files[3], "does not give an attachment by its id")

    def test_a_pack_reads_back(self, store: Any, index: Path) -> None:
        row = store.put_record(Record(Item("work"), attachments=(Attachment("f", path="/nowhere/a.pdf"),)), "x", {})
        pack = replace(plain_pack("Erster Absatz.\n\n第二段。"), extractor="kit", extractor_version=1)
        store.put_file(FileEntry("f", row, state=FileState.INDEXED, hash="ab" * 16), pack, paragraphs(pack.text))
        store.close()
        again = self.opened(index)
        self.must(
            again.pack("f") is not None and same_packs(replace(again.pack("f"), source_hash=""), pack),
            "does not read back a pack",
        )
        self.must(again.pack("nobody") is None, "has a pack of an attachment that there is not")
        rows = [again.find_chunk(f"f#{number}") for number in (0, 1)]
        self.must(
            None not in rows and list(again.texts(rows).values()) == ["Erster Absatz.", "第二段。"],
            "does not read back texts from the pack",
        )
        again.close()

    def test_a_pack_is_found_again_by_its_content_and_by_what_made_it(self, store: Any) -> None:
        files = tuple(Attachment(name, path=f"/nowhere/{name}.pdf") for name in ("f", "g"))
        row = store.put_record(Record(Item("work"), attachments=files), "x", {})
        entry = FileEntry("f", row, state=FileState.INDEXED, hash="ab" * 16, extractor="kit", extractor_version=1)
        pack = replace(plain_pack("Erster Absatz."), source_hash=entry.hash, extractor="kit", extractor_version=1)
        store.put_file(entry, pack, paragraphs(pack.text))
        found = store.stored_pack(replace(entry, attachment="g"))
        self.must(
            found is not None and same_packs(found, pack), "does not find the pack of the same content in another file"
        )
        others: tuple[dict[str, Any], ...] = (
            {"hash": "cd" * 16}, {"hash": ""}, {"extractor": "other"}, {"extractor_version": 2}, {"made_with": "otherwise"},
        )  # fmt: skip
        for other in others:
            self.must(
                store.stored_pack(replace(entry, **other)) is None,
                f"gives the pack of another content or making: {other}",
            )

    def test_a_file_that_fails_loses_what_was_made_of_it(self, filled: Any) -> None:
        item = filled.find_item("kelp")
        filled.note_file(FileEntry("kelp-f", item, state=FileState.FAILED, verdict="damaged", reason="is damaged"))
        self.must(filled.find_chunk("kelp-f#0") is None, "keeps the passages of a file that failed")

    def _adds_up(self, store: Any, **wanted: int) -> None:
        totals = store.totals()
        self.must(
            totals.indexed + totals.skipped + totals.failed == totals.files, f"counts {totals}, which does not add up"
        )
        rows = len(store.all_rows())
        self.must(totals.chunks == rows, f"counts {totals.chunks} chunks of {rows}")
        for name, count in wanted.items():
            self.must(getattr(totals, name) == count, f"counts {getattr(totals, name)} {name}, not {count}")

    # ------------------------------------------------------------------------------------------ state, readers, ends

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
