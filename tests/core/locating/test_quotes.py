"""specs/30-locating.md; the cases are data: in a text alone, and in a library that holds all of them as files."""

import tomllib
from pathlib import Path

import pytest

import pincite
from indexes import configure
from pincite.locating.match import Quotation, Readings, places_in

CASES = tomllib.loads((Path(__file__).parents[2] / "conformance" / "quotes.toml").read_text("utf-8"))["case"]


def plain(text):
    return " ".join(text.split())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_in_a_text(case):
    text = case["document"]
    found = places_in(Readings(text), Quotation(case["quote"]))
    says = [plain(" … ".join(text[start:end] for start, end in spans)) for spans in found]
    assert says == [plain(one) for one in case.get("says", [])]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quotes")
    (folder / "library").mkdir()
    for number, case in enumerate(CASES):
        (folder / "library" / f"{number:02}.txt").write_text(case["document"], "utf-8")
    config = configure(folder / "config")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(folder / "home"))
        with pincite.open(folder / "library", config=config) as opened:
            opened.index()
            yield opened


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_in_a_library(library, case):
    located = library.locate(case["quote"])
    assert located.outcome == case["outcome"]
    assert [plain(place.text) for place in located.places] == [plain(one) for one in case.get("says", [])]
    name = f"{CASES.index(case):02}.txt"
    for place in located.places:
        assert place.child.endswith(name) or place.item.title.startswith(name[:2])
        pack = library.store.pack(place.child)
        assert " … ".join(pack.text[start:end] for start, end in place.spans) == place.text
        assert place.page is None
        assert place.passage
    if case["outcome"] == "not found" and located.nearest is not None:
        assert 0 < located.nearest.share <= 1
