"""Names of parts in many languages; the cases are data."""

import tomllib
from pathlib import Path

import pytest

from pincite.packs.landmarks import heading_role, numbering, opening_role

DATA = tomllib.loads((Path(__file__).parents[2] / "conformance" / "landmarks.toml").read_text())


@pytest.mark.parametrize(("role", "title"), [(r, t) for r, titles in DATA["headings"].items() for t in titles])
def test_heading(role, title):
    assert heading_role(title) == role


@pytest.mark.parametrize(("role", "text"), [(r, t) for r, texts in DATA["openings"].items() for t in texts])
def test_opening(role, text):
    named, at = opening_role(text)
    assert named == role
    assert not named or text[at:].lower().startswith(("we", "wir", "我", "ferry", "渡"))


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("2 Winds", (2,)),
        ("2.1 Winds", (2, 1)),
        ("2.1.3. Winds", (2, 1, 3)),
        ("Winds", ()),
        ("2019", ()),
        ("Appendix B", ()),
        ("Appendix B Proofs", (-2,)),
        ("A.2 Proofs", (-1, 2)),
        ("A winter", ()),
    ],
)
def test_numbering(title, numbers):
    assert numbering(title) == numbers
