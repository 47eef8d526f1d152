"""The ranker `tantivy` keeps the contract, and ranks as any ranker by words does."""

import pytest

from lexical_cases import *  # noqa: F403
from memory_store import MemoryStore
from pincite.errors import NotReady
from pincite.query import parse
from pincite.testing import RankerKit
from pincite_tantivy import Settings
from pincite_tantivy.ranker import TantivyRanker


class TestTantivy(RankerKit):
    name = "tantivy"


@pytest.fixture
def opened():
    def opened(folder, store, **settings):
        made = TantivyRanker(folder / "tantivy", store, Settings(**settings), lambda line: None)
        made.catch_up()
        return made

    return opened


def test_a_large_index_keeps_its_rows_when_one_goes(tmp_path, opened, monkeypatch):
    monkeypatch.setattr("pincite_tantivy.ranker.SMALL", 10)
    store = MemoryStore()
    rows = [store.put(body=f"crab number{number} on the shore") for number in range(60)]
    ranker = opened(tmp_path, store)
    store.remove(rows[3])
    new = store.put(body="limpet on the shore")
    ranker.catch_up()
    ranked = [one.row for one in ranker.rank(parse("crab limpet "), None, 100)]
    assert ranked[0] == new
    assert sorted(ranked) == sorted({*rows, new} - {rows[3]})


def test_a_damaged_index_is_made_anew(tmp_path, opened):
    store = MemoryStore()
    row = store.put(body="crab on the shore")
    opened(tmp_path, store).close()
    (tmp_path / "tantivy" / "meta.json").write_text("no index")
    assert [one.row for one in opened(tmp_path, store).rank(parse("crab "), None, 5)] == [row]


def test_not_ready_before_the_first_words(tmp_path):
    ranker = TantivyRanker(tmp_path / "tantivy", MemoryStore(), Settings(), lambda line: None)
    with pytest.raises(NotReady):
        ranker.rank(parse("crab "), None, 5)
