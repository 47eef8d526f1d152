"""Entries of a BibTeX file as records (specs/16-sources.md, "bibtex")."""

from __future__ import annotations

import base64
import plistlib
from pathlib import Path

import pytest

from pincite.metadata.bibtex import Bibliography, read_bibtex
from pincite.values.library import Record


def read(tmp_path: Path, text: str | bytes) -> Bibliography:
    path = tmp_path / "library.bib"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_bibtex(path)


def only(tmp_path: Path, text: str | bytes) -> Record:
    found = read(tmp_path, text)
    assert found.problems == ()
    (record,) = found.records
    return record


def names(record: Record) -> list[str]:
    return [one.path for one in record.attachments]


def test_strings_months_and_joined_values(tmp_path: Path) -> None:
    text = """
        @string{ walls = "Journal of " # {Walls} }
        @article{a, title = "On " # {Lime}, journal = walls # " and Bridges", year = 1998, month = "2~" # apr}
        @article{b, title = {B}, journal = WALLS, year = 1999, month = apr}
    """
    first, second = read(tmp_path, text).records
    assert (first.item.title, first.item.venue) == ("On Lime", "Journal of Walls and Bridges")
    assert (second.item.venue, second.item.date) == ("Journal of Walls", "1999-04")


def test_a_repeated_key_keeps_both_entries_and_is_told(tmp_path: Path) -> None:
    text = "@book{a, title = {One}}\n@book{a, title = {Two}}\n@book{a, title = {Two}}"
    found = read(tmp_path, text)
    ids = [one.item.id for one in found.records]
    assert ids[0] == "a"
    assert len(set(ids)) == 3
    assert {one.item.key for one in found.records} == {"a"}
    assert [problem.reason for problem in found.problems] == [
        "1 key is used more than once (a); all these items are kept"
    ]


def test_ids_stay_when_an_entry_is_put_before(tmp_path: Path) -> None:
    text = "@book{, title = {One}}\n@book{, title = {Two}, doi = {10.1234/two}}"
    before = {one.item.title: one.item.id for one in read(tmp_path, text).records}
    after = {one.item.title: one.item.id for one in read(tmp_path, "@book{, title = {Zero}}\n" + text).records}
    assert before.items() <= after.items()
    assert before["Two"] == "10.1234/two"


def test_commented_entries_are_left_out(tmp_path: Path) -> None:
    text = "% @book{old, title = {Old}}\n%@book{older,\n%  title = {Older}\n%}\n@book{a, title = {New}}\n@comment{x}"
    assert only(tmp_path, text).item.title == "New"


def test_comment_lines_inside_an_entry(tmp_path: Path) -> None:
    assert only(tmp_path, "@book{a,\n  % not sure, check\n  title = {New},\n  %year = 1990,\n}").item.title == "New"


def test_a_missing_comma_is_mended(tmp_path: Path) -> None:
    item = only(tmp_path, '@book{a,\n  title = {New}\n  year = "1990"\n  publisher = {Wall Press}\n}').item
    assert (item.title, item.year, item.publisher) == ("New", 1990, "Wall Press")


def test_an_entry_that_is_not_closed_is_named_and_the_rest_read(tmp_path: Path) -> None:
    text = "@book{a,\n  title = {New},\n  year = 1990\n\n@book{b, title = {Next}}\n@article{c, title\n\n@book{d, title={D}}"
    found = read(tmp_path, text)
    titles = [one.item.title for one in found.records]
    assert {"Next", "D"} <= set(titles)
    problems = {problem.where.rsplit(":", 1)[1]: problem.reason for problem in found.problems}
    assert set(problems) == {"1", "6"}
    assert problems["1"].startswith("a: its braces do not match")
    assert problems["6"].startswith("c: not a BibTeX entry")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = "@book{a, title = {Über Mörtel und Größe}, author = {Müller, Jörg}}"
    assert only(tmp_path, text.encode(encoding)).item.title == "Über Mörtel und Größe"


def test_windows_line_ends(tmp_path: Path) -> None:
    assert only(tmp_path, "@book{a,\r\n  title = {On\r\n  lime}\r\n}\r\n").item.title == "On lime"


def test_crossref_gives_the_whole_and_not_what_is_its_own(tmp_path: Path) -> None:
    text = """
        @incollection{part, title = {Lime}, author = {Ada Moss}, crossref = {whole}}
        @collection{whole, title = {Walls}, subtitle = {A Reader}, editor = {Bo Fern}, date = {2001}, publisher = {Wall Press},
            doi = {10.1234/whole}, abstract = {All about walls.}, keywords = {walls}, file = {:whole.pdf:PDF}}
    """
    part, whole = read(tmp_path, text).records
    assert (part.item.venue, part.item.year, part.item.publisher) == ("Walls", 2001, "Wall Press")
    assert (part.item.doi, part.item.abstract, part.item.tags, part.attachments) == ("", "", (), ())
    assert [one.role for one in part.item.creators] == ["author", "editor"]
    assert whole.item.title == "Walls: A Reader"


def test_an_entry_without_a_key_is_nobody_s_parent(tmp_path: Path) -> None:
    text = """
        @article{, title = {Keyless}, journal = {Wall Letters}, year = {1990}}
        @article{lime, title = {Lime}, year = {2001}}
    """
    lime = next(one.item for one in read(tmp_path, text).records if one.item.title == "Lime")
    assert (lime.year, lime.venue) == (2001, "")


def test_xdata_and_circles(tmp_path: Path) -> None:
    text = """
        @xdata{press, publisher = {Wall Press}}
        @book{a, title = {A}, xdata = {press}, crossref = {b}}
        @book{b, title = {B}, crossref = {a}, xdata = {b}}
    """
    records = {one.item.id: one.item for one in read(tmp_path, text).records}
    assert (records["a"].title, records["a"].publisher) == ("A", "Wall Press")
    assert records["b"].title == "B"


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (":lime.pdf:PDF", ["{home}/lime.pdf"]),
        ("Scan:walls/lime.pdf:PDF;:b.epub:EPUB", ["{home}/walls/lime.pdf", "{home}/b.epub"]),
        ("lime.pdf:PDF", ["{home}/lime.pdf"]),
        ("lime.pdf", ["{home}/lime.pdf"]),
        ("lime.pdf; loam.pdf", ["{home}/lime.pdf", "{home}/loam.pdf"]),
        ("/data/Iliff.R;Smit.G/lime.pdf", ["/data/Iliff.R;Smit.G/lime.pdf"]),
        ("Full Text PDF:files/12/a\\; b.pdf:application/pdf", ["{home}/files/12/a; b.pdf"]),
        (
            "Snapshot:files/1/a.html:text/html;PDF:files/2/a.pdf:application/pdf",
            ["{home}/files/1/a.html", "{home}/files/2/a.pdf"],
        ),
        (":C\\:\\\\papers\\\\lime.pdf:PDF", [""]),
        ("C:\\papers\\lime.pdf", [""]),
        (r":C$\backslash$:/papers/a{\_}b.pdf:pdf", [""]),
        (":/lib/a.epub:EPUB, :/lib/a.pdf:PDF", ["/lib/a.epub", "/lib/a.pdf"]),
        ("file://localhost/data/li%20me.pdf", ["/data/li me.pdf"]),
        ("walls\\\\lime.pdf", ["{home}/walls/lime.pdf"]),
        ("https://example.org/lime.pdf", [""]),
        (":https\\://example.org/lime.pdf:PDF", [""]),
    ],
)
def test_file_fields(tmp_path: Path, value: str, paths: list[str]) -> None:
    record = only(tmp_path, f"@book{{a, title = {{A}}, file = {{{value}}}}}")
    assert names(record) == [path.format(home=tmp_path) for path in paths]
    assert all(bool(one.missing) != bool(one.path) for one in record.attachments)
    assert all("Windows path" in one.missing for one in record.attachments if "C:" in one.id or "C\\" in one.id)


def test_mendeley_leaves_out_the_first_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda path: str(path) == "/home/ana/lime.pdf")
    record = only(tmp_path, "@book{a, title = {A}, file = {:home/ana/lime.pdf:pdf}}")
    assert names(record) == ["/home/ana/lime.pdf"]


def test_repeated_file_fields_and_old_ones(tmp_path: Path) -> None:
    text = "@book{a, title = {A}, file = {a.pdf}, file = {b.pdf}, pdf = {c.pdf}, ps = {a.pdf}, local-url = {file:///d.pdf}}"
    assert sorted(Path(path).name for path in names(only(tmp_path, text))) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf"]


def bibdesk(data: object) -> str:
    return base64.b64encode(plistlib.dumps(data, fmt=plistlib.FMT_BINARY)).decode()


def test_files_of_bibdesk(tmp_path: Path) -> None:
    plain = bibdesk({"relativePath": "papers/lime.pdf", "bookmark": b"\0\1"})
    keyed = bibdesk(
        {
            "$archiver": "NSKeyedArchiver",
            "$objects": [
                "$null",
                {"NS.keys": [plistlib.UID(2)], "NS.objects": [plistlib.UID(3)]},
                "relativePath",
                "papers/loam.pdf",
            ],
        }
    )
    text = f"@book{{a, title = {{A}}, bdsk-file-1 = {{{plain}}}, bdsk-file-2 = {{{keyed}}}, bdsk-file-3 = {{!!}}}}"
    assert names(only(tmp_path, text)) == [f"{tmp_path}/papers/lime.pdf", f"{tmp_path}/papers/loam.pdf"]


def test_directory_of_jabref(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "lime.pdf").write_bytes(b"%PDF")
    text = "@book{a, title = {A}, file = {:lime.pdf:PDF;:gone.pdf:PDF}}\n@Comment{jabref-meta: fileDirectory:papers;}"
    assert names(only(tmp_path, text)) == [f"{tmp_path}/papers/lime.pdf", f"{tmp_path}/gone.pdf"]


def test_groups_of_jabref(tmp_path: Path) -> None:
    text = """
        @book{a, title = {A}, groups = {Lime, Bridges}}
        @book{b, title = {B}}
        @Comment{jabref-meta: grouping:
        0 AllEntriesGroup:;
        1 StaticGroup:Walls\\;0\\;1\\;\\;\\;\\;;
        2 StaticGroup:Lime\\;0\\;1\\;\\;\\;\\;;
        1 ExplicitGroup:Old way\\;0\\;b\\;c\\;;
        }
    """
    records = {one.item.id: one.item.collections for one in read(tmp_path, text).records}
    assert records == {"a": ("Bridges", "Walls/Lime"), "b": ("Old way",)}


def test_fields_of_an_item(tmp_path: Path) -> None:
    text = r"""@inproceedings{moss1998,
        title = {Lime: {A} study}, shorttitle = {Lime}, author = {Ada Moss}, editor = {Bo Fern}, booktitle = {Proc.\ of Walls},
        year = {1998}, month = {April}, publisher = {Wall Press}, abstract = {<p>Lime \& loam.</p>}, langid = {ngerman},
        doi = {https://doi.org/10.1234/LIME}, isbn = {0-521-65177-8}, eprint = {math/9801001}, archiveprefix = {arXiv},
        pmid = {123}, url = {https://example.org/a\_b}, keywords = {mortar; loam, sand}, annote = {Read \emph{again}.},
        note = {in press}, issn = {1234-5678}}"""
    record = only(tmp_path, text)
    item = record.item
    assert (item.kind, item.title, item.alternative_titles) == ("paper-conference", "Lime: A study", ("Lime",))
    assert (item.venue, item.publisher, item.date, item.language) == ("Proc. of Walls", "Wall Press", "1998-04", "de")
    assert (item.abstract, item.doi, item.isbn) == ("Lime & loam.", "10.1234/lime", "9780521651776")
    assert item.identifiers == ("arxiv:math/9801001", "pmid:123", "issn:1234-5678")
    assert (item.url, item.key, item.tags) == ("https://example.org/a_b", "moss1998", ("mortar", "loam, sand"))
    assert [note.text for note in record.notes] == ["Read again."]


@pytest.mark.parametrize(
    ("fields", "year", "date"),
    [
        ("date = {2011-05-25~/2012-06}", 2011, "2011-05-25"),
        ("date = {2017-24}", 2017, "2017"),
        ("year = {in press}", None, "in press"),
        ("year = {100}", 100, "100"),
        ("year = {c1998}, month = 4", 1998, "1998-04"),
        ("year = 1998, month = {2nd quarter}", 1998, "1998"),
        ("", None, ""),
    ],
)
def test_dates(tmp_path: Path, fields: str, year: int | None, date: str) -> None:
    item = only(tmp_path, f"@book{{a, title = {{A}}, {fields}}}").item
    assert (item.year, item.date) == (year, date)
