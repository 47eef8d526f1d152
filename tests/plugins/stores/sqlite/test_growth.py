"""What one item, or a few vectors, cost does not grow with the library (specs/03-store.md). Counted in steps of SQLite's machine, not in time."""

import dataclasses

import numpy as np
import pytest

from stores import FACTS, KELP, embed_all, open_store, put

MANY = 400


def numbered(number):
    """A work with a text of its own."""
    item = dataclasses.replace(KELP.item, id=f"kelp{number}", title=f"Kelp forests after storm {number}")
    return dataclasses.replace(KELP, item=item, notes=(), annotations=(), attachments=())


def steps(store, work):
    """How many tens of steps `work` takes."""
    taken = [0]

    def step():
        taken[0] += 1
        return False

    store.db.set_progress_handler(step, 10)
    work()
    store.db.set_progress_handler(None)
    return taken[0]


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path / "index")
    yield made
    made.close()


def test_an_item_costs_the_same_in_a_large_library(store):
    put(store, numbered(0))
    first = steps(store, lambda: put(store, numbered(1)))
    for number in range(2, MANY):
        put(store, numbered(number))
    assert steps(store, lambda: put(store, numbered(MANY))) < 2 * first


def test_a_few_vectors_cost_the_same_in_a_large_library(store):
    for number in range(10):
        put(store, numbered(number))
    embed_all(store, FACTS.id)
    few = np.sort(store.all_rows()[:10])
    first = steps(store, lambda: store.vectors(FACTS.id, few))
    for number in range(10, MANY):
        put(store, numbered(number))
    embed_all(store, FACTS.id)
    assert steps(store, lambda: store.vectors(FACTS.id, few)) < 2 * first
