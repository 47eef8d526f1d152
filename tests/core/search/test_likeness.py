"""How alike works are (specs/18-fusion.md)."""

import dataclasses

import numpy as np
import pytest

from pincite.search.likeness import likeness, vectors_of_works
from stores import BELLS, FACTS, KELP, embed_all, open_store, put


def test_a_work_without_a_vector_is_like_no_other():
    rows = [np.array(row, np.float32) for row in ([1, 0], [0.9, 0.1], [0, 1])]
    alike = likeness([rows[0], None, rows[1], rows[2]])
    assert not alike[1].any()
    assert alike[0, 2] > 0.9
    assert alike[0, 3] == 0


def test_what_all_share_makes_none_alike():
    rows = [np.array([9, *row], np.float32) for row in ([1, 0], [-1, 0], [0, 1], [0, -1])]
    assert likeness(rows) == pytest.approx(np.eye(4), abs=1e-6)


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path / "index")
    for record in (
        KELP,
        BELLS,
        dataclasses.replace(BELLS, item=dataclasses.replace(BELLS.item, id="bare"), attachments=()),
    ):
        put(made, record)
    embed_all(made, FACTS.id)
    yield made
    made.close()


def test_a_work_is_the_mean_of_its_passages(store):
    items = [store.find_item(id) for id in ("bells", "kelp")]
    found = vectors_of_works(store, FACTS.id, items, 64)
    for item, vector in zip(items, found, strict=True):
        _, raw = store.vectors(FACTS.id, np.sort(store.rows_of_item(item)))
        assert vector == pytest.approx(raw.astype(np.float32).mean(axis=0), abs=1e-5)


def test_of_a_long_work_a_few_passages_stand_for_it(store):
    item = store.find_item("kelp")
    rows = store.rows_of_item(item)
    assert len(rows) > 2
    _, raw = store.vectors(FACTS.id, np.sort(rows[[0, -1]]))
    assert vectors_of_works(store, FACTS.id, [item], 2)[0] == pytest.approx(
        raw.astype(np.float32).mean(axis=0), abs=1e-5
    )


def test_a_model_without_vectors_gives_none(store):
    assert vectors_of_works(store, "other@1/8", [store.find_item("kelp")], 64) == [None]
    assert vectors_of_works(store, FACTS.id, [], 64) == []
