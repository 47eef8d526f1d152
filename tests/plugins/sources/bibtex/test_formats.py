"""The formats of the source `bibtex`, and what it refuses (specs/16-sources.md, "bibtex")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.errors import PinciteError, UsageError
from pincite.spec import Context
from pincite.values.library import Creator, Problem, Record
from pincite_plugins.sources.bibtex import BibtexSettings, open_bibtex, recognises


def read(path: Path, text: str | bytes, **settings: Path) -> list[Record | Problem]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    source = open_bibtex(BibtexSettings(**settings), Context(home=path.parent, library=path))
    found = list(source.records())
    source.close()
    return found


def only(found: list[Record | Problem]) -> Record:
    (record,) = found
    assert isinstance(record, Record)
    return record


RIS = """TY  - CHAP
TI  - Lime and loam
T2  - Walls of the north
A1  - Fern, Bo
AU  - Moss, Ada
A2  - Reed, Cy
PY  - 1998/04/02/
SN  - 978-0-521-65177-6
KW  - mortar
KW  - loam
N1  - Cited By :3
L1  - {files}/lime.pdf
UR  - https://doi.org/10.1234/lime
ER  -
"""


def test_ris(tmp_path: Path) -> None:
    record = only(read(tmp_path / "a.ris", RIS.format(files="papers")))
    item = record.item
    assert item.creators == (Creator("Moss", "Ada"), Creator("Fern", "Bo"), Creator("Reed", "Cy", "editor"))
    assert (item.kind, item.title, item.venue) == ("chapter", "Lime and loam", "Walls of the north")
    assert (item.year, item.date, item.isbn, item.doi) == (1998, "1998-04-02", "9780521651776", "10.1234/lime")
    assert item.tags == ("mortar", "loam")
    assert record.notes == ()
    assert [one.path for one in record.attachments] == [str(tmp_path / "papers" / "lime.pdf")]


def test_ris_by_its_content_whatever_its_name(tmp_path: Path) -> None:
    assert only(read(tmp_path / "a.bib", RIS)).item.title == "Lime and loam"


def test_ris_with_windows_line_ends_and_mark(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + RIS.replace("\n", "\r\n").encode()
    assert only(read(tmp_path / "a.ris", data)).item.title == "Lime and loam"


def test_a_note_of_a_person_in_ris_is_kept(tmp_path: Path) -> None:
    text = RIS.replace("Cited By :3", "<p>Compare with the <b>harbour</b> walls.</p>")
    (note,) = only(read(tmp_path / "a.ris", text)).notes
    assert note.text == "Compare with the harbour walls."


def test_csl_json(tmp_path: Path) -> None:
    data = {
        "id": 7,
        "type": "article-journal",
        "title": "Lime",
        "container-title": "Walls",
        "author": [
            {"family": "Holt", "given": "Ina", "non-dropping-particle": "van"},
            {"literal": "Wall Society"},
        ],
        "issued": {"date-parts": [["1998", 4]]},
        "keyword": "mortar, loam",
    }
    record = only(read(tmp_path / "a.json", json.dumps([data])))
    assert (record.item.id, record.item.title, record.item.venue) == ("7", "Lime", "Walls")
    assert record.item.creators == (Creator("van Holt", "Ina"), Creator("Wall Society"))
    assert (record.item.date, record.item.tags) == ("1998-04", ("mortar", "loam"))


def test_csl_json_names_the_part_that_is_no_item(tmp_path: Path) -> None:
    found = read(tmp_path / "a.json", json.dumps([{"id": "a", "type": "book", "title": "A"}, {"id": "b"}, 5]))
    problems = [one for one in found if isinstance(one, Problem)]
    assert [problem.where for problem in problems] == [f"{tmp_path}/a.json:item 2", f"{tmp_path}/a.json:item 3"]
    assert len(found) == 3


NBIB = """PMID- 123456
TI  - Walls that
      breathe.
FAU - Moss, Ada
DP  - 1998 Apr 2
JT  - Journal of walls
LID - 10.1234/breathe [doi]
PT  - Journal Article
OT  - *mortar

PMID- 123457
TI  - Another
DP  - 2001
"""


def test_nbib(tmp_path: Path) -> None:
    first, second = read(tmp_path / "a.nbib", NBIB)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.item.id, first.item.title, first.item.date) == ("PMID:123456", "Walls that breathe.", "1998-04")
    assert (first.item.doi, first.item.tags) == ("10.1234/breathe", ("mortar",))
    assert (second.item.title, second.item.year) == ("Another", 2001)


def test_file_directory_comes_first(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "lime.pdf").write_bytes(b"%PDF")
    text = "@book{a, title = {A}, file = {:lime.pdf:PDF}}"
    record = only(read(tmp_path / "a.bib", text, file_directory=papers))
    assert [one.path for one in record.attachments] == [str(papers / "lime.pdf")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.bib", b"", "is empty"),
        ("a.bib", b"just words", "no entries found"),
        ("a.json", b"[{]", "not JSON"),
        ("a.json", b'{"a": 1}', "not a list of CSL items"),
        ("a.json", b'{"items": [{"itemType": "book"}]}', "Better BibTeX JSON; export the library as CSL JSON"),
        ("a.json", b"[" * 100_000, "not JSON"),
        ("a.rdf", b"<rdf:RDF/>", "XML, which is not read"),
        ("a.xml", b"<xml><records/></xml>", "XML, which is not read; export as BibTeX, RIS or CSL JSON"),
        ("a.enl", b"", "EndNote's own format, which is not read; export the library as RIS or BibTeX"),
    ],
)
def test_refusals(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        read(tmp_path / name, content)
    assert "\n" not in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "own"),
    [
        ("PMID- 1\nTI  - Lime\n", True),
        ("\ufeffTY  - BOOK\nTI  - Lime\nER  - \n", True),
        ("FN Clarivate Analytics\n", True),
        ("My PMID- list", False),
    ],
)
def test_a_text_is_a_bibliography_where_it_begins_as_one(tmp_path: Path, content: str, own: bool) -> None:
    (tmp_path / "export.txt").write_text(content, "utf-8")
    assert recognises(tmp_path / "export.txt") == (0.9 if own else 0.0)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.bib: no such file"):
        open_bibtex(BibtexSettings(), Context(home=tmp_path, library=tmp_path / "gone.bib"))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a folder; give"):
        open_bibtex(BibtexSettings(), Context(home=tmp_path, library=tmp_path))


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.bib").write_text("@book{a}")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(PinciteError, match=r"a\.bib: cannot be read \(Permission denied\)"):
        list(open_bibtex(BibtexSettings(), Context(home=tmp_path, library=tmp_path / "a.bib")).records())


def test_recognised_by_suffix(tmp_path: Path) -> None:
    assert [recognises(Path(name)) for name in ("a.bib", "a.RIS", "a.nbib", "a.json", "a.pdf", "a")] == [
        0.9,
        0.9,
        0.9,
        0.9,
        0,
        0,
    ]
    assert recognises(tmp_path) == 0


def test_marks_of_another_format_inside_an_abstract_mislead_nobody(tmp_path: Path) -> None:
    text = "@book{a, title = {Lime}, abstract = {Quoted:\nTY  - JOUR\nPMID- 5\nPT J\nAU x}}"
    assert only(read(tmp_path / "a.bib", text)).item.title == "Lime"
    ris = RIS.replace("ER  -", "AB  - Quoted:\n@book{b, title = {Loam}}\nER  -")
    assert only(read(tmp_path / "a.ris", ris)).item.title == "Lime and loam"


def test_a_missing_end_of_a_record_costs_no_record(tmp_path: Path) -> None:
    text = "TY  - BOOK\nTI  - One\n\nTY  - BOOK\nTI  - Two,\n  continued\nER  -\nbetween\nTY  - BOOK\nTI  - Three\nZZ  - ?\n"
    titles = [one.item.title for one in read(tmp_path / "a.ris", text) if isinstance(one, Record)]
    assert sorted(titles) == ["One", "Three", "Two, continued"]


def test_unknown_tags_of_web_of_science(tmp_path: Path) -> None:
    text = "FN x\nVR 1.0\nPT J\nTI Lime\nQQ new tag\nUT WOS:1\nER\n\nPT J\nTI Loam\nUT WOS:2\n"
    titles = {one.item.id: one.item.title for one in read(tmp_path / "a.txt", text) if isinstance(one, Record)}
    assert titles == {"WOS:1": "Lime", "WOS:2": "Loam"}
