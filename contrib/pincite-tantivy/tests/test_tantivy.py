"""The ranker `tantivy` keeps the contract, and ranks as any ranker by words does."""

import contextlib
import random

import pytest

from lexical_cases import *  # noqa: F403
from memory_store import MemoryStore
from pincite.errors import Damaged, NotReady
from pincite.query import parse
from pincite.storage.checked import is_suspect
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


@pytest.fixture
def damaged(tmp_path, opened):
    """Flips a bit in the middle, or else at the end, of a segment's file of a suffix; gives the folder and what stands in it."""

    def damaged(suffix, at=0.5):
        store = MemoryStore()
        for number in range(40):
            store.put(body=f"crab number{number} on the shore of the sea")
        opened(tmp_path, store).close()
        (path,) = (tmp_path / "tantivy").glob(f"*{suffix}")
        data = bytearray(path.read_bytes())
        data[int(at * (len(data) - 1))] ^= 1
        path.write_bytes(data)
        return store

    return damaged


@pytest.mark.parametrize("at", [0.5, 1])
@pytest.mark.parametrize("suffix", [".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term"])
def test_a_flipped_bit_is_noticed_and_the_index_made_anew(tmp_path, damaged, suffix, at):
    store = damaged(suffix, at)
    ranker = TantivyRanker(tmp_path / "tantivy", store, Settings(), lambda line: None)
    for ask in (lambda: ranker.rank(parse("crab "), None, 5), ranker.status, lambda: ranker.sought(parse("crab "))):
        with pytest.raises(NotReady, match="run `pincite index`"):
            ask()
    ranker.catch_up()
    assert len(ranker.rank(parse("crab "), None, 50)) == 40


@pytest.mark.parametrize("suffix", [".fast", ".idx", ".term"])
def test_in_a_large_index_it_is_noticed_where_it_shows_and_once_a_week(tmp_path, damaged, monkeypatch, suffix):
    monkeypatch.setattr("pincite_tantivy.index.EAGER", 0)
    ranker = TantivyRanker(tmp_path / "tantivy", damaged(suffix), Settings(), lambda line: None)
    with contextlib.suppress(NotReady):  # it may not show
        ranker.rank(parse("crab "), None, 5)
    with pytest.raises(Damaged, match=suffix):
        ranker.check()
    assert is_suspect(tmp_path / "tantivy")


def test_what_a_killed_run_left_is_no_damage(tmp_path, opened):
    store = MemoryStore()
    row = store.put(body="crab on the shore")
    opened(tmp_path, store).close()
    (tmp_path / "tantivy" / f"{'ab12' * 8}.idx").write_bytes(b"half of a segm")
    ranker = opened(tmp_path, store)
    ranker.check()
    assert [one.row for one in ranker.rank(parse("crab "), None, 5)] == [row]
    assert not is_suspect(tmp_path / "tantivy")


def test_an_error_of_a_sound_index_is_no_damage(tmp_path, opened, monkeypatch):
    ranker = opened(tmp_path, MemoryStore())
    monkeypatch.setattr(ranker._index, "about", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ranker.status()


def test_not_ready_before_the_first_words(tmp_path):
    ranker = TantivyRanker(tmp_path / "tantivy", MemoryStore(), Settings(), lambda line: None)
    with pytest.raises(NotReady):
        ranker.rank(parse("crab "), None, 5)


WORDS = [f"word{number}" for number in range(30)]


@pytest.fixture
def tides():
    """A store in which words come in all frequencies: the n-th stands in about one of n rows, and neighbours change."""
    store, rng = MemoryStore(), random.Random(5)
    for _ in range(150):
        held = [word for number, word in enumerate(WORDS, 1) if rng.random() < 1 / number]
        rng.shuffle(held)
        store.put(body=" ".join([*held, "shore"]))
    return store


@pytest.mark.parametrize("frequent", [0, 1, 1_000])
def test_what_a_row_says_does_not_hang_on_how_it_is_looked_up(tmp_path, opened, tides, monkeypatch, frequent):
    monkeypatch.setattr("pincite_tantivy.said.FREQUENT", frequent)
    rows = tides.all_rows()[::3]
    met = opened(tmp_path, tides).met(parse(" ".join(WORDS) + " "), rows)
    texts = {text.row: text.columns["body"].split() for text in tides.words(rows.tolist())}
    assert {row: set(terms) for row, terms in met.items()} == {
        row: set(said) - {"shore"} for row, said in texts.items()
    }


def test_neighbours_bring_a_row_forward_from_beyond_those_looked_at(tmp_path, opened, monkeypatch):
    monkeypatch.setattr("pincite_tantivy.best.BESIDES_NEIGHBOURS", 1)
    store, filler = MemoryStore(), "rock sand pool weed shell wind wave foam"
    for _ in range(300):
        store.put(body=filler)
    scattered = [
        store.put(body=f"salt {' '.join(filler.split()[n % 8] for n in range(length))} marsh")
        for length in range(28, 34)
    ]
    together = store.put(body=f"salt marsh {' '.join(filler.split()[n % 8] for n in range(34))}")
    ranked = [one.row for one in opened(tmp_path, store).rank(parse("salt marsh "), None, 5)]
    assert ranked == [*scattered[:4], together]
