"""What a person asks who knows which work it is: its number, its author, a name that stands in it alone."""

import pytest

from indexes import configure, opened
from pincite.values.search import Filter

WORKS = """
@article{fennimore2018, author = {Fennimore, Ada}, title = {Drift Lines}, year = {2018}, doi = {10.5555/drift.12}, keywords = {shore},
  abstract = {What the tide leaves on a beach is sorted by weight.}}
@book{reed, author = {Fennimore, Ada}, title = {Reeds and Rushes}, year = {2021}, isbn = {978-0-306-40615-7}, keywords = {shore}}
@book{moss, author = {Okonjo, Bo}, title = {A Field Guide to Moss}, year = {2010},
  abstract = {Mosses of walls, roofs and shaded stones, with a note on Quillfeather, who drew them.}}
@article{kelp, author = {Lund, Cy}, title = {Holdfasts}, year = {2012}, abstract = {Holdfasts keep kelp on the rock through winter storms.}}
@article{bells, author = {Turm, Dora}, title = {Bells}, year = {2015}, abstract = {A bell is tuned by what is taken from its rim.}}
@article{urchin, author = {Lund, Cy}, title = {Urchins}, year = {2016}, abstract = {Urchins walk at night and graze on storm drift.}}
@book{anvil, author = {Ruiz, Eva}, title = {Bells and Those Who Cast Them}, shorttitle = {Bells}, year = {2009}}
@article{tafel, author = {Brandt, Ute}, title = {Gezeitentafeln und -karten, kind:ly drawn}, year = {2003}}
@article{abook, author = {Horn, Fay}, title = {Fog Signals of the Northern Coast}, year = {2004}}
@article{twin, author = {Horn, Fay}, title = {Fog Signals of the Northern Coast}, year = {2004},
  annote = {Horns are heard further over a calm sea than bells, whatever the wind may do to both of them in a narrow bay.}}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("known")
    (folder / "works.bib").write_text(WORKS, "utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("PINCITE_HOME", str(folder / "home"))
    with opened(folder / "works.bib", configure(folder / "config", '[picker]\nuse = "lexical"\n')) as library:
        library.index()
        yield library
    patch.undo()


def keys(results):
    return [hit.item.key for hit in results]


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
@pytest.mark.parametrize("number", ["0306406152", "0-306-40615-2", "ISBN 9780306406157", "978 0 306 40615 7"])
def test_a_book_is_found_by_either_of_its_numbers(library, number, engine):
    first = library.search(number, engine=engine).hits[0]
    assert (first.item.key, first.low_confidence) == ("reed", False)


def test_a_doi_is_found_as_it_is_copied_and_read_back(library):
    results = library.search("(doi: 10.5555/DRIFT.12).")
    assert results.hits[0].item.key == "fennimore2018"
    assert results.understood == ("DOI 10.5555/drift.12",)


@pytest.mark.parametrize("query", ["Quillfeather", "quillfeather", "Turm"])
def test_a_name_that_one_work_alone_has_brings_it_first_however_small_the_library(library, query):
    first = library.search(query, engine="hybrid").hits[0]
    assert first.item.key == {"turm": "bells"}.get(query.lower(), "moss")
    assert not first.low_confidence


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_a_pasted_title_leaves_out_no_word_of_its_own_and_names_no_field(library, engine):
    results = library.search("Gezeitentafeln und -karten, kind:ly drawn", engine=engine)
    assert (results.hits[0].item.key, results.hits[0].relevance, results.understood) == ("tafel", 1.0, ())
    assert library.search("Drift -lines", engine=engine).understood == ("without lines",)


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_a_work_of_that_title_comes_before_one_that_is_called_so_for_short(library, engine):
    assert keys(library.search("Bells", engine=engine))[:2] == ["bells", "anvil"]


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_of_two_records_of_one_work_the_one_with_something_to_read_comes_first(library, engine):
    assert keys(library.search("fog signals of the northern coast", engine=engine))[:2] == ["twin", "abook"]


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_field_words_alone_list_the_works_that_they_admit_the_newest_first(library, engine):
    results = library.search("author:fennimore", engine=engine)
    assert keys(results) == ["reed", "fennimore2018"]
    assert results.total == 2
    assert not any(hit.low_confidence for hit in results)


def test_a_listed_work_holds_no_excluded_word_anywhere(library):
    assert keys(library.search("author:lund -kelp")) == ["urchin"]
    assert keys(library.search("year:2010..2016 -kelp -walls")) == ["urchin", "bells"]


def test_what_is_only_left_out_lists_nothing(library):
    assert keys(library.search("-kelp")) == []


def test_a_filter_that_admits_nothing_is_told(library):
    assert library.search("drift tag:ocean").understood == ("tag ocean", "which no work here has")
    found = library.search("drift tag:ocean", filter=Filter(years=(2018, 2018)))
    assert found.understood == ("tag ocean", "year 2018", "which no work here has together")
    assert library.search("drift tag:shore").understood == ("tag shore",)
