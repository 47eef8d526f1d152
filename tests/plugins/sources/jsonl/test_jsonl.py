"""The source `jsonl` (specs/16-sources.md, "jsonl")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.spec import Context
from pincite.values.library import Attachment, Creator, Item, Problem, Record
from pincite_plugins.sources.jsonl import JsonlSettings, open_jsonl, recognises


def read(path: Path) -> list[Record | Problem]:
    source = open_jsonl(JsonlSettings(), Context(home=path.parent, library=path))
    found = list(source.records())
    source.close()
    return found


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return path


def test_title_and_abstract_are_the_items_and_text_is_its_body(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {
            "id": "d1",
            "title": "<i>Lime</i>",
            "abstract": "<p>Short &amp;</p><p>p < 0.05</p>",
            "text": "Long.",
            "lang": "de",
        },
    )
    assert read(path) == [
        Record(
            Item(id="d1", title="Lime", abstract="Short &\n\np < 0.05", language="de"),
            attachments=(Attachment("d1#text", text="Long.", content_type="text/plain", title="Lime", language="de"),),
        )
    ]


def test_further_metadata(tmp_path: Path) -> None:
    line = {
        "_id": 7,
        "title": "Lime",
        "authors": ["Moss, Ada", {"family": "Fern", "given": "Bo", "role": "editor"}, "Cy Reed"],
        "year": 1998,
        "doi": "10.1234/X",
        "tags": ["a", "b"],
        "url": "https://example.org",
    }
    (record,) = read(write(tmp_path / "a.jsonl", line))
    assert isinstance(record, Record)
    item = record.item
    assert item.creators == (Creator("Moss", "Ada"), Creator("Fern", "Bo", "editor"), Creator("Reed", "Cy"))
    assert (item.id, item.year, item.date, item.doi, item.tags) == ("7", 1998, "1998", "10.1234/x", ("a", "b"))
    assert (item.link, record.attachments) == ("https://example.org", ())


def test_items_come_by_id_and_bad_lines_are_named_first(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {"id": "b", "text": "B"},
        "{not json",
        "",
        {"id": "a", "text": "Ä"},
        {"text": "no id"},
        {"id": "b", "text": "again"},
        [1],
        {"id": "c"},
        '{"id": "e", "text": "", "x": ' + "[" * 100_000,
    )
    found = read(path)
    problems = {one.where.rpartition(":")[2]: one.reason for one in found if isinstance(one, Problem)}
    assert set(problems) == {"2", "5", "6", "7", "8", "9"}
    assert problems["2"].startswith("not JSON (")
    assert "already, on line 1" in problems["6"]
    assert [one.attachments[0].text for one in found if isinstance(one, Record)] == ["Ä", "B"]


def test_byte_order_mark_and_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": "a", "text": "A"}\r\n{"id": "b", "text": "\xff"}\r\n')
    (record,) = (one for one in read(path) if isinstance(one, Record))
    (problem,) = (one for one in read(path) if isinstance(one, Problem))
    assert (record.item.id, problem.where) == ("a", f"{path}:2")
    assert "not UTF-8" in problem.reason


def test_a_folder_with_docs(tmp_path: Path) -> None:
    write(tmp_path / "docs.jsonl", {"id": "a", "text": "A"})
    assert len(read(tmp_path)) == 1
    assert recognises(tmp_path) == recognises(tmp_path / "docs.jsonl") == 0.9


def test_an_empty_file_is_an_empty_library(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.jsonl")) == []


def test_not_one_good_line_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none of its 2 lines"):
        read(write(tmp_path / "a.jsonl", "x", "y"))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read(tmp_path / "gone.jsonl")
    with pytest.raises(UsageError, match=r"docs\.jsonl: no such file"):
        read(tmp_path)


@pytest.mark.corpora
@pytest.mark.parametrize(("name", "count"), [("scifact", 5183), ("cranfield", 1400), ("xquad-mono/de", 240)])
def test_collections_of_the_corpora(corpora: Path, name: str, count: int) -> None:
    records = [one for one in read(corpora / "ir" / name) if isinstance(one, Record)]
    assert len(records) == sum(1 for _ in (corpora / "ir" / name / "docs.jsonl").open("rb"))
    assert len(records) == count
    assert [one.item.id for one in records] == sorted(one.item.id for one in records)
