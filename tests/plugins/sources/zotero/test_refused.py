"""What is no library that can be read is refused in one line (specs/16-sources.md, "Refusals")."""

from __future__ import annotations

import sqlite3
import zipfile
from pathlib import Path

import pytest

from pincite.errors import PinciteError, UsageError
from pincite.spec import Context
from pincite_plugins.sources.zotero import ZoteroSettings, open_zotero, recognises
from zotero_library import ZoteroLibrary


def refusal(path: Path, notes: list[str] | None = None) -> str:
    with pytest.raises(PinciteError) as caught:
        list(open_zotero(ZoteroSettings(), Context(home=path, library=path)).records())
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_no_such_folder(tmp_path: Path) -> None:
    assert "no zotero.sqlite here" in refusal(tmp_path / "nowhere")


def test_no_library_given(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no library is given"):
        open_zotero(ZoteroSettings(), Context(home=tmp_path))


@pytest.mark.parametrize(("content", "said"), [(b"", "is empty"), (b"not a database at all", "not an SQLite database")])
def test_no_database(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "zotero.sqlite").write_bytes(content)
    assert said in refusal(tmp_path)


def test_database_of_another_program(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "zotero.sqlite")
    db.execute("CREATE TABLE items (id INTEGER)")
    db.close()
    assert "not one of Zotero's" in refusal(tmp_path)


def test_older_schema_is_named(tmp_path: Path) -> None:
    ZoteroLibrary(tmp_path, userdata=119).close()
    assert "schema 119, older than 120 (Zotero 7)" in refusal(tmp_path)


@pytest.mark.corpora
def test_database_of_zotero_4_is_named(corpora: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(corpora / "bib" / "zotero" / "zotero-4.0.sqlite.zip") as archive:
        archive.extractall(tmp_path)
    assert "schema 77, older than 120" in refusal(tmp_path)


def test_newer_schema_is_read_with_a_warning(tmp_path: Path) -> None:
    library = ZoteroLibrary(tmp_path, userdata=140)
    library.item("book", title="T")
    library.close()
    notes: list[str] = []
    records = list(open_zotero(ZoteroSettings(), Context(home=tmp_path, library=tmp_path, note=notes.append)).records())
    assert len(records) == 1
    assert len(notes) == 1
    assert "schema 140 is newer than 129" in notes[0]


def test_changed_tables_are_named(tmp_path: Path) -> None:
    library = ZoteroLibrary(tmp_path, userdata=140)
    library.db.execute("ALTER TABLE itemNotes RENAME TO notesOfItems")
    library.close()
    assert "schema 140 are not as expected (no such table: itemNotes)" in refusal(tmp_path)


def test_recognised_by_its_database(tmp_path: Path) -> None:
    assert recognises(tmp_path) == 0
    ZoteroLibrary(tmp_path).close()
    assert recognises(tmp_path) == recognises(tmp_path / "zotero.sqlite") == 1


def test_database_itself_may_be_given(tmp_path: Path) -> None:
    ZoteroLibrary(tmp_path).close()
    context = Context(home=tmp_path, library=tmp_path / "zotero.sqlite")
    assert open_zotero(ZoteroSettings(), context).identity == f"zotero:{tmp_path}"
