"""A library is read while Zotero runs, and stays as it was to the byte (specs/16-sources.md, "While Zotero runs")."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import PinciteError
from pincite.spec import Context
from pincite.values.library import Record
from pincite_plugins.sources.zotero import ZoteroSettings, open_zotero
from zotero_library import ZoteroLibrary, zotero_running

NEW_ITEM = """
    INSERT INTO items (itemTypeID, libraryID, key) VALUES (7, 1, 'FRESH001');
    INSERT INTO itemDataValues (value) VALUES ('Only in the log');
    INSERT INTO itemData SELECT i.itemID, 1, v.valueID FROM items i, itemDataValues v
    WHERE i.key = 'FRESH001' AND v.value = 'Only in the log';
"""


def titles(folder: Path) -> list[str]:
    source = open_zotero(ZoteroSettings(), Context(home=folder, library=folder))
    found = [one.item.title for one in source.records() if isinstance(one, Record)]
    source.close()
    return found


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file and folder below: its time, size and bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        stat = path.stat()
        # the memory that processes share has no content of its own; that it is there is what counts
        content = b"" if path.is_dir() or path.name.endswith("-shm") else path.read_bytes()
        found[str(path.relative_to(folder))] = (stat.st_mtime_ns, stat.st_size, content)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    library = ZoteroLibrary(tmp_path / "Zotero")
    item = library.item("book", "BOOK0001", title="Long known")
    library.attachment("storage:a.pdf", item, content=b"%PDF")
    return library.close()


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of this test's own, which must be empty at the end: no copy is left behind."""
    own = tmp_path / "temporary"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    yield own
    assert list(own.iterdir()) == []


def age(folder: Path) -> None:
    """Makes a library look as if it had been left alone for an hour."""
    for path in (folder, *folder.rglob("*")):
        stat = path.stat()
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns - 3_600_000_000_000))


@pytest.mark.parametrize("settled", [True, False])
def test_a_closed_library_is_read_and_untouched(folder: Path, settled: bool) -> None:
    if settled:
        age(folder)
    before = state(folder)
    assert titles(folder) == ["Long known"]
    assert state(folder) == before


@pytest.mark.parametrize("settled", [True, False])
def test_what_stands_in_the_log_only_is_seen_while_zotero_holds_its_lock(folder: Path, settled: bool) -> None:
    with zotero_running(folder / "zotero.sqlite", NEW_ITEM):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            sqlite3.connect(f"file:{folder}/zotero.sqlite?mode=ro", uri=True, timeout=0).execute("SELECT * FROM items")
        if settled:
            age(folder)
        before = state(folder)
        assert (folder / "zotero.sqlite-wal").stat().st_size > 0
        assert titles(folder) == ["Long known", "Only in the log"]
        assert state(folder) == before


def test_what_zotero_writes_next_is_seen_next(folder: Path) -> None:
    with zotero_running(folder / "zotero.sqlite") as zotero:
        assert titles(folder) == ["Long known"]
        zotero.run(NEW_ITEM)
        assert titles(folder) == ["Long known", "Only in the log"]
        zotero.run("PRAGMA wal_checkpoint(TRUNCATE);")
        assert titles(folder) == ["Long known", "Only in the log"]


def test_an_open_transaction_is_not_seen(folder: Path) -> None:
    """Zotero before 10 keeps a rollback journal: what it has not committed is taken back in the copy."""
    before = (folder / "zotero.sqlite").read_bytes()
    much = "INSERT INTO itemDataValues (value) SELECT hex(randomblob(9000)) FROM itemTypes;"
    unfinished = f"PRAGMA cache_size = 1; BEGIN IMMEDIATE; {NEW_ITEM} {much}"
    with zotero_running(folder / "zotero.sqlite", unfinished, journal="DELETE"):
        assert (folder / "zotero.sqlite").read_bytes() != before
        assert titles(folder) == ["Long known"]


def test_a_library_left_by_a_crash_is_read_whole_and_untouched(folder: Path) -> None:
    with zotero_running(folder / "zotero.sqlite", NEW_ITEM):
        pass
    before = state(folder)
    assert "zotero.sqlite-wal" in before
    assert titles(folder) == ["Long known", "Only in the log"]
    assert state(folder) == before


@pytest.mark.parametrize("settled", [True, False])
def test_a_read_only_copy_with_the_header_of_a_log_opens(folder: Path, tmp_path: Path, settled: bool) -> None:
    """A backup: the database alone, in WAL mode by its header, where nothing can be written beside it."""
    connection = sqlite3.connect(folder / "zotero.sqlite")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    backup = tmp_path / "backup"
    backup.mkdir()
    shutil.copy(folder / "zotero.sqlite", backup)
    assert (backup / "zotero.sqlite").read_bytes()[18:20] == b"\x02\x02"
    if settled:
        age(backup)
    (backup / "zotero.sqlite").chmod(0o444)
    backup.chmod(0o555)
    try:
        assert titles(backup) == ["Long known"]
        assert [path.name for path in backup.iterdir()] == ["zotero.sqlite"]
    finally:
        backup.chmod(0o755)


def test_no_copy_is_left_when_reading_fails(folder: Path) -> None:
    """(The fixture looks.)"""
    damaged = bytearray((folder / "zotero.sqlite").read_bytes())
    damaged[4096:] = b"\xff" * (len(damaged) - 4096)
    (folder / "zotero.sqlite").write_bytes(damaged)
    with pytest.raises(PinciteError, match="malformed.*repair"):
        titles(folder)


def test_no_copy_is_left_by_a_reader_that_stops_early(folder: Path, temporary: Path) -> None:
    with zotero_running(folder / "zotero.sqlite", NEW_ITEM):
        records = open_zotero(ZoteroSettings(), Context(home=folder, library=folder)).records()
        next(records)
        assert list(temporary.iterdir()) == []


def test_a_copy_left_by_a_killed_process_is_removed(folder: Path, temporary: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    left = temporary / f"pincite-zotero-{gone.pid}-abc"
    left.mkdir()
    (left / "zotero.sqlite").write_bytes(b"x")
    with zotero_running(folder / "zotero.sqlite", NEW_ITEM):
        titles(folder)
    assert not left.exists()


@pytest.mark.corpora
def test_the_real_library_is_untouched(corpora: Path) -> None:
    folder = corpora / "bib" / "zotero" / "zotsite"
    before = state(folder)
    assert len(titles(folder)) == 4
    assert state(folder) == before
