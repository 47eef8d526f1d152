"""What the store does about damage, and the room it gives back (specs/03-store.md)."""

import random
import shutil
from pathlib import Path

import apsw
import numpy as np
import pytest

from pincite.errors import Damaged, Locked, PinciteError
from pincite.indexing.lock import writer_lock
from pincite.indexing.plain import plain_pack
from pincite.storage import checked
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Attachment, Item, Record
from stores import BELLS, KELP, embed_all, open_store, paragraphs, put

GOLDEN = Path(__file__).parents[3] / "golden"


@pytest.fixture
def folder(tmp_path):
    store = open_store(tmp_path / "index")
    for number in range(60):
        record = Record(
            Item(f"work-{number}", title=f"On the tides, part {number}", abstract="The moon pulls the water. " * 20)
        )
        put(store, record)
    put(store, KELP)
    put(store, BELLS)
    embed_all(store, "m/32")
    store.close()
    return tmp_path / "index"


def everything(store):
    rows = store.all_rows()
    chunks, texts = store.chunks(rows), store.texts(rows)
    have, vectors = store.vectors("m/32", rows)
    return {(chunks[row].id, chunks[row].child): texts[row] for row in chunks}, dict(
        zip(have.tolist(), vectors.tolist(), strict=True)
    )


def flip(path: Path, at: int, bit: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


def test_every_page_carries_its_checksum(folder):
    assert checked.is_checked(folder / "index.db")
    assert checked.damaged_pages(folder / "index.db") == []


@pytest.mark.parametrize("length", [9_000, 50_000])
def test_a_bit_flipped_at_the_end_of_a_long_value_is_noticed(tmp_path, length):
    path = tmp_path / "long.db"
    connection = checked.connect(path)
    connection.execute("CREATE TABLE long(value)")
    connection.execute("INSERT INTO long VALUES (?)", (b"k" * length,))
    connection.close()
    flip(path, path.read_bytes().rindex(b"kkkk"))
    connection = checked.connect(path)
    with pytest.raises(apsw.CorruptError, match="checksum differs"):
        connection.execute("SELECT value FROM long").fetchall()
    connection.close()


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_bit_is_harmless_or_noticed(folder, seed):
    store = open_store(folder)
    whole = everything(store)
    store.close()
    path = folder / "index.db"
    draw = random.Random(seed)
    flip(path, draw.randrange(path.stat().st_size), draw.randrange(8))
    assert checked.damaged_pages(path) or not checked.is_checked(path)
    with writer_lock(folder):
        try:
            store = open_store(folder)
            assert everything(store) == whole or store.totals().items == 0
        except Damaged:
            pass  # noticed where it was read
        store.heal(deep=True)
        assert store.totals().items == 0
        assert store.coverage("m/32") == (0, 0)
        assert store.db.execute("PRAGMA integrity_check").get == "ok"
        store.close()
    assert list(folder.glob("index.db.damaged-*"))


def test_sound_vectors_of_a_damaged_database_are_kept(folder):
    path = folder / "index.db"
    store = open_store(folder)
    page = store.db.execute("PRAGMA page_count").get
    count = store.db.execute("SELECT count(*) FROM vector").get
    store.close()
    flip(path, (page - 1) * 4096 + 100)
    with writer_lock(folder):
        store = open_store(folder)
        (line,) = store.heal(deep=True)
        assert "set aside" in line
        kept = store.db.execute("SELECT count(*) FROM vector").get
        assert 0 < kept <= count
        for record in (KELP, BELLS):
            put(store, record)
        have, want = store.coverage("m/32")
        assert have > 0 or kept < count
        assert want == 6
        store.close()


def test_the_sequence_of_a_new_database_is_ahead_of_the_damaged_one(folder):
    store = open_store(folder)
    last = store.last_change()
    store.close()
    flip(folder / "index.db", 4096 * 2 + 50)
    with writer_lock(folder):
        store = open_store(folder)
        store.heal(deep=True)
        assert store.first_change() > last  # a ranker that followed the old one must begin anew
        store.close()


def test_only_the_writer_sets_a_database_aside(folder):
    (folder / "index.db").write_bytes(b"\xff" * 4096)
    import subprocess
    import sys

    hold = "import sys, time; from pathlib import Path; from pincite.indexing.lock import writer_lock\nwith writer_lock(Path(sys.argv[1])):\n  print(1, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", hold, str(folder)], stdout=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            with pytest.raises(Damaged, match="indexing this library"):
                open_store(folder)
        finally:
            process.kill()
    assert not list(folder.glob("index.db.damaged-*"))


def packed_file(store, id="scan", text="The holdfast grips the rock.\n\nUrchins graze where otters are gone."):
    row = put(store, Record(Item(id), attachments=(Attachment(f"{id}-f", path=f"/nowhere/{id}.txt"),)))
    import dataclasses

    pack = dataclasses.replace(plain_pack(text), extractor="t", extractor_version=1, source_hash="ab" * 16)
    entry = FileEntry(
        f"{id}-f", row, f"/nowhere/{id}.txt", FileState.INDEXED, hash="ab" * 16, extractor="t", extractor_version=1
    )
    store.put_file(entry, pack, paragraphs(text))
    return next((store.packs / "ab").iterdir())


def test_a_damaged_pack_lets_its_file_wait_again(folder):
    store = open_store(folder)
    path = packed_file(store)
    whole = path.read_bytes()
    noticed = []
    for at in range(0, len(whole), 7):
        flip(path, at)
        rows = store.rows_of_item(store.find_item("scan"))
        texts = store.texts(rows)
        assert set(texts.values()) <= {"The holdfast grips the rock.", "Urchins graze where otters are gone.", ""}
        noticed += [at] * (len(texts) < 3)
        path.write_bytes(whole)
    flip(path, noticed[0])
    assert len(store.texts(store.rows_of_item(store.find_item("scan")))) < 3
    said = store.heal()
    assert len(said) == 1
    assert "read again" in said[0]
    assert {entry.state for entry in store.files() if entry.attachment == "scan-f"} == {FileState.WAITING}
    assert not path.exists()
    assert store.heal() == []
    store.close()


def test_a_missing_pack_is_noticed_when_it_is_used(folder):
    store = open_store(folder)
    packed_file(store).unlink()
    store.texts(store.rows_of_item(store.find_item("scan")))
    assert len(store.heal()) == 1
    store.close()


def test_packs_that_nothing_names_are_swept(folder):
    store = open_store(folder)
    path = packed_file(store)
    stray = path.with_name("cd" * 16 + "-t1.pack")  # written just before a crash
    shutil.copy(path, stray)
    store.tidy(0)
    assert path.exists()
    assert not stray.exists()
    store.drop_items(["scan"])
    store.tidy(0)
    assert not path.exists()
    store.close()


def test_compaction_gives_room_back_and_loses_nothing(folder, tmp_path):
    store = open_store(folder)
    store.drop_items([f"work-{number}" for number in range(60)])
    whole = everything(store)
    before, after = store.compact()
    assert everything(store) == whole
    assert after < before
    fresh = open_store(tmp_path / "fresh")
    put(fresh, KELP)
    put(fresh, BELLS)
    embed_all(fresh, "m/32")
    fresh.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert after <= 1.2 * (tmp_path / "fresh" / "index.db").stat().st_size
    assert checked.damaged_pages(folder / "index.db") == []
    assert store.db.execute("PRAGMA journal_mode").get == "wal"
    row = put(store, Record(Item("new", title="A work after compaction")))
    assert store.item(row).title == "A work after compaction"
    fresh.close()
    store.close()


def test_compaction_leaves_an_index_that_is_in_use_alone(folder):
    store, reader = open_store(folder), open_store(folder)
    whole = everything(reader)
    with pytest.raises(Locked, match="open in another program"):
        store.compact()
    assert everything(reader) == whole == everything(store)
    assert not (folder / "index.db.compact").exists()
    reader.close()
    store.compact()
    store.close()


def test_an_index_folder_can_be_moved(folder, tmp_path):
    store = open_store(folder)
    packed_file(store)
    whole = everything(store)
    store.close()
    shutil.move(folder, tmp_path / "elsewhere")
    store = open_store(tmp_path / "elsewhere")
    assert everything(store) == whole
    store.close()


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("index-*")), ids=lambda path: path.name)
def test_an_index_of_every_earlier_version_opens(tmp_path, golden):
    shutil.copytree(golden, tmp_path / "index")
    store = open_store(tmp_path / "index")
    rows = store.all_rows()
    assert sorted(store.texts(rows).values()) == sorted(
        [
            "Kelp forests after the storm\n\nStorms thin the canopy and light reaches the floor.",
            "Ask Ada about the urchins in the second plot.",
            "light reaches the floor\n\ncompare with plot two",
            "The holdfast grips the rock.",
            "Urchins graze where otters are gone.",
            "Glocken und Zeit",
            "Die Glocke schlägt zur vollen Stunde.",
            "Tides",
            "The moon pulls the water.",
            "Twice a day the harbour empties and fills.",
        ]
    )
    have, vectors = store.vectors("golden/32", rows)
    assert len(have) == store.coverage("golden/32")[1]
    assert store.totals().chunks == len(rows)
    assert np.allclose(np.linalg.norm(vectors.astype(np.float32), axis=1), 1, atol=2e-3)
    states = {entry.attachment: (entry.state, entry.verdict) for entry in store.files()}
    assert states["tides-g"] == (FileState.FAILED, "missing")
    assert store.get("identity") == "folder:/gone"
    store.close()
    assert checked.damaged_pages(tmp_path / "index" / "index.db") == []
    assert checked.is_checked(tmp_path / "index" / "index.db")


def test_a_full_disk_is_said_in_words_and_loses_nothing(folder):
    store = open_store(folder)
    whole = everything(store)
    store.db.execute(f"PRAGMA max_page_count = {store.db.execute('PRAGMA page_count').get}")

    def fill():
        for number in range(400):
            put(
                store,
                Record(Item(f"more-{number}", title=f"Part {number}", abstract="The moon pulls the water. " * 40)),
            )

    with pytest.raises(PinciteError, match="disk is full; free some space"):
        fill()
    store.drop_items([id for id in store.fingerprints() if id.startswith("more-")])
    assert everything(store) == whole
    store.close()
