"""examples/library is what its script makes, small, and a whole library to the source `folder`."""

from __future__ import annotations

import runpy
from pathlib import Path

import pymupdf
import pytest

from pincite.spec import Context
from pincite.values.library import Record
from pincite_plugins.sources.folder import FolderSettings, open_folder

EXAMPLES = Path(__file__).parents[2] / "examples"
LIBRARY = EXAMPLES / "library"


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    source = open_folder(FolderSettings(), Context(home=LIBRARY, library=LIBRARY))
    return {one.item.id: one for one in source.records() if isinstance(one, Record)}


def pages(path: Path) -> list[tuple[str, str]]:
    with pymupdf.open(path) as document:
        return [(page.get_label(), page.get_text()) for page in document]


def test_the_committed_files_are_what_the_script_makes(tmp_path: Path) -> None:
    runpy.run_path(str(EXAMPLES / "make_library.py"))["main"](tmp_path)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*") if path.suffix in (".pdf", ".epub"))
    assert len(made) == 4
    for name in made:
        if name.suffix == ".pdf":
            assert pages(tmp_path / name) == pages(LIBRARY / name)
        else:
            assert (tmp_path / name).read_bytes() == (LIBRARY / name).read_bytes()


def test_every_entry_and_note_is_an_item_and_every_file_is_there(records: dict[str, Record]) -> None:
    assert set(records) == {
        "aschenbrenner2021",
        "delacourt2018",
        "halvorsen2022",
        "lindqvist2016",
        "notes/giessplan.md",
        "notes/vokabeln.md",
        "notes/warm-nights.md",
        "odukoya2019",
        "roofs2016",
        "weidner2020",
    }
    files = [one for record in records.values() for one in record.attachments]
    assert len(files) == 7
    assert all(Path(one.path).is_file() for one in files)
    assert {record.item.language for record in records.values()} >= {"en", "de"}


def test_one_paper_has_roman_pages(records: dict[str, Record]) -> None:
    (attachment,) = records["halvorsen2022"].attachments
    assert [label for label, _ in pages(Path(attachment.path))] == ["i", "1", "2"]


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in LIBRARY.rglob("*") if path.is_file()) < 300_000
