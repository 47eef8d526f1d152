"""specs/04-packs.md, "Health"; the cases are data."""

import tomllib
from pathlib import Path

import pytest

from pincite.packs.health import health_of

CASES = tomllib.loads((Path(__file__).parents[2] / "conformance" / "health.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_health(case):
    health, reason = health_of(" ".join([case["text"]] * case.get("repeat", 1)))
    assert health.value == case["health"], reason
    assert bool(reason) is (health.value != "good")


def test_glyphs_without_a_character_count_against_a_page():
    text = "A short line that can be read well enough."
    assert health_of(text)[0].value == "good"
    assert health_of(text, lost=300)[0].value == "garbled"
