"""Sections of the configuration: dataclasses and pydantic models alike (specs/01-contract.md, specs/02-configuration.md)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from pincite.config.sections import SectionError, defaults, keys, made, setting


@dataclass(frozen=True)
class Shelf:
    label: str = "moss"
    boards: int = setting(3, "how many there are", ge=1)
    folder: Path | None = None
    labels: dict[str, str] = setting(factory=dict)
    tags: tuple[str, ...] = field(default=())


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    label: str = "moss"
    boards: int = Field(3, ge=1, alias="planks")


@dataclass(frozen=True)
class Named:
    name: str
    short: str = setting("", "three letters", max_length=3)


def test_what_is_not_set_has_its_default():
    assert made(Shelf, {}) == Shelf()
    assert made(Shelf, {}).labels is not made(Shelf, {}).labels
    assert defaults(Shelf) == {"label": "moss", "boards": 3, "folder": None, "labels": {}, "tags": ()}
    assert defaults(Model) == {"label": "moss", "boards": 3}
    assert keys(Model) == {"label", "boards", "planks"}
    assert defaults(None) == {}


def test_values_become_what_the_key_holds():
    shelf = made(Shelf, {"label": "fern", "boards": 5, "folder": "/a/b", "tags": ["x", "y"]})
    assert shelf == Shelf("fern", 5, Path("/a/b"), {}, ("x", "y"))
    assert made(Model, {"planks": 4}).boards == 4


@pytest.mark.parametrize(
    ("model", "values", "place", "message"),
    [
        (Shelf, {"boards": 0}, ("boards",), "Input should be greater than or equal to 1"),
        (Shelf, {"boards": "many"}, ("boards",), "Input should be a valid integer"),
        (Shelf, {"label": 7}, ("label",), "Input should be a valid string"),
        (Shelf, {"tags": ["x", 1]}, ("tags", 1), "Input should be a valid string"),
        (Model, {"planks": 0}, ("planks",), "Input should be greater than or equal to 1"),
        (Named, {}, ("name",), "Must be set"),
        (Shelf, {"folder": 7}, ("folder",), "Input should be a path"),
        (Named, {"name": "a", "short": "abcd"}, ("short",), "String should have at most 3 characters"),
    ],
)
def test_a_value_that_does_not_fit_is_named(model, values, place, message):
    with pytest.raises(SectionError, match=message) as caught:
        made(model, values)
    assert caught.value.place == place


def test_a_text_for_a_key_that_takes_any_needs_no_pydantic():
    code = (
        "import sys\n"
        "from pincite.config.load import load\n"
        "found = load(environ={}, given={'engine': 'lexical', 'library': 'somewhere'})\n"
        "assert (found.settings.engine, found.settings.library) == ('lexical', 'somewhere')\n"
        "print('pydantic' in sys.modules)\n"
        "load(environ={}, given={'engine': 'lexical', 'limit': 3})\n"
        "print('pydantic' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
