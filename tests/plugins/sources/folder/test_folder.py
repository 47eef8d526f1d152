"""The source `folder` (specs/16-sources.md, "folder")."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pincite.config.sections import made
from pincite.errors import PinciteError, UsageError
from pincite.spec import Context
from pincite.values.library import Attachment, Creator, Item, Problem, Record
from pincite_plugins.sources.folder import FolderSettings, open_folder, recognises


def put(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"text")
    return folder


def read(path: Path, notes: list[str] | None = None, **settings: str) -> tuple[dict[str, Record], list[Problem]]:
    context = Context(home=path, library=path, note=(notes if notes is not None else []).append)
    source = open_folder(made(FolderSettings, settings), context)
    found = list(source.records())
    source.close()
    records = [one for one in found if isinstance(one, Record)]
    assert [one.item.id for one in records] == sorted(one.item.id for one in records)
    return {one.item.id: one for one in records}, [one for one in found if isinstance(one, Problem)]


def test_a_document_is_an_item_that_takes_its_title_from_the_file(tmp_path: Path) -> None:
    put(tmp_path, "walls/north/lime.pdf")
    path = tmp_path / "walls" / "north" / "lime.pdf"
    os.utime(path, ns=(5, 1_700_000_000_000_000_007))
    assert read(tmp_path)[0] == {
        "walls/north/lime.pdf": Record(
            Item(
                id="walls/north/lime.pdf",
                collections=("walls/north",),
                link=path.as_uri(),
                modified="1700000000000000007",
            ),
            attachments=(
                Attachment(
                    id="walls/north/lime.pdf",
                    path=str(path),
                    content_type="application/pdf",
                    link=path.as_uri() + "#page={page}",
                    modified="1700000000000000007",
                ),
            ),
        )
    }


def test_documents_by_suffix_in_any_case(tmp_path: Path) -> None:
    kept = {"a.pdf", "b.EPUB", "c.html", "d.htm", "e.md", "f.txt", "g.markdown", "h.Pdf"}
    put(tmp_path, *kept, "i.docx", "j.jpg", "k")
    assert set(read(tmp_path)[0]) == kept


def test_strays_are_left_out(tmp_path: Path) -> None:
    put(
        tmp_path,
        "a.pdf",
        ".hidden.pdf",
        ".git/b.md",
        "._a.pdf",
        "~$a.txt",
        ".zotero-ft-cache",
        "__MACOSX/a.pdf",
        "Thumbs.db",
        "a.pdf.Zone.Identifier",
    )
    if os.name != "nt":
        put(tmp_path, "a.pdf:Zone.Identifier")
    assert set(read(tmp_path, suffixes=(".pdf", ".db", ".identifier", ".md", ".txt", "cache"))[0]) == {"a.pdf"}  # type: ignore[arg-type]


def test_only_strays_is_no_library(tmp_path: Path) -> None:
    put(tmp_path, ".DS_Store", "a.pdf:Zone.Identifier" if os.name != "nt" else "a.pdf.Zone.Identifier")
    with pytest.raises(UsageError, match=r"no documents here; .*\.pdf"):
        read(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_are_followed_once(tmp_path: Path) -> None:
    put(tmp_path / "library", "a/a.pdf")
    put(tmp_path / "elsewhere", "b.pdf")
    (tmp_path / "library" / "a" / "up").symlink_to(tmp_path / "library")
    (tmp_path / "library" / "out").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "library" / "c.pdf").symlink_to(tmp_path / "elsewhere" / "b.pdf")
    (tmp_path / "library" / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    records, problems = read(tmp_path / "library")
    assert set(records) == {"a/a.pdf", "c.pdf", "out/b.pdf"}
    assert [problem.where for problem in problems] == [str(tmp_path / "library" / "gone.pdf")]


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.pdf", "shut/b.pdf")
    real = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    records, problems = read(tmp_path)
    assert set(records) == {"a.pdf"}
    assert problems == [Problem(str(tmp_path / "shut"), "the folder cannot be read (Permission denied)")]


def test_a_library_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(PinciteError, match=r"the folder cannot be read \(Permission denied\)"):
        read(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that keeps names as bytes")
def test_names_in_any_bytes(tmp_path: Path) -> None:
    put(tmp_path, "Mu\u0308ller.pdf")
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.pdf"))).write_bytes(b"")
    records, problems = read(tmp_path)
    assert set(records) == {"M\u00fcller.pdf"}
    assert Path(records["M\u00fcller.pdf"].attachments[0].path).exists()
    assert [problem.where for problem in problems] == [f"{tmp_path}/caf\\xe9.pdf"]
    assert "not valid UTF-8" in problems[0].reason


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that keeps names as bytes")
def test_names_that_differ_in_their_normal_form_are_two_items(tmp_path: Path) -> None:
    put(tmp_path, "M\u00fcller.pdf", "Mu\u0308ller.pdf")
    assert len(read(tmp_path)[0]) == 2


def test_front_matter_of_markdown(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(
        "---\ntitle: On lime\nauthor: [Moss, Ada Moss]\ndate: 1998-04-02\ntags: [walls, '#loam']\nlang: de\n---\n# Other\n",
        "utf-8",
    )
    item = read(tmp_path)[0]["note.md"].item
    assert (item.title, item.year, item.date, item.language) == ("On lime", 1998, "1998-04-02", "de")
    assert (item.creators, item.tags) == ((Creator("Moss"), Creator("Moss", "Ada")), ("walls", "loam"))


def test_nothing_but_markdown_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.pdf", "b.epub", "c.html", "d.txt")

    def refuse(*args: object, **kwargs: object) -> object:
        raise AssertionError("opened")

    monkeypatch.setattr(Path, "open", refuse)
    assert len(read(tmp_path)[0]) == 4


def test_one_document_is_a_library(tmp_path: Path) -> None:
    put(tmp_path, "a.pdf", "b.pdf")
    assert set(read(tmp_path / "a.pdf")[0]) == {"a.pdf"}


def test_the_only_bibliography_describes_the_documents(tmp_path: Path) -> None:
    put(tmp_path, "papers/lime.pdf", "papers/moss1998.pdf", "other.pdf")
    (tmp_path / "library.bib").write_text(
        "@book{fern2001, title = {Lime}, file = {:papers/lime.pdf:PDF}}\n"
        "@book{moss1998, title = {Found by its key}}\n"
        "@book{reed2020, title = {Without a file}, abstract = {Still searchable.}}\n"
    )
    records, problems = read(tmp_path)
    assert problems == []
    assert {id: (one.item.title, [Path(a.path).name for a in one.attachments]) for id, one in records.items()} == {
        "fern2001": ("Lime", ["lime.pdf"]),
        "moss1998": ("Found by its key", ["moss1998.pdf"]),
        "other.pdf": ("", ["other.pdf"]),
        "reed2020": ("Without a file", []),
    }
    assert records["fern2001"].item.collections == ("papers",)
    assert records["fern2001"].attachments[0].modified


def test_of_several_bibliographies_none_is_guessed(tmp_path: Path) -> None:
    put(tmp_path, "a.pdf")
    (tmp_path / "a.bib").write_text("@book{a, title = {A}}")
    (tmp_path / "b.bib").write_text("@book{b, title = {B}}")
    notes: list[str] = []
    assert set(read(tmp_path, notes)[0]) == {"a.pdf"}
    assert len(notes) == 1
    assert "a.bib, b.bib" in notes[0]
    assert set(read(tmp_path, bibliography="b.bib")[0]) == {"a.pdf", "b"}
    assert set(read(tmp_path, bibliography="")[0]) == {"a.pdf"}


def test_a_bibliography_that_is_set_must_be_there(tmp_path: Path) -> None:
    put(tmp_path, "a.pdf")
    with pytest.raises(UsageError, match=r"c\.bib: no such file"):
        read(tmp_path, bibliography="c.bib")


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        read(tmp_path / "gone")


def test_recognised_last(tmp_path: Path) -> None:
    put(tmp_path, "a.pdf", "a.xyz")
    assert (recognises(tmp_path), recognises(tmp_path / "a.pdf"), recognises(tmp_path / "a.xyz")) == (0.2, 0.5, 0)
    assert recognises(tmp_path / "gone") == 0


@pytest.mark.corpora
def test_documents_of_the_corpora(corpora: Path) -> None:
    records, problems = read(corpora / "docs")
    assert problems == []
    expected = [path for path in (corpora / "docs").rglob("*.*") if path.suffix in (".pdf", ".epub", ".html")]
    assert len(records) == len(expected) == 105
