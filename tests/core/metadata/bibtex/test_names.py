"""Names in BibTeX's forms."""

from __future__ import annotations

import pytest

from pincite.metadata.bibtex.names import read_names


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Ada Moss", [("Moss", "Ada")]),
        ("Moss, Ada", [("Moss", "Ada")]),
        ("Ada Moss and Fern, Bo", [("Moss", "Ada"), ("Fern", "Bo")]),
        ("Ina van der Holt", [("van der Holt", "Ina")]),
        ("van der Holt, Ina", [("van der Holt", "Ina")]),
        ("Moss, Jr., Ada", [("Moss Jr.", "Ada")]),
        ("{Institute of Walls and Bridges}", [("Institute of Walls and Bridges", "")]),
        ("{{Institute of Walls} and {Bridges}}", [("Institute of Walls and Bridges", "")]),
        ("{Barnes and Noble} and Ada Moss", [("Barnes and Noble", ""), ("Moss", "Ada")]),
        (r"J{\"o}rg M{\"u}ller", [("Müller", "Jörg")]),
        (r"{\'E}mile {\'e}toile Moss", [("étoile Moss", "Émile")]),
        ("Ada {de la Moss}", [("de la Moss", "Ada")]),
        ("Ada Moss and others", [("Moss", "Ada")]),
        ("Ada Moss\n\tand Bo Fern", [("Moss", "Ada"), ("Fern", "Bo")]),
        ("Moss", [("Moss", "")]),
        ("family=Holt, given=Ina, prefix=van", [("van Holt", "Ina")]),
        ("Sandy Anderson", [("Anderson", "Sandy")]),
        ("", []),
        (" and ", []),
        ("Moss, Ada and", [("Moss", "Ada")]),
    ],
)
def test_names(value: str, names: list[tuple[str, str]]) -> None:
    assert [(one.family, one.given) for one in read_names(value, "author")] == names
