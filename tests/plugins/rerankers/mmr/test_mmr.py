"""Maximal marginal relevance (specs/18-fusion.md)."""

import dataclasses

import numpy as np
import pytest

from pincite.values.query import Query
from pincite_plugins.rerankers.mmr.mmr import MarginalRelevance, chosen
from stores import BELLS, FACTS, KELP, Trigrams, embed_all, open_store, put


def test_a_twin_goes_behind_what_is_new():
    alike = np.array([[1, 0.95, 0], [0.95, 1, 0], [0, 0, 1]], np.float32)
    assert chosen(alike, 0.7) == [0, 2, 1]


def test_relevance_alone_keeps_the_order():
    assert chosen(np.ones((4, 4), np.float32), 1.0) == [0, 1, 2, 3]


def test_where_all_are_unlike_the_order_stays():
    assert chosen(np.eye(5, dtype=np.float32), 0.7) == [0, 1, 2, 3, 4]


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path / "index")
    put(made, BELLS)
    for id in ("kelp", "twin"):
        item = dataclasses.replace(KELP.item, id=id)
        put(made, dataclasses.replace(KELP, item=item, notes=(), annotations=(), attachments=()))
    yield made
    made.close()


def test_vectors_come_from_the_store(store):
    embed_all(store, FACTS.id)
    rows = [store.find_item(id) for id in ("kelp", "twin", "bells")]
    found = MarginalRelevance(0.5, lambda: store, Trigrams).rerank(Query("kelp"), [(row, "") for row in rows])
    assert [item for item, _ in found] == [rows[0], rows[2], rows[1]]


def test_before_there_are_vectors_the_order_stays(store):
    rows = [store.find_item(id) for id in ("kelp", "twin", "bells")]
    found = MarginalRelevance(0.5, lambda: store, Trigrams).rerank(Query("kelp"), [(row, "") for row in rows])
    assert [item for item, _ in found] == rows
