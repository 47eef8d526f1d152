"""How the fts5 ranker keeps up with a store (specs/17-lexical-ranking.md)."""

from __future__ import annotations

import apsw
import pytest

from memory_store import MemoryStore
from pincite.errors import Cancelled, NotReady
from pincite.query import parse
from pincite.values.search import RowSet
from pincite_plugins.rankers.fts5 import Settings
from pincite_plugins.rankers.fts5.database import CACHE_KIB, PAGE_BYTES
from pincite_plugins.rankers.fts5.ranker import Fts5Ranker


@pytest.fixture
def store():
    made = MemoryStore()
    for number in range(30):
        made.put(body=f"row{number} crab and word{number % 7} of the shore")
    return made


def opened(folder, store, **settings) -> Fts5Ranker:
    return Fts5Ranker(folder / "fts5", store, Settings(**settings), lambda line: None)


def ranked(ranker: Fts5Ranker, query: str) -> list[tuple[int, float]]:
    return [(one.row, one.score) for one in ranker.rank(parse(query), None, 100)]


def test_not_ready_before_the_first_words(tmp_path, store):
    with pytest.raises(NotReady):
        opened(tmp_path, store).rank(parse("crab "), None, 5)


def test_a_changed_text_is_found_by_its_new_words_alone(tmp_path, store):
    ranker = opened(tmp_path, store)
    old = store.put(note="urchin in the plot")
    ranker.catch_up()
    store.remove(old)
    new = store.put(note="limpet in the plot")
    ranker.catch_up()
    assert ranked(ranker, "urchin ") == []
    assert [row for row, _ in ranked(ranker, "limpet ")] == [new]


def test_a_row_with_other_words_is_found_by_them_within_a_filter_too(tmp_path, store):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    store.renew(7, body="limpet")
    store.renew(9, body="limpet")
    ranker.catch_up()
    for rows in (None, RowSet.of([7, 9, 12]), RowSet.of(range(100))):
        assert [one.row for one in ranker.rank(parse("limpet "), rows, 100)] == [7, 9]
        assert not {7, 9} & {one.row for one in ranker.rank(parse("crab "), rows, 100)}
    assert [one.row for one in ranker.rank(parse("limpet "), RowSet.of([9, 12, 400]), 100)] == [9]
    assert ranker.explain(parse("limpet "), 9)["words"][0]["adds"] > 0


def test_rows_that_do_not_rise_are_told_apart(tmp_path, store):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    for row in (21, 5, 6, 2):
        store.renew(row, body=f"limpet number{row}")
        ranker.catch_up()
    store.remove(6)
    ranker.catch_up()
    assert [row for row, _ in ranked(ranker, "limpet ")] == [2, 5, 21]
    for row in (2, 5, 21):
        assert [one.row for one in ranker.rank(parse(f"number{row} "), RowSet.of([row, 30]), 5)] == [row]
    assert ranker.rank(parse("number6 "), RowSet.of([6]), 5) == []
    assert sorted(row for row, _ in ranked(ranker, "crab ")) == sorted({*range(1, 31)} - {2, 5, 6, 21})


def test_step_by_step_ranks_as_at_once(tmp_path, store):
    slow = opened(tmp_path / "slow", store)
    for number in range(40):
        store.put(body=f"late{number} crab word{number % 5} on the pier")
        slow.catch_up()
    fast = opened(tmp_path / "fast", store)
    fast.catch_up()
    for query in ("crab pier ", "word3 shore crab ", "late7 "):
        assert ranked(slow, query) == ranked(fast, query)


def test_rows_without_a_word_are_taken_in_as_well(tmp_path):
    store = MemoryStore()
    ranker = opened(tmp_path, store)
    for _ in range(4):
        store.put(body="")
        ranker.catch_up()  # batches of a row each become one
    store.put(body="limpet")
    ranker.catch_up()
    assert ranker.status().rows == 5
    assert [row for row, _ in ranked(ranker, "limpet ")] == [5]


@pytest.mark.parametrize("every", [2, 5])
def test_compacted_it_is_as_large_as_a_fresh_one(tmp_path, every):
    store = MemoryStore()
    rows = [store.put(body=" ".join(f"w{number * 31 % 997}x{at}" for at in range(40))) for number in range(2_000)]
    ranker = opened(tmp_path / "old", store)
    ranker.catch_up()
    for row in rows[::every]:
        store.remove(row)
    ranker.catch_up()
    before = ranked(ranker, "w31x7 ")
    ranker.compact()
    fresh = opened(tmp_path / "fresh", store)
    fresh.catch_up()
    assert ranked(ranker, "w31x7 ") == ranked(fresh, "w31x7 ")
    assert [row for row, _ in ranked(ranker, "w31x7 ")] == [row for row, _ in before]
    ranker.close()
    fresh.close()
    old, new = ((tmp_path / name / "fts5" / "index.db").stat().st_size for name in ("old", "fresh"))
    assert old <= 1.05 * new


def test_vectors_are_nothing_to_it(tmp_path, store):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    store.vector(3)
    ranker.catch_up()
    assert ranker.status().applied == store.last_change()
    assert ranker.status().rows == 30


def test_rebuilt_when_the_store_forgot_the_changes_between(tmp_path, store):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    gone = 5
    store.remove(gone)
    new = store.put(body="limpet")
    store.forget()
    ranker.catch_up()
    assert [row for row, _ in ranked(ranker, "limpet ")] == [new]
    assert gone not in [row for row, _ in ranked(ranker, "crab ")]


def test_other_weights_make_it_anew(tmp_path, store):
    opened(tmp_path, store).catch_up()
    heavier = opened(tmp_path, store, weights={"body": 2.0})
    assert heavier.status().degraded
    heavier.catch_up()
    assert heavier.status().rows == 30


def test_a_cancelled_run_goes_on_where_it_was(tmp_path, store):
    ranker = opened(tmp_path, store)
    with pytest.raises(Cancelled):
        ranker.catch_up(cancelled=lambda: True)
    ranker.catch_up()
    assert ranker.status().rows == 30


def test_a_damaged_file_is_made_anew(tmp_path, store):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    ranker.close()
    (tmp_path / "fts5" / "index.db").write_bytes(b"no database at all" * 1000)
    again = opened(tmp_path, store)
    again.catch_up()
    assert again.status().rows == 30


def test_a_reader_sees_what_another_connection_wrote(tmp_path, store):
    writer, reader = opened(tmp_path, store), opened(tmp_path, store)
    writer.catch_up()
    assert len(ranked(reader, "crab ")) == 30
    store.put(body="crab again")
    writer.catch_up()
    assert len(ranked(reader, "crab ")) == 31


def test_the_index_holds_no_text(tmp_path, store):
    store.put(body="zanzibarite zanzibarite")
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    ranker.close()
    connection = apsw.Connection(str(tmp_path / "fts5" / "index.db"))
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    assert "words_content" not in tables


def test_stems_outlive_an_index_made_anew_in_the_same_process(tmp_path):
    store = MemoryStore()
    rows = [store.put(body=f"floods{number % 7} flooding on row{number}", language="en") for number in range(1_200)]
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    for row in rows[:500]:
        store.remove(row)
    store.put(body="flooded flats", language="en")
    ranker.catch_up()  # so many are gone that it is made anew
    assert len(ranked(ranker, "flooding ")) == 100
    assert len(ranked(ranker, "flooded ")) == 100


def test_what_a_failed_run_learnt_is_not_taken_for_written(tmp_path, store, monkeypatch):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    new = store.put(body="limpets", language="en")
    with monkeypatch.context() as patch:
        patch.setattr("pincite_plugins.rankers.fts5.updating.set_about", lambda *arguments: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            ranker.catch_up()
    ranker.catch_up()
    assert [row for row, _ in ranked(ranker, "limpet ")] == [new]


def test_what_writing_took_is_given_back(tmp_path, store):
    ranker = opened(tmp_path, store)
    ranker.catch_up()
    connection = ranker._database.read()
    said = {name: connection.execute(f"PRAGMA {name}").get for name in ("cache_size", "page_size", "journal_mode")}
    assert said == {"cache_size": -CACHE_KIB, "page_size": PAGE_BYTES, "journal_mode": "wal"}
