"""Products of small matrices, tile by tile."""

import numpy as np
import pytest

from pincite.search.products import products


@pytest.mark.parametrize(
    ("rows", "columns", "width"), [(0, 3, 4), (1, 1, 1), (5, 70, 384), (61, 27, 384), (3, 2, 300_000)]
)
def test_it_is_the_whole_product(rows, columns, width):
    draw = np.random.default_rng(3)
    one, other = (draw.standard_normal((count, width), np.float32) for count in (rows, columns))
    assert products(one, other) == pytest.approx(one @ other.T, rel=1e-4, abs=1e-2)
