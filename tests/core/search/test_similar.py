"""Works like one of the library's (specs/09-vectors.md)."""

import dataclasses
from types import SimpleNamespace

import pytest

from pincite.errors import NotReady, UsageError
from pincite.search.similar import similar
from pincite.values.library import Item
from pincite_plugins.rankers.vector.ranker import VectorRanker
from stores import BELLS, FACTS, KELP, Trigrams, embed_all, open_store, put


@pytest.fixture
def library(tmp_path):
    store = open_store(tmp_path / "index")
    put(store, KELP)
    put(store, BELLS)
    twin = dataclasses.replace(
        KELP, item=dataclasses.replace(KELP.item, id="twin", key="twin2019"), notes=(), annotations=(), attachments=()
    )
    put(store, twin)
    ranker = VectorRanker(tmp_path / "vector", store, Trigrams, lambda line: None)
    yield SimpleNamespace(store=store, embedder=Trigrams(), ranker=lambda name: ranker)
    store.close()


def ready(library):
    embed_all(library.store, FACTS.id)
    library.ranker("vector").catch_up()


def test_the_most_alike_comes_first_and_the_work_itself_is_left_out(library):
    ready(library)
    found = similar(library, "kelp", 10)
    assert found[0].item.id == "twin"
    assert "kelp" not in {one.item.id for one in found}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    mine, other = found[0].pair
    assert mine.startswith("kelp")
    assert other.startswith("twin")
    assert len(similar(library, "kelp", 1)) == 1


def test_all_passages_count_not_the_first_alone(library):
    """The twin has the title's passage alone: each other passage of the work is compared, too."""
    ready(library)
    found = {one.item.id: one.score for one in similar(library, "kelp", 10)}
    assert found["twin"] < 0.999
    assert {one.item.id for one in similar(library, "twin", 10)} >= {"kelp"}
    assert next(one for one in similar(library, "twin", 10) if one.item.id == "kelp").score == pytest.approx(
        1, abs=0.02
    )


def test_a_citation_key_names_a_work(library):
    ready(library)
    assert similar(library, "twin2019", 1) == similar(library, "twin", 1)
    put(library.store, dataclasses.replace(KELP, item=dataclasses.replace(KELP.item, id="keyless", key="")))
    for nobody in ("nobody", ""):
        with pytest.raises(UsageError, match=f"{nobody}: no work"):
            similar(library, nobody, 1)


def test_without_vectors_it_says_what_to_do(library):
    with pytest.raises(NotReady, match="run `pincite index`"):
        similar(library, "kelp", 3)


def test_a_work_of_a_few_words_is_like_nothing_whatever_is_indexed(library):
    put(
        library.store,
        dataclasses.replace(KELP, item=Item(id="stub", title="Kelp"), notes=(), annotations=(), attachments=()),
    )
    with pytest.raises(NotReady, match="run `pincite index`"):
        similar(library, "stub", 1)
    ready(library)
    with pytest.raises(UsageError, match="too few words"):
        similar(library, "stub", 1)
