"""Words that most rows say are scored by columns: the ranking is that of a search for all words."""

import random

import pytest

from memory_store import MemoryStore
from pincite.query import parse
from pincite.search.met import with_terms
from pincite.values.search import ChunkKind, RowSet
from pincite_tantivy import Settings, often
from pincite_tantivy.index import Index
from pincite_tantivy.ranker import TantivyRanker

COMMON = ["the", "of", "and", "in", "to"]
RARE = [f"word{number}" for number in range(60)]
QUERIES = [
    "the word1 of word9 ",
    "how the tide and word3 in word5 ",
    "of word40 ",
    "the of ",
    "the the word7 word8 the ",
    '"word2 of" the word11 ',
    "the word4 -word1 ",
    "title:of word6 the ",
    "in word59 word1 word2 word3 word4 word5 word6 ",
    "to wor",
    "to the missing ",
]


def sea(rows: int = 400) -> MemoryStore:
    """A store whose rows say the common words from never to very often, in lengths from 3 words to some hundreds."""
    store, rng = MemoryStore(), random.Random(7)
    for _ in range(rows):
        words = rng.choices(RARE, [1 / (20 + n) for n in range(len(RARE))], k=rng.randrange(2, 60))
        for n, word in enumerate(COMMON):
            if rng.random() < 0.95 - 0.04 * n:
                words += [word] * rng.choice([1, 1, 2, 3, 7, 40])
        rng.shuffle(words)
        if rng.random() < 0.2:
            store.put(ChunkKind.ITEM, title=" ".join(words[:9]), abstract=" ".join(words[9:]))
        else:
            store.put(body=" ".join(words), reference=" ".join(words[:2]))
    return store


@pytest.fixture
def opened(tmp_path, monkeypatch):
    monkeypatch.setattr("pincite_tantivy.ranker.SMALL", 50)

    def opened(store, name="one"):
        ranker = TantivyRanker(tmp_path / name, store, Settings(), lambda line: None)
        ranker.catch_up()
        return ranker

    return opened


def columns(ranker: TantivyRanker) -> list[str]:
    return ranker._index.about().often


def ranked(ranker, query, rows=None, limit=20):
    """Row, score, and the words met, of each."""
    query = parse(query)
    found = with_terms(query, ranker, ranker.rank(query, rows, limit))
    return [(one.row, pytest.approx(one.score, rel=1.1e-5), one.terms) for one in found]


@pytest.fixture
def both(opened, monkeypatch):
    """A ranker with columns, and one without any, over the same rows."""
    store = sea()
    with_columns = opened(store, "with")
    monkeypatch.setattr(often, "SHARE", 2.0)
    without = opened(store, "without")
    assert set(columns(with_columns)) >= set(COMMON)
    assert columns(without) == []
    return with_columns, without


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(("besides", "deepest"), [(100, 2_000), (1, 2_000), (1, 40)])
def test_columns_change_nothing(both, monkeypatch, query, besides, deepest):
    monkeypatch.setattr("pincite_tantivy.best.BESIDES_OFTEN", besides)
    monkeypatch.setattr("pincite_tantivy.best.DEEPEST", deepest)
    first, second = both
    some = RowSet.of(range(1, 400, 3))
    for rows, limit in ((None, 20), (None, 1), (None, 1_000), (some, 20)):
        assert ranked(first, query, rows, limit) == ranked(second, query, rows, limit)
    monkeypatch.setattr("pincite_tantivy.best.MOST", 10)  # what is found is filtered
    assert ranked(first, query, some) == ranked(second, query, some)


def test_the_common_words_are_left_out_of_the_search(both):
    (clause, *_) = both[0]._clauses(both[0]._searcher()).of(parse("the word1 "))
    assert clause.word == "the"
    assert len(clause.often) == 1
    assert len(clause.scored) == len(clause.searched) + 1


def test_what_columns_add_is_what_tantivy_explains(both):
    ranker = both[0]
    searcher = ranker._searcher()
    (clause, *_) = ranker._clauses(searcher).of(parse("of "))
    query, weight = clause.scored[0]
    hits = searcher.search(query, 200).hits
    rows = ranker._clauses(searcher).often.read([address for _, address in hits])
    assert often.added(rows, clause.often) == pytest.approx([weight * score for score, _ in hits], rel=1e-5)


def test_more_mentions_than_a_byte_tells(opened, monkeypatch):
    store = sea(200)
    store.put(body="the " * 250)  # the best row for the word itself
    for n in range(30):
        store.put(body="the " * (300 if n % 2 else 900) + "quay" + " foam" * int(3_000 * 1.05**n))
    with_columns = opened(store, "with")
    assert with_columns._clauses(with_columns._searcher()).of(parse("the "))[0].often
    monkeypatch.setattr(often, "SHARE", 2.0)
    monkeypatch.setattr("pincite_tantivy.best.BESIDES_OFTEN", 10)
    without = opened(store, "without")
    assert ranked(with_columns, "the quay ", limit=5) == ranked(without, "the quay ", limit=5)


def test_rows_that_come_and_go_have_their_columns(opened):
    store = sea(300)
    ranker = opened(store)
    for row in (5, 6, 7):
        store.remove(row)
    for _ in range(20):
        store.put(body="the word1 of the word3 and the word9")
    ranker.catch_up()
    again = opened(store, "again")
    for query in QUERIES:
        assert [row for row, *_ in ranked(ranker, query, limit=3)] == [row for row, *_ in ranked(again, query, limit=3)]


def test_columns_written_by_other_words_are_not_used(opened, tmp_path, monkeypatch):
    """As after a run that was killed between its commit and what it says of it."""
    store = sea()
    ranker = opened(store)
    before = {query: ranked(ranker, query) for query in QUERIES}
    ranker.close()
    index = Index(tmp_path / "one", True, 128)
    about = index.about()
    about.often = about.often[::-1]
    index.save(about)
    assert {query: ranked(opened(store), query) for query in QUERIES} == before


def test_the_words_are_chosen_anew_when_the_library_has_grown(opened):
    store = sea(60)
    ranker = opened(store)
    assert "tide" not in columns(ranker)
    for _ in range(1_000):
        store.put(body="tide and wave")
    ranker.catch_up()
    assert columns(ranker)[:2] == ["and", "tide"]


def test_a_small_library_has_no_columns(opened):
    ranker = opened(sea(50))
    assert columns(ranker) == []
    assert ranked(ranker, "the word1 ")
