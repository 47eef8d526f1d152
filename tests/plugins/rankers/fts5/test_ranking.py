"""What the fts5 ranker ranks (specs/17-lexical-ranking.md): the cases of any ranker by words, and its own."""

from __future__ import annotations

import numpy as np
import pytest

from lexical_cases import *  # noqa: F403
from lexical_cases import found
from memory_store import MemoryStore
from pincite.errors import NotReady
from pincite.query import parse
from pincite.values.search import RowSet
from pincite_plugins.rankers.fts5 import Settings, batches, scoring
from pincite_plugins.rankers.fts5.ranker import Fts5Ranker


@pytest.fixture
def opened():
    def opened(folder, store, **settings) -> Fts5Ranker:
        made = Fts5Ranker(folder / "fts5", store, Settings(**settings), lambda line: None)
        made.catch_up()
        return made

    return opened


def test_the_strict_gate_drops_passages_with_too_few_of_the_words(shore):
    store, ranker = shore
    store.put(body="crab alone")
    most = store.put(body="crab in mud at low water")
    assert found(ranker(gate="strict"), "crab mud low tide ") == [most]


def test_forms_of_a_word_that_share_passages_do_not_make_it_stand_everywhere(tmp_path, opened):
    store = MemoryStore()
    for number in range(9):
        store.put(body="one crane among cranes and a keeper" if number < 3 else f"the keeper of bees {number}")
    assert opened(tmp_path, store).ubiquitous(parse("crane keeper ")) == {"keeper"}


def test_what_is_explained_adds_up_to_the_score(shore):
    store, ranker = shore
    store.put(body="salt marsh crab, and the crab floods")
    made, query = ranker(), parse("salt marsh crab flooding ")
    (first, *_) = made.rank(query, None, 1)
    told = made.explain(query, first.row)
    assert sum(word["adds"] for word in told["words"]) + told["phrases_add"] == pytest.approx(first.score, abs=1e-3)


def test_pruning_changes_nothing(tmp_path, opened):
    rng = np.random.default_rng(7)
    store = MemoryStore()
    common = [f"w{number}" for number in range(400)]
    share = 1 / np.arange(1, 401)
    for _ in range(3_000):
        store.put(body=" ".join(rng.choice(common, 30, p=share / share.sum())), language="")
    ranker = opened(tmp_path, store)
    state = ranker._state()
    from pincite_plugins.rankers.fts5.concepts import concepts_of

    for _ in range(60):
        query = parse(" ".join(rng.choice(common, 8, p=share / share.sum())) + " ")
        concepts = concepts_of(query, state.vocabulary)
        for limit in (1, 10, 100):
            pruned = state.scorer.best(concepts, [], None, limit)
            everything = state.scorer.best(concepts, [], None, limit, prune=False)
            assert pruned[0].tolist() == everything[0].tolist()


def test_a_list_of_documents_changes_nothing(tmp_path, opened, monkeypatch):
    rng = np.random.default_rng(8)
    store = MemoryStore()
    words = [f"w{number}" for number in range(300)]
    for _ in range(3_000):
        store.put(body=" ".join(rng.choice(words, 12)), language="")
    ranker = opened(tmp_path, store)
    some = RowSet.of(rng.choice(np.arange(1, 3_001), 2_500, replace=False))
    for _ in range(20):
        query = parse(" ".join(rng.choice(words, 3)) + " ")
        for rows in (None, some):
            ranked = []
            for share in (0.0, 100.0):
                monkeypatch.setattr(scoring, "LISTED", share)
                ranked.append(ranker.rank(query, rows, 50))
            assert ranked[0] == ranked[1]
            assert ranked[0]


def test_what_is_written_while_the_index_is_read_is_no_trouble(tmp_path, opened, monkeypatch):
    store = MemoryStore()
    store.put(body="kelp on the rock", language="")
    ranker = opened(tmp_path, store)
    counted, behind = batches.sum_of_counts, [-1, 1]
    monkeypatch.setattr(
        batches, "sum_of_counts", lambda connection: counted(connection) + (behind.pop() if behind else 0)
    )
    assert [one.row for one in ranker.rank(parse("kelp "), None, 5)] == [1]
    assert not behind
    monkeypatch.setattr(batches, "sum_of_counts", lambda connection: 0)
    ranker._kept = None
    with pytest.raises(NotReady, match="being written"):
        ranker.rank(parse("kelp "), None, 5)
