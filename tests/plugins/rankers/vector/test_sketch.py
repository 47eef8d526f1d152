"""Sketches of a large library's codes (specs/09-vectors.md)."""

import numpy as np
import pytest

from pincite_plugins.rankers.vector import sketch
from pincite_plugins.rankers.vector.codes import dots, encode
from pincite_plugins.rankers.vector.sketch import Sketches

ROWS, WIDTH = 6000, 160


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for name, value in {"LARGE": 4000, "LEAST": 600, "SURVIVORS": 5, "BLOCK": 1024, "PROBES": 8}.items():
        monkeypatch.setattr(sketch, name, value)


@pytest.fixture(scope="module")
def coded():
    """Codes of vectors that differ more in some directions than in others, as those of texts do."""
    rng = np.random.default_rng(11)
    vectors = rng.normal(size=(ROWS, WIDTH)).astype(np.float32) * np.linspace(2, 0.02, WIDTH) ** 2
    turned = vectors @ np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))[0].astype(np.float32)
    return encode(turned / np.linalg.norm(turned, axis=1, keepdims=True), None)


def best(codes, scale, query, count=100):
    return np.argsort(-(dots(codes, query) * scale), kind="stable")[:count]


def test_the_best_hundred_survive(coded, tmp_path):
    codes, scale = coded
    made = Sketches(tmp_path)
    made.catch_up(1, codes, scale)
    shares = []
    for place in range(0, 200, 10):
        kept = made.survivors(1, ROWS, codes[place].astype(np.float32), 20)
        assert 600 <= len(kept) < 620
        shares.append(np.isin(best(codes, scale, codes[place]), kept).mean())
    assert np.mean(shares) >= 0.99


def test_added_rows_are_sketched_like_those_of_one_go(coded, tmp_path):
    codes, scale = coded
    whole, grown = Sketches(tmp_path / "whole"), Sketches(tmp_path / "grown")
    grown.catch_up(1, codes[:4500], scale[:4500])
    assert grown.survivors(1, ROWS, codes[0].astype(np.float32), 20) is None
    grown.catch_up(1, codes, scale)
    whole.catch_up(1, codes, scale)
    query = codes[5900].astype(np.float32)
    assert 5900 in grown.survivors(1, ROWS, query, 20)
    assert np.isin(grown.survivors(1, ROWS, query, 20), whole.survivors(1, ROWS, query, 20)).mean() > 0.9


def test_few_rows_and_short_vectors_have_none(coded, tmp_path):
    codes, scale = coded
    made = Sketches(tmp_path)
    made.catch_up(1, codes[:3999], scale[:3999])
    made.catch_up(1, np.ascontiguousarray(codes[:, :100]), scale)
    assert not list(tmp_path.iterdir())
    assert made.survivors(1, ROWS, codes[0].astype(np.float32), 20) is None


def test_a_library_that_is_large_no_more_keeps_none(coded, tmp_path):
    codes, scale = coded
    made = Sketches(tmp_path)
    made.catch_up(1, codes, scale)
    assert list(tmp_path.iterdir())
    made.catch_up(2, codes[:3999], scale[:3999])
    assert not list(tmp_path.iterdir())


def test_many_wanted_are_scanned_exactly(coded, tmp_path):
    codes, scale = coded
    made = Sketches(tmp_path)
    made.catch_up(1, codes, scale)
    assert made.survivors(1, ROWS, codes[0].astype(np.float32), 151) is None


def test_where_recall_does_not_hold_the_scan_is_exact(tmp_path):
    noise = np.random.default_rng(12).normal(size=(ROWS, WIDTH)).astype(np.float32)
    codes, scale = encode(noise, None)
    made = Sketches(tmp_path)
    made.catch_up(1, codes, scale)
    assert made._head().recall < 0.99
    assert made.survivors(1, ROWS, codes[0].astype(np.float32), 20) is None


def test_another_generation_is_sketched_anew(coded, tmp_path):
    codes, scale = coded
    made = Sketches(tmp_path)
    made.catch_up(1, codes, scale)
    made.catch_up(2, codes[:5000], scale[:5000])
    assert made.survivors(1, ROWS, codes[0].astype(np.float32), 20) is None
    assert made.survivors(2, 5000, codes[0].astype(np.float32), 20) is not None


@pytest.mark.parametrize("name", ["head.json", "basis.npy", "sketches"])
def test_a_flipped_bit_is_noticed_and_made_anew(coded, tmp_path, name):
    codes, scale = coded
    made = Sketches(tmp_path)
    made.catch_up(1, codes, scale)
    made.close()
    data = bytearray((tmp_path / name).read_bytes())
    data[len(data) // 2] ^= 4
    (tmp_path / name).write_bytes(data)
    made.check()
    assert made.survivors(1, ROWS, codes[0].astype(np.float32), 20) is None
    made.catch_up(1, codes, scale)
    assert made.survivors(1, ROWS, codes[0].astype(np.float32), 20) is not None
