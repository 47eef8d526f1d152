"""The vector ranker (specs/09-vectors.md)."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pincite.calibration.calibration import of_card
from pincite.errors import NotReady
from pincite.spec import ModelFacts
from pincite.values.query import Query
from pincite.values.search import Filter, RowSet
from pincite_plugins.rankers.vector import codes as module
from pincite_plugins.rankers.vector import sketch
from pincite_plugins.rankers.vector.codes import dots, encode, scores
from pincite_plugins.rankers.vector.ranker import VectorRanker
from stores import BELLS, KELP, embed_all, open_store, put, vectors_of

FACTS = ModelFacts("trigrams@1/32", "trigrams", 32, 500, floor=0.0, ceiling=1.0)


class Trigrams:
    facts = FACTS

    def embed(self, texts, kind, cancelled=lambda: False):
        return vectors_of(texts)


def query(text):
    return Query(text, words=text, semantic=text)


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path / "index")
    put(made, KELP)
    put(made, BELLS)
    yield made
    made.close()


def ranker(store, tmp_path, facts=FACTS):
    embedder = Trigrams()
    embedder.facts = facts
    return VectorRanker(tmp_path / "vector", store, lambda: embedder, lambda line: None)


def found(ranker, store, text, rows=None, limit=10):
    return [(store.chunks([one.row])[one.row].id, one.score) for one in ranker.rank(query(text), rows, limit)]


def test_before_any_vector_it_is_not_ready(store, tmp_path):
    made = ranker(store, tmp_path)
    with pytest.raises(NotReady, match="no vectors of trigrams yet"):
        made.rank(query("kelp"), None, 5)
    assert made.status().degraded
    made.catch_up()
    with pytest.raises(NotReady):
        made.rank(query("kelp"), None, 5)
    assert made.status().expected == 6


def test_scores_are_the_cosines_of_the_raw_vectors(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    rows, raw = store.vectors(FACTS.id, store.all_rows())
    exact = dict(
        zip(rows.tolist(), (raw.astype(np.float32) @ vectors_of(["urchins and otters"])[0]).tolist(), strict=True)
    )
    evidence = made.rank(query("urchins and otters"), None, 10)
    assert len(evidence) == 6
    assert [one.row for one in evidence] == sorted(exact, key=lambda row: -exact[row])
    for one in evidence:
        assert one.score == pytest.approx(exact[one.row], abs=0.02)
    assert made.status() == dataclasses.replace(made.status(), rows=6, expected=6, degraded=None)


def test_the_filter_comes_before_the_cut(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    admitted = store.resolve(Filter(items=frozenset({"bells"})))
    assert next(id for id, _ in found(made, store, KELP.item.title, admitted, limit=1)).startswith("bells")
    assert found(made, store, "kelp", RowSet.of([]), 5) == []


def test_equal_scores_are_ordered_by_row(store, tmp_path):
    twin = dataclasses.replace(
        KELP, item=dataclasses.replace(KELP.item, id="twin"), notes=(), annotations=(), attachments=()
    )
    put(store, twin)
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    best = made.rank(query(KELP.item.title), None, 2)
    assert best[0].score == best[1].score
    assert best[0].row < best[1].row
    assert made.rank(query(KELP.item.title), None, 1) == best[:1]


def test_it_catches_up_with_what_came_and_went(store, tmp_path):
    made = ranker(store, tmp_path)
    made.catch_up()
    embed_all(store, FACTS.id)
    made.catch_up()
    store.drop_items(["kelp"])
    made.catch_up()
    assert {id.split("#")[0] for id, _ in found(made, store, "kelp")} == {"bells-f"}
    put(store, KELP)
    made.catch_up()  # the texts are known: their vectors are there at once
    assert made.status().degraded is None
    fresh = ranker(store, tmp_path / "fresh")
    fresh.catch_up()
    assert found(fresh, store, "kelp storm") == found(made, store, "kelp storm")


def test_a_second_opening_reads_the_same_file(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    before = found(made, store, "bell at the hour")
    made.close()
    assert found(ranker(store, tmp_path), store, "bell at the hour") == before


@pytest.mark.parametrize("damage", ["head", "codes", "rows", "tail"])
def test_a_torn_file_is_noticed_and_made_anew(store, tmp_path, damage):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    before = found(made, store, "bell at the hour")
    made.close()
    folder = next((tmp_path / "vector").iterdir())
    if damage == "head":
        (folder / "head.json").write_text('{"head": {}}')
    elif damage == "tail":  # more than the head counts: an append that was cut short
        with open(next(folder.glob("codes-*")), "ab") as file:
            file.write(b"\x7f" * 40)
    else:
        path = next(folder.glob(f"{damage}-*"))
        path.write_bytes(path.read_bytes()[:-1])
    again = ranker(store, tmp_path)
    again.catch_up()
    assert found(again, store, "bell at the hour") == before


def test_another_model_has_a_file_of_its_own(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    other = ranker(store, tmp_path, dataclasses.replace(FACTS, id="other@1/32", name="other"))
    with pytest.raises(NotReady):
        other.rank(query("kelp"), None, 5)


def test_another_mean_codes_anew_without_embedding(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    before = found(made, store, "kelp storm")
    mean = store.vectors(FACTS.id, store.all_rows())[1].astype(np.float32).mean(axis=0)
    centred = ranker(store, tmp_path, dataclasses.replace(FACTS, mean=mean))
    centred.catch_up()
    after = found(centred, store, "kelp storm")
    assert [id for id, _ in after] == [id for id, _ in before]
    assert [score for _, score in after] == pytest.approx([score for _, score in before], abs=0.02)


def test_the_fraction_is_zero_at_the_floor_and_one_at_the_ceiling(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path, dataclasses.replace(FACTS, floor=0.2, ceiling=0.6))
    made.catch_up()
    for one in made.rank(query("urchins graze"), None, 10):
        assert one.fraction == pytest.approx(min(1, max(0, (one.score - 0.2) / 0.4)), abs=1e-6)


def test_a_query_without_text_to_embed_finds_nothing(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    assert made.rank(Query("  "), None, 5) == []


def test_quantising_keeps_the_known_case():
    codes, scale = encode(np.array([[3.0, 4.0], [0.0, 0.0]]), None)
    assert codes.tolist() == [[95, 127], [0, 0]]
    assert scale.tolist() == pytest.approx([4 / 127, 0])


@given(arrays.arrays(np.float32, (5, 16), elements=st.floats(-1, 1, width=16)))
def test_a_code_is_never_further_than_half_a_step(vectors):
    codes, scale = encode(vectors, None)
    assert (np.abs(codes * scale[:, None] - vectors) <= scale[:, None] * 0.5001 + 1e-6).all()


def test_int8_cosines_are_within_two_hundredths_on_random_pairs():
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(500, 256)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    codes, scale = encode(vectors, None)
    for one in vectors[:20]:
        assert np.abs(scores(one, codes, scale, None) - vectors @ one).max() < 0.02


@pytest.mark.parametrize("tiles", [True, False])
@pytest.mark.parametrize("rows", [1, 15, 16, 2000, 3001])
def test_dot_products_are_exact(rows, tiles, monkeypatch):
    rng = np.random.default_rng(8)
    codes = rng.integers(-127, 128, (rows, 384), dtype=np.int8)
    monkeypatch.setattr(module, "_has_tiles", lambda numkong: tiles)
    exact = codes.astype(np.int64) @ codes[0].astype(np.int64)
    assert (dots(codes, codes[0]) == exact).all()
    assert (module._dots_numpy(codes, codes[0]) == exact).all()


def test_extreme_codes_do_not_overflow():
    codes = np.full((40, 2048), -127, np.int8)
    assert (dots(codes, -codes[0]) == -127 * 127 * 2048).all()


def test_a_large_library_is_sketched_first_and_ranks_the_same(store, tmp_path, monkeypatch):
    embed_all(store, FACTS.id)
    exact = ranker(store, tmp_path)
    exact.catch_up()
    for name, value in {"LARGE": 1, "WIDTH": 16, "LEAST": 4, "SURVIVORS": 1, "MOST": 1.0, "RECALL": 0.0}.items():
        monkeypatch.setattr(sketch, name, value)
    made = VectorRanker(tmp_path / "sketched", store, lambda: exact._embedder(), lambda line: None)
    made.catch_up()
    assert list((tmp_path / "sketched").rglob("sketches"))
    assert made.rank(query("urchins and otters"), None, 2) == exact.rank(query("urchins and otters"), None, 2)
    only = RowSet.of(store.all_rows()[-2:].tolist())
    assert made.rank(query("urchins and otters"), only, 2) == exact.rank(query("urchins and otters"), only, 2)


def test_compacted_it_holds_what_there_is_and_no_more(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    store.drop_items(["kelp"])
    made.catch_up()
    before = found(made, store, "bells")
    made.compact()
    (codes,) = tmp_path.rglob("codes-*")
    assert codes.stat().st_size == made.status().rows * FACTS.width
    assert found(made, store, "bells") == before


def test_passages_rank_by_the_cosine_less_what_the_mean_query_has(store, tmp_path):
    """Fractions and what is explained stay those of the cosine itself."""
    embed_all(store, FACTS.id)
    common = vectors_of(["urchins"])[0]
    calibration = dataclasses.replace(of_card(FACTS), query_mean=common)
    made = VectorRanker(tmp_path / "vector", store, lambda: Trigrams(), lambda line: None, lambda facts: calibration)
    made.catch_up()
    asked = query("urchins and otters")
    vector = vectors_of([asked.semantic])[0]
    rows, raw = store.vectors(FACTS.id, store.all_rows())
    exact = dict(zip(rows.tolist(), raw.astype(np.float32) @ (vector - 0.3 * common), strict=True))
    cosine = dict(zip(rows.tolist(), raw.astype(np.float32) @ vector, strict=True))
    ranked = made.rank(asked, None, 100)
    assert [one.score for one in ranked] == pytest.approx([exact[one.row] for one in ranked], abs=0.02)
    for one in ranked:
        said = made.explain(asked, one.row)
        assert said["cosine"] == pytest.approx(cosine[one.row], abs=0.02)
        assert said["fraction"] == one.fraction == pytest.approx(np.clip(said["cosine"], 0, 1), abs=1e-5)


def test_catching_up_with_nothing_new_writes_nothing(store, tmp_path):
    embed_all(store, FACTS.id)
    made = ranker(store, tmp_path)
    made.catch_up()
    (head,) = (tmp_path / "vector").rglob("head.json")
    before = head.stat().st_ino, head.stat().st_mtime_ns
    made.catch_up()
    assert (head.stat().st_ino, head.stat().st_mtime_ns) == before
