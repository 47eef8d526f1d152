"""The contract of stores: the sequence of changes that rankers follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pincite.testing.samples import KELP, chunks_of, put
from pincite.testing.store.base import StoreBase
from pincite.values.library import fingerprint
from pincite.values.search import Op


class ChangeTests(StoreBase):
    """What is told of what was put and removed."""

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
