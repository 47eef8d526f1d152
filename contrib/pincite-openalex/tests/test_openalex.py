import gzip
import json

import pytest

from pincite.testing import SourceKit
from pincite.values.library import Creator, Problem
from pincite_openalex import OpenAlexExport, abstract_of

WORKS = [
    {
        "id": "https://openalex.org/W30",
        "doi": "https://doi.org/10.5555/KELP.1",
        "title": "<i>Kelp</i> forests after the storm",
        "type": "article",
        "publication_year": 2018,
        "publication_date": "2018-05-04",
        "language": "en",
        "authorships": [{"author": {"display_name": "Ada N. Okafor"}}, {"author": {"display_name": "Guild"}}, {}],
        "primary_location": {
            "source": {"display_name": "Journal of Shores"},
            "landing_page_url": "https://example.org/kelp",
        },
        "best_oa_location": {"pdf_url": "https://example.org/kelp.pdf"},
        "abstract_inverted_index": {
            "light": [2, 5],
            "Storms": [0],
            "let": [1],
            "and": [4],
            "in,": [3],
            "returns.": [6],
        },
        "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/123"},
        "keywords": [{"display_name": "ocean"}],
    },
    {
        "id": "https://openalex.org/W4",
        "title": None,
        "display_name": "Glocken und Zeit",
        "type": "book",
        "publication_year": None,
    },
    {"id": "https://openalex.org/W100", "title": "潮汐と海藻", "authorships": None, "abstract_inverted_index": None},
]


class TestOpenAlex(SourceKit):
    name = "openalex"

    def library(self, folder):
        path = folder / "works.jsonl"
        path.write_text("".join(json.dumps(work) + "\n" for work in WORKS), "utf-8")
        return path


@pytest.mark.parametrize("form", ["lines", "page", "list", "gzip"])
def test_every_form_of_export_gives_the_same_works(tmp_path, form):
    data = {"page": json.dumps({"results": WORKS}, indent=1), "list": json.dumps(WORKS)}.get(
        form, "\n".join(map(json.dumps, WORKS))
    )
    path = tmp_path / "works.json"
    path.write_bytes(gzip.compress(data.encode()) if form == "gzip" else data.encode())
    assert [record.item.id for record in OpenAlexExport(path).records()] == ["W100", "W30", "W4"]


def test_a_work_with_its_metadata(tmp_path):
    record = list(OpenAlexExport(TestOpenAlex().library(tmp_path)).records())[1]
    item = record.item
    assert item.creators == (Creator("Okafor", "Ada N."), Creator("Guild"))
    assert item.title == "Kelp forests after the storm"
    assert item.abstract == "Storms let light in, and light returns."
    assert (item.doi, item.venue, item.year, item.kind) == (
        "10.5555/kelp.1",
        "Journal of Shores",
        2018,
        "article-journal",
    )
    assert record.attachments[0].missing == "is online only: https://example.org/kelp.pdf"


def test_what_is_no_work_is_a_problem_with_its_line(tmp_path):
    path = tmp_path / "works.jsonl"
    path.write_text(f'{json.dumps(WORKS[0])}\n{{"id": "x"}}\n{{torn\n{json.dumps(WORKS[0])}\n[]\n')
    entries = list(OpenAlexExport(path).records())
    problems = [entry for entry in entries if isinstance(entry, Problem)]
    assert [problem.where.rpartition(", ")[2] for problem in problems] == ["line 2", "line 3", "line 4", "line 5"]
    assert len(entries) == 5


@pytest.mark.parametrize("index", [None, [], {"a": None}, {"a": ["x"]}, "text"])
def test_an_index_that_is_none_gives_no_abstract(index):
    assert abstract_of(index) == ""
