"""Damage to the vector ranker's files is noticed, and made good without embedding anything (specs/09-vectors.md)."""

import pytest

from pincite.errors import Damaged, NotReady
from pincite.values.query import Query
from pincite_plugins.rankers.vector.ranker import VectorRanker
from stores import BELLS, FACTS, KELP, Trigrams, embed_all, open_store, put


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path / "index")
    put(made, KELP)
    put(made, BELLS)
    embed_all(made, FACTS.id)
    yield made
    made.close()


def ranker(store, tmp_path):
    return VectorRanker(tmp_path / "vector", store, Trigrams, lambda line: None)


def answer(made):
    return made.rank(Query("kelp", words="kelp", semantic="kelp in a storm"), None, 10)


@pytest.mark.parametrize("name", ["codes-1", "rows-1", "head.json"])
def test_every_flipped_bit_is_noticed_and_made_good(store, tmp_path, name):
    made = ranker(store, tmp_path)
    made.catch_up()
    right = answer(made)
    made.close()
    path = next((tmp_path / "vector").rglob(name))
    whole = {file: file.read_bytes() for file in path.parent.iterdir()}
    for at in range(0, len(whole[path]), 5):
        data = bytearray(whole[path])
        data[at] ^= 1 << at % 8
        path.write_bytes(data)
        made = ranker(store, tmp_path)
        with pytest.raises(NotReady, match="run `pincite index`"):
            answer(made)
        made.catch_up()
        assert answer(made) == right
        made.close()
        for file in list(path.parent.iterdir()):
            file.unlink()
        for file, data in whole.items():
            file.write_bytes(data)


def test_the_weekly_check_looks_at_every_code(store, tmp_path):
    made = ranker(store, tmp_path)
    made.catch_up()
    made.check()
    path = next((tmp_path / "vector").rglob("codes-1"))
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(Damaged):
        ranker(store, tmp_path).check()
