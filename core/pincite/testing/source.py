"""The contract kit of sources."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from itertools import islice, pairwise, zip_longest
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pincite.errors import PinciteError
from pincite.testing.kit import Kit
from pincite.testing.typed import wrong_types
from pincite.values.library import (
    Annotation,
    Attachment,
    Marked,
    Note,
    Problem,
    Record,
    annotation_from_json,
    attachment_from_json,
    item_from_json,
    note_from_json,
    to_json,
)

_READ_BACK: dict[type, Any] = {Note: note_from_json, Annotation: annotation_from_json, Attachment: attachment_from_json}


class SourceKit(Kit):
    """Subclass it, name the source, and write a library for it in `library`::

        class TestShoebox(SourceKit):
            name = "shoebox"

            def library(self, folder):
                (folder / "my.shoebox").write_text("...")
                return folder / "my.shoebox"

    `least`: items that this library holds at least; three or more make the tests worth running. `holds`: texts of the library that its
    records must hold, and `problems`: words that its problems must say, one for each thing in it that cannot be read (do write both
    down: they are what finds most). `files`: whether the library is a file or a folder (false for a server: nothing is cut short, and
    there is nothing to watch).
    """

    kind = "source"
    least: ClassVar[int] = 3
    holds: ClassVar[Sequence[str]] = ()
    problems: ClassVar[Sequence[str]] = ()
    files: ClassVar[bool] = True

    def library(self, folder: Path) -> Path:
        """Writes a library into an empty folder, and returns its path as a person would give it."""
        raise NotImplementedError(f"{type(self).__name__} must write a library: def library(self, folder): ...")

    @pytest.fixture
    def path(self, folder: Path) -> Path:
        """The library."""
        return self.library(folder)

    def opened(self, path: Path, tmp: Path) -> Any:
        """A source over a path."""
        return self.made(self.context(tmp, library=path))

    def read(self, path: Path, tmp: Path) -> list[Record | Problem]:
        """All that a source yields."""
        source = self.opened(path, tmp)
        try:
            return list(source.records())
        finally:
            source.close()

    # ------------------------------------------------------------------------------------------ what it yields

    def test_yields_records_and_problems_with_fields_of_the_right_types(self, path: Path, tmp_path: Path) -> None:
        entries = self.read(path, tmp_path)
        for entry in entries:
            self.must(
                isinstance(entry, Record | Problem), f"yields a {type(entry).__name__}, not a Record or a Problem"
            )
            wrong = wrong_types(entry)
            self.must(not wrong, f"yields {wrong}")
        found = len(_records(entries))
        self.must(
            found >= self.least, f"finds {found} items in a library of {self.least}; problems: {_problems(entries)}"
        )

    def test_what_the_library_says_is_in_its_records(self, path: Path, tmp_path: Path) -> None:
        texts = list(_texts([astuple(record) for record in _records(self.read(path, tmp_path))]))
        for wanted in self.holds:
            self.must(
                any(wanted in text for text in texts), f"has no record that holds {wanted!r}, which its library says"
            )

    def test_what_it_cannot_read_is_said_with_its_place_and_reason(self, path: Path, tmp_path: Path) -> None:
        said = [entry for entry in self.read(path, tmp_path) if isinstance(entry, Problem)]
        for one in said:
            self.must(
                one.where.strip() and one.reason.strip(), f"yields a problem without its place or its reason: {one}"
            )
            self.must("\n" not in one.where + one.reason, f"yields a problem of more than a line: {one}")
        for wanted in self.problems:
            self.must(
                any(wanted in f"{one.where}: {one.reason}" for one in said),
                f"has no problem that says {wanted!r}; it says: {_problems(said)}",
            )

    def test_every_id_is_there_once_and_in_order(self, path: Path, tmp_path: Path) -> None:
        records = _records(self.read(path, tmp_path))
        ids = [record.item.id for record in records]
        self.must(all(ids), "yields an item with an empty id")
        self.must(ids == sorted(ids), f"does not yield items in the order of their ids: {_out_of_order(ids)}")
        self.must(len(set(ids)) == len(ids), "yields an id twice")
        children = [child.id for record in records for child in _children(record)]
        self.must(all(children), "yields a child with an empty id")
        self.must(len(set(children)) == len(children), "gives two children the same id")

    def test_children_say_what_they_must(self, path: Path, tmp_path: Path) -> None:
        for record in _records(self.read(path, tmp_path)):
            files = {one.id for one in record.attachments}
            for one in record.attachments:
                said = [bool(one.path), one.text is not None, bool(one.missing)]
                self.must(
                    any(said), f"attachment {one.id} has neither a path, nor a text, nor a reason why it is missing"
                )
                self.must(not (one.path and one.text is not None), f"attachment {one.id} has both a path and a text")
                self.must(
                    not one.path or Path(one.path).is_absolute(), f"attachment {one.id} has a relative path: {one.path}"
                )
            for mark in record.annotations:
                self.must(
                    mark.attachment in files,
                    f"annotation {mark.id} belongs to {mark.attachment!r}, which is no attachment of its item",
                )
                self.must(
                    mark.page is None or mark.page >= 1,
                    f"annotation {mark.id} is on page {mark.page}; pages count from 1",
                )

    def test_what_it_yields_reads_back_from_json(self, path: Path, tmp_path: Path) -> None:
        for record in _records(self.read(path, tmp_path)):
            self.must(
                item_from_json(to_json(record.item)) == record.item,
                f"item {record.item.id} does not read back from JSON",
            )
            for child in _children(record):
                self.must(_READ_BACK[type(child)](to_json(child)) == child, f"{child.id} does not read back from JSON")

    # ------------------------------------------------------------------------------------------ again and again

    def test_reading_again_gives_the_same(self, path: Path, tmp_path: Path) -> None:
        source = self.opened(path, tmp_path)
        first, second = list(source.records()), list(source.records())
        source.close()
        other = self.opened(path, tmp_path)
        third, identity = list(other.records()), other.identity
        other.close()
        self.must(first == second, f"yields other records when it is asked again: {_differ(first, second)}")
        self.must(first == third, f"yields other records when it is opened again: {_differ(first, third)}")
        self.must(isinstance(identity, str) and identity, "has no identity")
        self.must(identity == source.identity, "has another identity each time it is opened")

    def test_marks_stand_for_their_records(self, path: Path, tmp_path: Path) -> None:
        source, other = self.opened(path, tmp_path), self.opened(path, tmp_path)
        if not hasattr(source, "marked"):
            return
        records, marked, again = list(source.records()), list(source.marked()), list(other.marked())
        made = [one.make() if isinstance(one, Marked) else one for one in marked]
        source.close()
        other.close()
        self.must(made == records, f"makes other records of its marks than it yields: {_differ(made, records)}")
        marks = {one.mark: one.id for one in marked if isinstance(one, Marked)}
        ids = {one.id for one in marked if isinstance(one, Marked)}
        self.must(ids == {one.item.id for one in _records(records)}, "marks items under other ids than they have")
        self.must(len(marks) == len(ids), "gives two records the same mark")
        renewed = {one.mark: one.id for one in again if isinstance(one, Marked)}
        self.must(renewed == marks, "gives a record another mark each time it is opened")

    def test_two_readers_at_once_do_not_disturb_each_other(self, path: Path, tmp_path: Path) -> None:
        one, other = self.opened(path, tmp_path), self.opened(path, tmp_path)
        pairs = list(zip_longest(one.records(), other.records()))
        one.close()
        other.close()
        self.must(all(left == right for left, right in pairs), "yields something else while another reader is at work")

    def test_another_library_has_another_identity(self, path: Path, tmp_path: Path) -> None:
        elsewhere = tmp_path / "another place"
        elsewhere.mkdir()
        source, other = self.opened(path, tmp_path), self.opened(self.library(elsewhere), tmp_path)
        self.must(source.identity != other.identity, f"gives two libraries the same identity: {source.identity}")
        source.close()
        other.close()

    # ------------------------------------------------------------------------------------------ leaving things as they are

    def test_the_library_is_untouched(self, path: Path, tmp_path: Path) -> None:
        with self.untouched(path if path.is_dir() else path.parent):
            self.read(path, tmp_path)

    def test_everything_is_given_back(self, path: Path, tmp_path: Path) -> None:
        self.read(path, tmp_path)  # what a library keeps for the process is open from now on
        with self.gives_back():
            for _ in range(3):
                source = self.opened(path, tmp_path)
                list(source.records())
                source.close()
                source.close()

    def test_a_reading_that_is_broken_off_gives_everything_back(self, path: Path, tmp_path: Path) -> None:
        self.read(path, tmp_path)
        with self.gives_back():
            for _ in range(3):
                source = self.opened(path, tmp_path)
                records = source.records()
                list(islice(records, 1))
                source.close()
                records.close()

    def test_says_what_to_watch(self, path: Path, tmp_path: Path) -> None:
        source = self.opened(path, tmp_path)
        watched = list(source.watched())
        source.close()
        if not self.files:
            return
        self.must(watched, "watches nothing")
        for one in watched:
            self.must(isinstance(one, Path) and one.is_absolute(), f"watches {one!r}; it must name absolute paths")
        near = [one for one in watched if one == path or one in path.parents or path in one.parents]
        self.must(near, "watches nothing of its own library")

    # ------------------------------------------------------------------------------------------ what cannot be read

    def test_recognises_its_own_library_and_no_other(self, path: Path, tmp_path: Path) -> None:
        recognises = self.entry().facts.get("recognises")
        if recognises is None:
            return
        self.must(float(recognises(path) or 0) > 0, "does not recognise its own library")
        stranger = tmp_path / "stranger.no-such-kind"
        stranger.write_bytes(b"\x00\xff" * 50)
        for other in (stranger, tmp_path / "nowhere" / "at all"):
            self.must(not recognises(other), f"recognises {other.name}, which is nothing that it can read")

    def test_a_library_that_is_not_there_is_an_error_in_one_line(self, path: Path, tmp_path: Path) -> None:
        if self.files:
            with self.raises(PinciteError, message="a library that is not there must be a PinciteError"):
                self.read(path.with_name(f"not-{path.name}"), tmp_path)

    @pytest.mark.parametrize("kept", [0.0, 0.3, 0.8])
    def test_a_library_cut_short_gives_problems_or_an_error_in_one_line(
        self, path: Path, tmp_path: Path, kept: float
    ) -> None:
        if not self.files:
            return
        for victim in _files(path):
            copy = tmp_path / "damaged" / path.name
            if path.is_dir():
                shutil.copytree(path, copy)
            else:
                copy.parent.mkdir()
                shutil.copy(path, copy)
            torn = copy / victim.relative_to(path) if path.is_dir() else copy
            data = torn.read_bytes()
            torn.write_bytes(data[: int(len(data) * kept)])
            try:
                entries = self.read(copy, tmp_path)
            except PinciteError as error:
                self.must("\n" not in str(error), f"a damaged library gives more than a line: {error}")
                self.must(
                    type(error).__name__ != "PluginError", f"a damaged library ({victim.name}) is not handled: {error}"
                )
            else:
                self.must(
                    all(isinstance(one, Record | Problem) for one in entries), "yields neither records nor problems"
                )
            shutil.rmtree(copy.parent)


def _records(entries: Iterable[Record | Problem]) -> list[Record]:
    return [entry for entry in entries if isinstance(entry, Record)]


def _problems(entries: Iterable[Record | Problem]) -> str:
    return "; ".join(f"{entry.where}: {entry.reason}" for entry in entries if isinstance(entry, Problem)) or "none"


def _texts(value: object) -> Iterator[str]:
    """Every text and number in nested tuples and lists."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str | int):
        yield str(value)


def _children(record: Record) -> list[Note | Annotation | Attachment]:
    return [*record.notes, *record.annotations, *record.attachments]


def _out_of_order(ids: list[str]) -> str:
    return next((f"{after!r} after {before!r}" for before, after in pairwise(ids) if after < before), "")


def _differ(one: list[Record | Problem], other: list[Record | Problem]) -> str:
    for left, right in zip_longest(one, other):
        if left != right:
            return f"{left!r:.200} and {right!r:.200}"
    return ""


def _files(path: Path) -> list[Path]:
    """The files of a library, at most five."""
    return [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())[:5]
