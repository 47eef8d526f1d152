"""Every bibliography of the corpora is read, its entries counted right (specs/16-sources.md, "bibtex")."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.spec import Context
from pincite.values.library import Problem, Record
from pincite_plugins.sources.bibtex import BibtexSettings, open_bibtex, recognises

CASES = tomllib.loads((Path(__file__).parents[3] / "conformance" / "bibliographies.toml").read_text("utf-8"))

pytestmark = pytest.mark.corpora


def read(path: Path) -> tuple[list[Record], list[Problem]]:
    assert recognises(path) > 0.5
    found = list(open_bibtex(BibtexSettings(), Context(home=path.parent, library=path)).records())
    return [one for one in found if isinstance(one, Record)], [one for one in found if isinstance(one, Problem)]


def test_every_file_of_the_corpus_has_a_case(corpora: Path) -> None:
    files = {path.name for path in (corpora / "bib").iterdir() if recognises(path)}
    assert files - {case["file"] for case in CASES.values()} == {"grigorieff-library.rdf", "zotero-rdf.xml"}


@pytest.mark.parametrize("name", CASES)
def test_entries_and_files_are_counted_right(corpora: Path, name: str) -> None:
    case = CASES[name]
    records, problems = read(corpora / "bib" / case["file"])
    keys = Counter(record.item.key for record in records if record.item.key)
    assert {
        "entries": len(records),
        "ids": len({record.item.id for record in records}),
        "files": sum(len(record.attachments) for record in records),
        "repeated": 0 if case["file"].endswith(".ris") else sum(count > 1 for count in keys.values()),
        "problems": len(problems),
    } == {
        "entries": case["entries"],
        "ids": case["entries"],
        "files": case.get("files", 0),
        "repeated": 0 if case["file"].endswith(".ris") else case.get("repeated", 0),
        "problems": 1 if case.get("repeated") else 0,
    }


@pytest.mark.parametrize("name", CASES)
def test_no_markup_is_left_in_titles_and_names(corpora: Path, name: str) -> None:
    records, _ = read(corpora / "bib" / CASES[name]["file"])
    for record in records:
        for text in (record.item.title, *(creator.name for creator in record.item.creators)):
            assert not set(text) & set("{}\\$"), record.item.id


def item_of(corpora: Path, file: str, key: str) -> Record:
    records, _ = read(corpora / "bib" / file)
    return next(record for record in records if record.item.id == key)


def test_accents_and_formulas(corpora: Path) -> None:
    record = item_of(corpora, "bbt-accents-1467.bib", "Zywietz_1998")
    assert record.item.title == "Adatom Diffusion at GaN (0001) and (0001̄) Surfaces"
    assert "Neugebauer, Jörg" in [f"{one.family}, {one.given}" for one in record.item.creators]


def test_bodies_in_braces(corpora: Path) -> None:
    record = item_of(corpora, "bbt-literal-names.bib", "sasson_increasing_2013")
    bodies = [creator.family for creator in record.item.creators if not creator.given]
    assert len(record.item.creators) == 20
    assert bodies[2] == "Council on Cardiopulmonary, Critical Care, Perioperative and Resuscitation"


def test_child_before_its_parent_inherits(corpora: Path) -> None:
    record = item_of(corpora, "bbt-crossref-2373.bib", "inbook")
    assert (record.item.title, record.item.year) == ("Lebanon", 2004)
    assert record.item.venue == "Global Civil Society: Dimensions of the Nonprofit Sector"


def test_inheritance_over_two_generations(corpora: Path) -> None:
    record = item_of(corpora, "jabref-biblatex-software.bib", "cgal:lp-gi-20a")
    assert record.item.title.startswith("The Computational Geometry Algorithms Library: 2D Voronoi")


def test_groups_of_jabref_are_collections(corpora: Path) -> None:
    records, _ = read(corpora / "bib" / "bbt-jabref51-groups.bib")
    assert sum("Ecology_and_Power" in record.item.collections for record in records) == 17


def test_utf_16(corpora: Path) -> None:
    record = item_of(corpora, "jabref-utf16le-bom.bib", "Verwilghen+vanGalen+Wilke2011")
    assert record.item.title == "Investigation of the best suture pattern to close a stuffed Christmas turkey"
    assert (record.item.year, record.item.date, record.item.venue) == (2011, "2011-12", "Veterinary Record")


def test_dates_of_csl(corpora: Path) -> None:
    records, _ = read(corpora / "bib" / "bbt-csl-dates.csl.json")
    dates = {record.item.title: (record.item.year, record.item.date) for record in records}
    assert dates["EDTF date range, circa begin: 2011-05-25~/2012-06-26"] == (2011, "2011-05-25")
    assert dates["Season circa: : 2017-24~"] == (2017, "2017")
    assert dates["EDTF date YYYY-MM~ [month precision & circa]: 2011-05~"] == (2011, "2011-05")


def test_web_of_science_under_the_name_of_ris(corpora: Path) -> None:
    record = item_of(corpora, "rispy-wos.ris", "WOS:000221807500019")
    assert (record.item.year, record.item.doi, len(record.item.creators)) == (2004, "10.1021/bi049798f", 4)


@pytest.mark.parametrize("file", ["grigorieff-library.rdf", "zotero-rdf.xml"])
def test_zotero_rdf_is_refused_with_what_to_export(corpora: Path, file: str) -> None:
    path = corpora / "bib" / file
    with pytest.raises(UsageError, match="Zotero RDF export.*BibTeX, RIS or CSL JSON"):
        list(open_bibtex(BibtexSettings(), Context(home=path.parent, library=path)).records())
