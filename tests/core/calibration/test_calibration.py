"""Calibration (specs/28-calibration.md)."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pincite.calibration.calibration import Calibration, of_card
from pincite.calibration.files import calibration_for, own_calibration, read_calibration, write_calibration
from pincite.calibration.record import Vectors, judge, percentile, record, record_and_judge
from pincite.calibration.triples import Triple, fields_of, halves, own_triples, read_triples, readable
from pincite.errors import ConfigError, PinciteError, UsageError
from pincite.spec import ModelFacts

FACTS = ModelFacts("toy@1/24", "toy", 24, 500, floor=0.2, ceiling=0.6)
WIDTH = 24


def made(separation=3.0, seed=5):
    """Vectors of a model that writes a text's language into four directions, larger than its topic."""
    rng = np.random.default_rng(seed)
    languages = {name: 4 * np.eye(WIDTH)[at] for at, name in enumerate(("en", "de", "zh", "ar"))}
    triples, rows = [], ([], [], [])
    for field in "abcdef":
        for number in range(16):
            lang = list(languages)[number % 4]
            topic = np.concatenate([np.zeros(4), separation * rng.normal(size=WIDTH - 4)])
            triples.append(Triple(field, lang, lang, "q", "p", "m"))
            for part, core in zip(rows, (topic, topic, separation * rng.normal(size=WIDTH)), strict=True):
                part.append(languages[lang] + core + rng.normal(size=WIDTH) + 2)
    query, passage, miss = (
        (np.array(part) / np.linalg.norm(part, axis=1, keepdims=True)).astype(np.float32) for part in rows
    )
    return Vectors(tuple(triples), query, passage, miss)


def test_the_corpus_is_what_it_says():
    triples = own_triples()
    assert len(triples) >= 150
    assert len(fields_of(triples)) >= 10
    assert len({one.lang for one in triples}) >= 8
    assert sum(one.lang != one.to for one in triples) >= 10
    texts = [text for one in triples for text in (one.query, one.passage, one.miss)]
    assert Counter(texts).most_common(1)[0][1] == 1
    assert all(len(text.strip()) > 5 for text in texts)


def test_the_halves_share_no_field():
    first, second = halves(own_triples())
    assert not set(fields_of(first)) & set(fields_of(second))
    assert len(first) + len(second) == len(own_triples())
    assert min(len(first), len(second)) >= 70


def test_a_model_is_asked_only_in_its_languages():
    english = readable(own_triples(), ("en",))
    assert {(one.lang, one.to) for one in english} == {("en", "en")}
    assert len(english) >= 40
    assert readable(own_triples(), ()) == own_triples()


def test_a_line_that_is_no_triple_is_named(tmp_path):
    path = tmp_path / "mine.jsonl"
    good = {"field": "tides", "lang": "en", "query": "spring tide", "passage": "Moon and sun in line.", "miss": "Eels."}
    path.write_text(json.dumps(good) + "\n\n" + '{"lang": "en"}\n')
    with pytest.raises(UsageError, match=r"mine\.jsonl, line 3"):
        read_triples(path)
    path.write_text(json.dumps(good))
    assert read_triples(path) == [Triple("tides", "en", "en", "spring tide", "Moon and sun in line.", "Eels.")]


def test_the_percentile_is_the_value_at_the_nearest_index():
    assert percentile(np.array([5.0, 1.0, 3.0], np.float32), 0.5) == 3.0
    assert percentile(np.arange(100, dtype=np.float32), 0.95) == 94.0


def test_a_prepared_query_does_not_hear_the_language():
    calibration = record("toy@1/24", made())
    assert np.allclose(calibration.plane @ calibration.plane.T, np.eye(len(calibration.plane)), atol=1e-5)
    prepared = calibration.prepared(made().query)
    assert np.abs(prepared @ calibration.plane.T).max() < 1e-5
    assert np.allclose(calibration.prepared(prepared), prepared, atol=1e-6)


def test_fractions_run_from_the_floor_to_the_ceiling_above_the_level():
    mean = np.full(4, 0.5, np.float32)
    calibration = Calibration("m", mean, np.zeros((0, 4), np.float32), 0.2, 0.6)
    query = np.array([1, 0, 0, 0], np.float32)
    assert calibration.level(query) == 0.5
    found = calibration.fractions(query, np.array([0.5, 0.7, 0.9, 1.1, 1.4]))
    assert found == pytest.approx([0, 0, 0.5, 1, 1])


def test_a_query_is_aimed_away_from_what_every_query_has():
    calibration = record("toy@1/24", made())
    assert calibration.query_mean == pytest.approx(made().query.mean(axis=0), abs=1e-6)
    query = made().query[0]
    assert calibration.aimed(query) == pytest.approx(query - 0.3 * calibration.query_mean, abs=1e-6)
    assert np.array_equal(of_card(FACTS).aimed(query), query)


def test_the_floor_rises_with_the_passages_that_may_match_by_chance():
    calibration = Calibration("m", np.zeros(4, np.float32), np.zeros((0, 4), np.float32), 0.2, 0.6, spread=0.06)
    floors = [calibration.floor_among(count) for count in (0, 1, 10, 1000, 10**9)]
    assert floors == pytest.approx([0.2, 0.2, 0.2, 0.06 * (2 * np.log(1000)) ** 0.5, 0.25])
    query = np.array([1, 0, 0, 0], np.float32)
    assert calibration.fractions(query, np.array([0.25, 0.425, 0.6]), 10**9) == pytest.approx([0, 0.5, 1])


def test_the_spread_is_that_of_scores_with_other_fields():
    """The best of n such scores lies about there."""
    vectors = made()
    calibration = record("toy@1/24", vectors)
    away = [
        (
            calibration.prepared(vectors.where([field]).query) @ (vectors.where([other]).passage - calibration.mean).T
        ).ravel()
        for field in "abcdef"
        for other in "abcdef"
        if field != other
    ]
    assert calibration.spread == pytest.approx(np.concatenate(away).std(), rel=0.15)


def test_matches_are_told_from_near_misses_on_fields_not_seen():
    calibration, judged = record_and_judge("toy@1/24", made())
    assert calibration.floor < calibration.ceiling
    assert judged.matches > 0.9
    assert judged.near_misses < 0.1
    assert judged.triples == 48


def test_a_model_that_tells_nothing_apart_is_refused():
    vectors = made()
    mixed = replace(vectors, passage=vectors.miss[::-1].copy())
    with pytest.raises(PinciteError, match="does not tell them apart"):
        record("toy@1/24", mixed)
    with pytest.raises(UsageError, match="two fields"):
        record("toy@1/24", vectors.where(["a"]))


def test_what_is_written_is_read(tmp_path):
    calibration = record("toy@1/24", made())
    path = own_calibration(tmp_path, "toy")
    write_calibration(calibration, path, 'from "toys"')
    found = read_calibration(path)
    assert found.mean == pytest.approx(calibration.mean, abs=1e-3)
    assert found.query_mean == pytest.approx(calibration.query_mean, abs=1e-3)
    assert found.spread == pytest.approx(calibration.spread, abs=1e-4)
    assert found.plane == pytest.approx(calibration.plane, abs=1e-3)
    assert judge(found, made()).matches == pytest.approx(judge(calibration, made()).matches, abs=0.03)
    assert calibration_for(FACTS, tmp_path).floor == found.floor
    assert calibration_for(replace(FACTS, id="toy@1/24+q4"), tmp_path).floor == found.floor


def test_figures_of_another_revision_are_not_used(tmp_path):
    write_calibration(record("toy@1/24", made()), own_calibration(tmp_path, "toy"), "")
    other = calibration_for(replace(FACTS, id="toy@2/24"), tmp_path)
    assert (other.floor, other.ceiling) == (0.2, 0.6)
    query = np.eye(WIDTH, dtype=np.float32)[0]
    assert other.fractions(query, np.array([0.2, 0.4, 0.6])) == pytest.approx([0, 0.5, 1])
    assert of_card(FACTS).fractions(query, np.array([0.4])) == pytest.approx([0.5])


def test_a_calibration_that_knows_no_mean_query_is_read(tmp_path):
    path = own_calibration(tmp_path, "toy")
    write_calibration(record("toy@1/24", made()), path, "")
    lines = [line for line in path.read_text().splitlines() if not line.startswith("query_mean")]
    path.write_text("\n".join(lines))
    assert len(read_calibration(path).query_mean) == 0


def test_a_broken_file_is_named(tmp_path):
    path = own_calibration(tmp_path, "toy")
    path.parent.mkdir(parents=True)
    path.write_text("schema = 1\nmodel = 'toy@1/24'\n")
    with pytest.raises(ConfigError, match=r"toy\.toml: not a calibration"):
        calibration_for(FACTS, tmp_path)


def test_every_calibration_that_comes_along_fits_a_card():
    from pincite.calibration.files import SHIPPED
    from pincite.models.shelf import find_card

    for path in Path(SHIPPED).glob("*.toml"):
        found = read_calibration(path)
        card = find_card(path.stem)
        assert (found.model, found.width) == (card.id, card.width)
        assert found.query_mean.shape == (card.width,)
