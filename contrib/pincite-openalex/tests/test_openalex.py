import gzip
import json

import pytest

from pincite.errors import PinciteError
from pincite.testing import SourceKit
from pincite.values.library import Creator, Problem
from pincite_openalex import OpenAlexExport, abstract_of, recognises, record_of

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


@pytest.mark.parametrize("form", ["lines", "page", "list", "gzip", "pages", "members"])
def test_every_form_of_export_gives_the_same_works(tmp_path, form):
    pages = "\n".join(json.dumps({"meta": {}, "results": [work]}) for work in WORKS)
    data = {"pages": pages, "page": json.dumps({"results": WORKS}, indent=1), "list": json.dumps(WORKS)}.get(
        form, "\n".join(map(json.dumps, WORKS))
    )
    path = tmp_path / "works.json"
    packed = {"gzip": [data], "members": data.splitlines(keepends=True)}.get(form, [])
    path.write_bytes(b"".join(gzip.compress(part.encode()) for part in packed) or data.encode())
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


@pytest.mark.parametrize(
    ("name", "creator"),
    [
        ("Ludwig van den Berg", Creator("van den Berg", "Ludwig")),
        ("王伟", Creator("王伟")),
        ("de Souza", Creator("Souza", "de")),
    ],
)
def test_a_name_is_cut_before_its_particles(name, creator):
    work = {**WORKS[0], "authorships": [{"author": {"display_name": name}}]}
    assert record_of(work).item.creators == (creator,)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            json.dumps({"results": WORKS}, indent=1)[:-40].encode(),
            "is not valid JSON, perhaps cut off; download it again",
        ),
        (json.dumps({"results": WORKS})[:-40].encode(), "is not valid JSON, perhaps cut off; download it again"),
        (gzip.compress(json.dumps(WORKS).encode())[:-40], "cannot be unpacked: .*; download it again"),
        (b"\x1f\x8bkelp", "cannot be unpacked: .*; download it again"),
        (gzip.compress(b" " * 2000), "holds more than 1,000 bytes; split it"),
        (b" \n", "is empty; give an export"),
    ],
)
def test_half_a_file_is_no_library(tmp_path, monkeypatch, data, said):
    if "more than" in said:
        monkeypatch.setattr("pincite_openalex.MOST", 1000)
    path = tmp_path / "works.json"
    path.write_bytes(data)
    with pytest.raises(PinciteError, match=said) as caught:
        list(OpenAlexExport(path).records())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [5, "x", None, {"error": "Too many"}, {"results": None}, {"results": 5}, [[]], {"results": [1, None, {"id": 5}]}],
)
def test_json_that_is_no_work_is_a_problem(tmp_path, value):
    path = tmp_path / "works.json"
    path.write_text(json.dumps(value))
    found = list(OpenAlexExport(path).records())
    assert found
    assert all(isinstance(one, Problem) for one in found)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        (json.dumps(WORKS[0]), 0.95),
        (json.dumps({"results": WORKS}, indent=2).replace("/", "\\/"), 0.95),
        ('{"id": "kelp", "title": "see https://openalex.org/W30"}', 0.0),
    ],
)
def test_a_file_that_only_mentions_openalex_is_another_sources(tmp_path, text, sure):
    path = tmp_path / "works.jsonl"
    path.write_text(text)
    assert recognises(path) == sure


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
