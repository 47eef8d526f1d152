"""The built-in store (specs/03-store.md)."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

from pincite.errors import PinciteError
from pincite.indexing.plain import plain_pack
from pincite.packs import write_pack
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Attachment, Creator, Item, Record, fingerprint
from pincite.values.search import Filter, Op
from stores import BELLS, KELP, embed_all, open_store, paragraphs, put, vectors_of


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path / "index")
    yield made
    made.close()


def ids(store, rows):
    return sorted(chunk.id for chunk in store.chunks(rows).values())


def test_what_was_put_reads_back_after_reopening(tmp_path, store):
    row = put(store, KELP)
    store.close()
    again = open_store(tmp_path / "index")
    assert again.records([row])[row] == KELP
    texts = again.texts(again.all_rows())
    assert sorted(texts.values()) == sorted(
        [
            "Kelp forests after the storm\n\nStorms thin the canopy and light reaches the floor.",
            "Ask Ada about the urchins in the second plot.",
            "light reaches the floor\n\ncompare with plot two",
            "The holdfast grips the rock.",
            "Urchins graze where otters are gone.",
        ]
    )
    again.close()


def test_passage_ids_name_their_owner_and_find_their_row(store):
    put(store, KELP)
    rows = store.all_rows()
    assert ids(store, rows) == ["kelp#item0", "kelp-a#0", "kelp-f#0", "kelp-f#1", "kelp-n#0"]
    for row in rows:
        assert store.find_chunk(store.chunks([row])[row].id) == row
    for wrong in ("kelp-f#9", "kelp-f#", "nobody#0", "#", "", "kelp-f#1x", "kelp-f#" + "9" * 40):
        assert store.find_chunk(wrong) is None


def test_an_annotation_knows_its_attachment_and_page(store):
    put(store, KELP)
    chunk = store.chunks([store.find_chunk("kelp-a#0")]).popitem()[1]
    assert (chunk.attachment, chunk.page, chunk.page_label) == ("kelp-f", 3, "iii")


def test_changes_rise_and_rows_are_never_used_again(store):
    put(store, KELP)
    first = store.changes(0)
    assert [change.op for change in first] == [Op.PUT] * 5
    before = set(store.all_rows().tolist())
    store.drop_items(["kelp"])
    gone = store.changes(first[-1].seq)
    assert {(change.op, change.row) for change in gone} == {(Op.GONE, row) for row in before}
    put(store, KELP)
    assert not before & set(store.all_rows().tolist())
    assert store.changes(0, limit=3) == first[:3]
    sequence = [change.seq for change in store.changes(0)]
    assert sequence == sorted(set(sequence))
    assert sequence[-1] == store.last_change()


def test_putting_the_same_record_again_keeps_the_rows_of_its_children(store):
    put(store, KELP)
    before = {store.chunks([row])[row].id: int(row) for row in store.all_rows()}
    changed = dataclasses.replace(KELP, item=dataclasses.replace(KELP.item, tags=("ocean", "storm")))
    put(store, changed)
    after = {store.chunks([row])[row].id: int(row) for row in store.all_rows()}
    assert {id for id in before if before[id] == after[id]} == {"kelp-n#0", "kelp-a#0", "kelp-f#0", "kelp-f#1"}


def test_a_new_title_is_told_to_the_rows_that_carry_it_as_context(store):
    put(store, KELP)
    last = store.last_change()
    put(store, dataclasses.replace(KELP, item=dataclasses.replace(KELP.item, title="Kelp, twice over")))
    told = {change.row for change in store.changes(last) if change.op is Op.PUT}
    assert told == set(store.all_rows().tolist())


def test_words_come_by_column(store):
    put(store, KELP)
    words = {store.chunks([word.row])[word.row].id: word.columns for word in store.words(store.all_rows())}
    assert words["kelp#item0"] == {
        "title": "Kelp forests after the storm",
        "abstract": "Storms thin the canopy and light reaches the floor.",
        "metadata": "Ada Okafor\n2018\nocean\nCoast/Plants",
    }
    assert words["kelp-n#0"]["note"] == "Ask Ada about the urchins in the second plot."
    assert words["kelp-a#0"]["annotation"] == "light reaches the floor\n\ncompare with plot two"
    assert words["kelp-f#1"] == {
        "body": "Urchins graze where otters are gone.",
        "context": "Kelp forests after the storm",
    }


@pytest.mark.parametrize(
    ("filter", "items"),
    [
        (Filter(tags=frozenset({"OCEAN"})), {"kelp", "bells"}),
        (Filter(tags=frozenset({"zeit"}), years=(1990, None)), {"bells"}),
        (Filter(years=(None, 2000)), {"bells"}),
        (Filter(years=(2018, 2018)), {"kelp"}),
        (Filter(collections=frozenset({"coast/plants"})), {"kelp"}),
        (Filter(kinds=frozenset({"Book"})), {"bells"}),
        (Filter(groups=frozenset({""})), {"kelp"}),
        (Filter(groups=frozenset({"Guild"})), {"bells"}),
        (Filter(items=frozenset({"kelp", "nothing"})), {"kelp"}),
        (Filter(creators=frozenset({"okafor"})), {"kelp"}),
        (Filter(creators=frozenset({"100%_"})), set()),
        (Filter(languages=frozenset({"fr"})), set()),
        (Filter(tags=frozenset({"'; DROP TABLE item; --"})), set()),
    ],
)
def test_filters_admit_the_rows_of_the_right_items(store, filter, items):
    put(store, KELP)
    put(store, BELLS)
    rows = store.resolve(filter).rows
    assert set(store.item_ids(set(store.items_of(rows).tolist())).values()) == items
    if items:
        whole = np.concatenate([store.rows_of_item(store.find_item(item)) for item in items])
        assert sorted(whole.tolist()) == rows.tolist()


def test_an_empty_filter_admits_all(store):
    assert store.resolve(Filter()) is None


def test_vectors_are_kept_by_text_and_found_again_by_every_row_with_it(store):
    put(store, KELP)
    twin = Record(
        Item("twin", title="Kelp forests, a second copy", abstract="The same plot, a year on."),
        attachments=(Attachment("twin-f", text=KELP.attachments[0].text),),
    )
    assert store.coverage("m/32") == (0, 5)
    assert embed_all(store, "m/32") == 5
    put(store, twin)
    assert embed_all(store, "m/32") == 1  # only its own text is new
    rows, vectors = store.vectors("m/32", store.all_rows())
    assert len(rows) == 8
    pair = [store.find_chunk("kelp-f#0"), store.find_chunk("twin-f#0")]
    _, same = store.vectors("m/32", np.array(pair))
    assert (same[0] == same[1]).all()
    assert np.allclose(np.linalg.norm(vectors.astype(np.float32), axis=1), 1, atol=2e-3)
    assert store.coverage("m/32") == (8, 8)
    assert store.coverage("other/8") == (0, 8)


def test_a_vector_is_told_for_each_row_that_has_its_text(store):
    put(store, KELP)
    last = store.last_change()
    embed_all(store, "m/32")
    told = [change.row for change in store.changes(last) if change.op is Op.VECTOR]
    assert sorted(told) == store.all_rows().tolist()


def test_a_damaged_vector_counts_as_missing(store):
    put(store, KELP)
    embed_all(store, "m/32")
    store.db.execute("UPDATE vector SET data = zeroblob(68) WHERE key = (SELECT min(key) FROM vector)")
    assert len(store.vectors("m/32", store.all_rows())[0]) == 4


@pytest.mark.parametrize(
    "wrong", [np.full((1, 32), np.nan, np.float32), np.ones((1, 31), np.float32), np.ones((2, 32), np.float32)]
)
def test_wrong_vectors_are_refused_and_nothing_is_written(store, wrong):
    put(store, KELP)
    embed_all(store, "m/32")
    last = store.last_change()
    with pytest.raises(ValueError, match=r"not finite|wide|keys but"):
        store.put_vectors("m/32", [b"k"], wrong)
    assert store.last_change() == last


def test_a_text_that_no_longer_reads_back_is_left_out_not_shown_wrong(store):
    row = put(store, KELP)
    other = "The holdfast slips off the rock.\n\nUrchins graze where otters are gone."
    pack = dataclasses.replace(plain_pack(KELP.attachments[0].text), extractor="t", extractor_version=1)
    entry = FileEntry("kelp-f", row, state=FileState.INDEXED, hash="ab" * 16)
    store.put_file(entry, pack, paragraphs(pack.text))
    name = f"{'ab' * 16}-t1.pack"
    assert store.texts([store.find_chunk("kelp-f#0")])
    (store.packs / "ab" / name).unlink()
    write_pack(store.packs / "ab" / name, dataclasses.replace(pack, text=other))
    assert store.texts([store.find_chunk("kelp-f#0")]) == {}
    assert list(store.texts([store.find_chunk("kelp-f#1")]).values()) == []  # its offsets have moved, too
    (store.packs / "ab" / name).write_bytes(b"torn")
    assert store.texts(store.rows_of_item(row)).keys() & {store.find_chunk("kelp-f#0")} == set()
    assert store.pack("kelp-f") is None


def test_totals_add_up(store):
    put(store, KELP)
    put(store, BELLS)
    waiting = Record(
        Item("w"), attachments=(Attachment("w1", path="/nowhere/a.pdf"), Attachment("w2", path="/nowhere/b.pdf"))
    )
    row = put(store, waiting)
    store.note_file(FileEntry("w2", row, "/nowhere/b.pdf", FileState.FAILED, "missing", "there is no such file"))
    totals = store.totals()
    assert (totals.items, totals.files, totals.indexed, totals.skipped, totals.waiting, totals.failed) == (
        3,
        4,
        2,
        1,
        1,
        1,
    )
    assert totals.indexed + totals.skipped + totals.failed == totals.files
    assert (totals.notes, totals.annotations) == (1, 1)


def test_a_file_that_fails_loses_what_was_made_of_it(store):
    row = put(store, KELP)
    store.note_file(FileEntry("kelp-f", row, state=FileState.FAILED, verdict="damaged", reason="torn"))
    assert ids(store, store.all_rows()) == ["kelp#item0", "kelp-a#0", "kelp-n#0"]


def test_an_attachment_whose_file_is_another_waits_again(store):
    put(store, KELP)
    other = dataclasses.replace(KELP, attachments=(Attachment("kelp-f", text="A new text."),))
    store.put_record(other, fingerprint(other), {"": []})
    assert {entry.attachment: entry.state for entry in store.files()} == {"kelp-f": FileState.WAITING}


def scanned(row: int, id: str, **found) -> FileEntry:
    return FileEntry(id, row, f"/scans/{id}", FileState.INDEXED, hash=id.encode().hex(), extractor="t", found=found)


def test_what_a_file_knows_fills_what_the_source_left_empty(store):
    record = Record(
        Item("scan", year=1970), attachments=(Attachment("a", path="/scans/a"), Attachment("b", path="/scans/b"))
    )
    row = put(store, record)
    store.put_file(scanned(row, "b", title="Of Waves", doi="10.1/2"), None, [])
    store.put_file(
        scanned(row, "a", title="On Tides", year=1888, creators=[{"family": "Vega", "given": "Lope"}]), None, []
    )
    item = store.item(row)
    # the source's word first, then that of the first attachment, then that of the second
    assert (item.title, item.year, item.doi, item.creators) == ("On Tides", 1970, "10.1/2", (Creator("Vega", "Lope"),))
    assert store.texts([store.find_chunk("scan#item0")]) == {store.find_chunk("scan#item0"): "On Tides"}
    assert store.resolve(Filter(creators=frozenset({"vega"}))).rows.tolist() == store.all_rows().tolist()


def test_what_a_file_said_goes_with_the_file(store):
    record = Record(Item("scan"), attachments=(Attachment("a", path="/scans/a"), Attachment("b", path="/scans/b")))
    row = put(store, record)
    store.put_file(scanned(row, "a", title="On Tides"), None, [])
    store.put_file(scanned(row, "b", title="Of Waves"), None, [])
    store.note_file(dataclasses.replace(scanned(row, "a"), state=FileState.FAILED))
    assert store.item(row).title == "Of Waves"
    put(store, dataclasses.replace(record, attachments=()))
    assert store.item(row).title == ""


def test_a_title_that_the_source_gives_later_wins(store):
    record = Record(Item("scan"), attachments=(Attachment("a", path="/scans/a"),))
    row = put(store, record)
    store.put_file(scanned(row, "a", title="On Tides", year=1888), None, [])
    put(store, dataclasses.replace(record, item=Item("scan", title="Tides")))
    assert (store.item(row).title, store.item(row).year) == ("Tides", 1888)
    assert list(store.texts([store.find_chunk("scan#item0")]).values()) == ["Tides"]


def test_damage_is_set_aside_and_the_index_made_anew(tmp_path):
    made = open_store(tmp_path)
    put(made, KELP)
    made.close()
    path = tmp_path / "index.db"
    data = bytearray(path.read_bytes())
    data[:4096] = b"\xff" * 4096
    path.write_bytes(data)
    notes = []
    from pincite_plugins.stores.sqlite.store import SqliteStore

    again = SqliteStore(tmp_path, notes.append)
    assert again.totals().items == 0
    again.close()
    assert len(list(tmp_path.glob("index.db.damaged-*"))) >= 1
    assert "set aside" in notes[0]


def test_an_index_of_a_later_version_is_refused_not_touched(tmp_path):
    made = open_store(tmp_path)
    made.db.execute("PRAGMA user_version = 99")
    made.close()
    before = (tmp_path / "index.db").read_bytes()
    with pytest.raises(PinciteError, match="later version of pincite"):
        open_store(tmp_path)
    assert (tmp_path / "index.db").read_bytes() == before


def test_a_transaction_that_dies_half_way_leaves_nothing(tmp_path):
    code = """
import os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from stores import open_store, put, KELP, BELLS
store = open_store(Path(sys.argv[1]))
put(store, KELP)
seen = []
def die(*_):
    seen.append(1)
    if len(seen) == 8:
        os._exit(9)
store.db.set_exec_trace(lambda cursor, sql, values: die() or True)
put(store, BELLS)
"""
    import stores

    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), str(__import__("pathlib").Path(stores.__file__).parent)],
        check=False,
    )
    assert done.returncode == 9
    store = open_store(tmp_path)
    assert store.find_item("kelp") is not None
    assert store.find_item("bells") is None
    assert store.db.execute("PRAGMA integrity_check").get == "ok"
    store.close()


def test_state_is_kept_and_forgotten(store):
    store.set("paused", "yes")
    assert store.get("paused") == "yes"
    store.set("paused", None)
    assert store.get("paused") is None


def test_forgetting_changes_says_from_where_they_are_complete(store):
    put(store, KELP)
    store.forget_changes(store.last_change())
    assert store.changes(0) == []
    assert store.first_change() == store.last_change() > 0


def test_embedding_texts_carry_the_section_path(store):
    from pincite.values.ledger import NewChunk
    from pincite.values.search import Draft

    row = put(store, BELLS)
    text = BELLS.attachments[0].text
    draft = Draft(((0, len(text)),), section=("Teil I", "Türme"))
    chunk = NewChunk(draft, text, f"Teil I > Türme\n\n{text}", language="de")
    store.put_file(FileEntry("bells-f", row, state=FileState.INDEXED), None, [chunk])
    found = store.find_chunk("bells-f#0")
    assert store.embed_texts([found])[0][1] == f"Teil I > Türme\n\n{text}"
    assert next(store.words([found])).columns["heading"] == "Teil I > Türme"
    vectors = vectors_of([f"Teil I > Türme\n\n{text}"])
    store.put_vectors("m", [store.embed_texts([found])[0][0]], vectors)
    assert store.vectors("m", np.array([found]))[0].tolist() == [found]


def test_a_bare_title_has_a_vector_only_where_there_is_no_body(store):
    row = put(store, BELLS)
    own, body = store.find_chunk("bells#item0"), store.find_chunk("bells-f#0")
    assert own is not None
    assert store.pending("m").tolist() == [body]
    store.note_file(FileEntry("bells-f", row, state=FileState.FAILED, verdict="damaged", reason="torn"))
    assert store.pending("m").tolist() == [store.find_chunk("bells#item0")]


def test_an_embedded_text_begins_with_the_title_of_its_file(store):
    record = dataclasses.replace(KELP, attachments=(dataclasses.replace(KELP.attachments[0], title="Plot two"),))
    row = put(store, record)
    chunk = store.find_chunk("kelp-f#0")
    assert store.embed_texts([chunk])[0][1] == "Plot two\n\nThe holdfast grips the rock."
    pack = dataclasses.replace(
        plain_pack(KELP.attachments[0].text, "The file's own title"), extractor="t", extractor_version=1
    )
    entry = FileEntry("kelp-f", row, state=FileState.INDEXED, hash="cd" * 16, extractor="t", extractor_version=1)
    store.put_file(entry, pack, paragraphs(pack.text))
    chunk = store.find_chunk("kelp-f#0")
    assert store.embed_texts([chunk])[0][1] == "The file's own title\n\nThe holdfast grips the rock."
    assert store.texts([chunk])[chunk] == "The holdfast grips the rock."
