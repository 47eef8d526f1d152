"""Any sequence of changes of a Zotero library ends in the index that a fresh build gives (specs/21-indexing.md)."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from indexes import configure, differences, opened, said
from zotero_library import ZoteroLibrary

STEPS = ("add", "title", "note", "annotation", "file", "move", "trash", "restore", "delete", "tag", "rename", "detach")
TEXTS = (
    "The holdfast grips the rock and the urchins graze below it.",
    "Bells ring at noon over the roofs of the village by the sea.",
    "The moon pulls the water twice a day into the empty harbour.",
    "Salt is won from sea water in shallow pans made of clay.",
)
QUERIES = ("urchins graze", "bells noon", "moon water", "salt")


EXAMPLES = int(os.environ.get("PINCITE_EXAMPLES", "0"))
"""How many, in place of a few that are always the same (tox -e faults)."""


class Shelf:
    """A Zotero library that is changed step by step. Keys of what there is are kept by kind."""

    def __init__(self, folder: Path) -> None:
        self.zotero = ZoteroLibrary(folder / "zotero")
        self.items: list[int] = []
        self.files: list[int] = []
        self.notes: list[int] = []
        self.annotations: list[int] = []
        self.trashed: list[int] = []
        self.zotero.db.commit()

    def step(self, name: str, which: int, text: str) -> None:
        getattr(self, name)(which, text)
        self.zotero.db.commit()

    def add(self, which: int, text: str) -> None:
        zotero = self.zotero
        item = zotero.item(
            "journalArticle", title=text[:20] if which % 3 else "", abstractNote=text if which % 2 else ""
        )
        self.items.append(item)
        self.notes.append(zotero.note(f"<p>{text}</p>", parent=item))
        file = zotero.attachment("storage:a.txt", parent=item, content_type="text/plain", content=text.encode())
        self.files.append(file)
        self.annotations.append(zotero.annotation(file, text=text[:30], comment="look again"))

    def title(self, which: int, text: str) -> None:
        for item in pick(self.items, which):
            self.field(item, "title", text[:25])

    def note(self, which: int, text: str) -> None:
        for note in pick(self.notes, which):
            self.run("UPDATE itemNotes SET note = ? WHERE itemID = ?", f"<div><p>{text} {which}</p></div>", note)

    def annotation(self, which: int, text: str) -> None:
        for annotation in pick(self.annotations, which):
            self.run("UPDATE itemAnnotations SET text = ? WHERE itemID = ?", text[:33], annotation)

    def file(self, which: int, text: str) -> None:
        for file in pick(self.files, which):
            for path in self.folder_of(file).glob("*.txt"):
                path.write_text(f"{text}\n\n{TEXTS[which % len(TEXTS)]}", "utf-8")

    def rename(self, which: int, text: str) -> None:
        for file in pick(self.files, which):
            for path in self.folder_of(file).glob("*.txt"):
                path.rename(path.with_name(f"b{which}.txt"))
                self.run("UPDATE itemAttachments SET path = ? WHERE itemID = ?", f"storage:b{which}.txt", file)

    def move(self, which: int, text: str) -> None:
        for child, item in zip(pick(self.files, which), pick(self.items, which + 1), strict=False):
            self.run("UPDATE itemAttachments SET parentItemID = ? WHERE itemID = ?", item, child)
        for child, item in zip(pick(self.notes, which), pick(self.items, which + 1), strict=False):
            self.run("UPDATE itemNotes SET parentItemID = ? WHERE itemID = ?", item, child)

    def trash(self, which: int, text: str) -> None:
        for one in pick([*self.items, *self.files, *self.notes], which):
            if one not in self.trashed:
                self.trashed.append(one)
                self.zotero.trash(one)

    def restore(self, which: int, text: str) -> None:
        for one in pick(self.trashed, which):
            self.trashed.remove(one)
            self.run("DELETE FROM deletedItems WHERE itemID = ?", one)

    def delete(self, which: int, text: str) -> None:
        for table, kind in (("itemNotes", self.notes), ("itemAnnotations", self.annotations)):
            if which % 2:
                for one in pick(kind, which):
                    kind.remove(one)
                    self.run(f"DELETE FROM {table} WHERE itemID = ?", one)
                    self.run("DELETE FROM items WHERE itemID = ?", one)

    def detach(self, which: int, text: str) -> None:
        for file in pick(self.files, which):
            shutil.rmtree(self.folder_of(file), ignore_errors=True)

    def tag(self, which: int, text: str) -> None:
        for item in pick(self.items, which):
            self.zotero.tag(item, f"tag {which % 3}")

    def folder_of(self, file: int) -> Path:
        (key,) = self.zotero.db.execute("SELECT key FROM items WHERE itemID = ?", (file,)).fetchone()
        return self.zotero.folder / "storage" / key

    def field(self, item: int, name: str, value: str) -> None:
        from zotero_schema import FIELDS

        number = FIELDS.index(name) + 1
        self.run("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", value)
        self.run("DELETE FROM itemData WHERE itemID = ? AND fieldID = ?", item, number)
        self.run("INSERT INTO itemData SELECT ?, ?, valueID FROM itemDataValues WHERE value = ?", item, number, value)

    def run(self, sql: str, *values: object) -> None:
        self.zotero.db.execute(sql, values)


def pick(some: list[int], which: int) -> list[int]:
    """One of them, or none where there are none."""
    return [some[which % len(some)]] if some else []


steps = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 30), st.sampled_from(TEXTS)), min_size=1, max_size=8)


@settings(
    max_examples=EXAMPLES or 3, derandomize=not EXAMPLES, phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(before=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3), rounds=st.lists(steps, min_size=1, max_size=3))
def test_any_sequence_of_changes_ends_in_the_index_that_a_fresh_build_gives(tmp_path_factory, before, rounds):
    folder = Path(tempfile.mkdtemp(dir=tmp_path_factory.mktemp("shelf")))
    config = configure(folder / "config")
    shelf = Shelf(folder)
    for number, text in enumerate(before):
        shelf.step("add", number + 1, text)
    with opened(shelf.zotero.folder, config) as library:
        library.folder = folder / "index"
        for changes in rounds:
            library.index()
            for name, which, text in changes:
                shelf.step(name, which, text)
        library.index()
        found = said(library, QUERIES)
    with opened(shelf.zotero.folder, config) as library:
        library.folder = folder / "fresh"
        library.index()
        wrong = differences(found, said(library, QUERIES))
        assert not wrong, "\n".join(wrong)
    shelf.zotero.db.close()
    shutil.rmtree(folder)
