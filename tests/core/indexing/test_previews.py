"""Files read before a run has reached them (specs/31-previews.md)."""

import time

import pymupdf
import pytest

from indexes import configure, opened
from pincite.errors import Cancelled
from pincite.values.ledger import FileState

TIDES = "# Tides\n\nThe moon pulls the water, and the harbour empties twice a day.\n\n# Boats\n\nBoats come home when the harbour is full of water again, as the bells of the village ring."

GATED = """
import time
from pincite.indexing.plain import plain_pack

class Gated:
    version = 1
    def extract(self, path, password=None):
        while not (path.parent.parent / "gate").exists():
            time.sleep(0.01)
        return plain_pack(path.read_text("utf-8"))

@hookimpl
def register_extractors(register):
    register("gated", lambda settings, context: Gated(), suffixes=(".txt",), version=1)
"""
"""A reader of text files that is not done before the gate is there."""


@pytest.fixture
def shelf(tmp_path):
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "tides.md").write_text(TIDES, "utf-8")
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Nobody may read this without a password.")
    document.save(folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="sesame", owner_pw="sesame")
    (folder / "gated.txt").write_text("Pilots wait outside until the harbour has water again.", "utf-8")
    (folder / "odd.zzz").write_bytes(b"\x00\x01")
    return folder


@pytest.fixture
def library(shelf, tmp_path):
    config = configure(tmp_path / "config", '[plugins]\nblock = ["extractor.text"]\n')
    local = config.parent / "pincite_local.py"
    local.write_text(local.read_text("utf-8") + GATED, "utf-8")
    with opened(shelf, config) as library:
        library.index(seconds=0)
        assert library.store.totals().waiting
        yield library


@pytest.fixture
def gate(tmp_path):
    return tmp_path / "gate"


def entry_of(library, name):
    return next(entry for entry in library.store.files() if entry.path.endswith(name))


def read(library, *names, seconds=60.0, cancelled=lambda: False):
    return library.previews.read([entry_of(library, name) for name in names], seconds, cancelled)


def test_a_file_is_cut_as_a_run_will_cut_it(library, gate):
    gate.touch()
    entry = entry_of(library, "tides.md")
    chunks = read(library, "tides.md")[entry.attachment].chunks
    library.index()
    rows = library.store.rows_of_item(entry.item)
    made = [chunk for chunk in library.store.chunks(rows).values() if chunk.attachment == entry.attachment]
    texts = library.store.texts(rows)
    for (preview, text), chunk in zip(chunks, made, strict=True):
        assert text == texts[chunk.row]
        assert preview.row < 0
        for name in (
            "id",
            "item",
            "child",
            "kind",
            "spans",
            "section",
            "page",
            "page_label",
            "anchor",
            "language",
            "role",
        ):
            assert getattr(preview, name) == getattr(chunk, name), name


def test_nothing_of_it_goes_into_the_index(library):
    before = (library.store.last_change(), library.store.totals(), sorted(library.folder.rglob("*.pack")))
    assert read(library, "tides.md")
    assert (library.store.last_change(), library.store.totals(), sorted(library.folder.rglob("*.pack"))) == before
    assert entry_of(library, "tides.md").state is FileState.WAITING


def test_a_file_that_cannot_be_read_says_why_in_one_line(library, shelf):
    gone = entry_of(library, "tides.md")
    (shelf / "tides.md").unlink()
    for name, reason in (("locked.pdf", "password"), ("tides.md", "No such file")):
        preview = read(library, name)[entry_of(library, name).attachment]
        assert preview.chunks == ()
        assert reason in preview.reason
        assert "\n" not in preview.reason
    assert gone.attachment


def test_a_file_that_was_read_is_not_read_again_until_it_changes(library, shelf):
    entry = entry_of(library, "tides.md")
    first = read(library, "tides.md")[entry.attachment]
    assert read(library, "tides.md", seconds=0.0)[entry.attachment] is first
    (shelf / "tides.md").write_text("# Tides\n\nThe harbour was rebuilt, and has been deep enough since then.", "utf-8")
    assert "rebuilt" in read(library, "tides.md")[entry.attachment].chunks[0][1]


def test_the_time_bounds_the_wait_and_the_file_is_there_the_next_time(library, gate):
    entry = entry_of(library, "gated.txt")
    assert read(library, "gated.txt", seconds=0.1) == {}
    gate.touch()
    assert read(library, "gated.txt")[entry.attachment].chunks


def test_a_cancelled_wait_ends(library, gate):
    with pytest.raises(Cancelled):
        read(library, "gated.txt", cancelled=lambda: True)
    gate.touch()
    assert read(library, "gated.txt")


def test_it_is_told_though_the_file_is_done(library, gate):
    assert read(library, "gated.txt", seconds=0.0) == {}
    gate.touch()
    ((_, pending),) = library.previews._under_way.values()
    while not pending.ready:
        time.sleep(0.01)
    with pytest.raises(Cancelled):
        read(library, "gated.txt", cancelled=lambda: True)


def test_a_file_is_given_up_for_another_one(library):
    assert read(library, "gated.txt", seconds=0.0) == {}
    assert entry_of(library, "locked.pdf").attachment in read(library, "locked.pdf")
    assert list(library.previews._under_way) == []


def test_the_limits_of_a_run_hold(shelf, tmp_path):
    config = configure(tmp_path / "config")
    config.write_text(config.read_text("utf-8").replace("floor = 0", "floor = 99999999"), "utf-8")
    with opened(shelf, configure(tmp_path / "other")) as library:
        library.index(seconds=0)
    with opened(shelf, config) as library:
        preview = read(library, "tides.md")[entry_of(library, "tides.md").attachment]
    assert "MiB of memory are free" in preview.reason


def test_readers_end_with_the_library_and_begin_anew(library):
    assert read(library, "tides.md")
    library.previews.close()
    assert library.previews._pool is None
    assert read(library, "locked.pdf")
