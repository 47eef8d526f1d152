"""The contract of stores: the ledger of files, and the packs made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.indexing.plain import plain_pack
from pincite.testing.packs import same_packs
from pincite.testing.samples import paragraphs
from pincite.testing.store.base import StoreBase
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Attachment, Item, Record


class FileTests(StoreBase):
    """Files, what was made of them, and how they are counted."""

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
