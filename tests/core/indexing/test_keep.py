"""What the ledger says of a file (specs/07-verdicts.md)."""

import pytest

import pincite
from indexes import configure
from pincite.indexing.keep import without_path


@pytest.mark.parametrize(
    ("reason", "left"),
    [
        ("/library/kelp.pdf: needs a password", "needs a password"),
        ("kelp.pdf has no bytes", "has no bytes"),
        ("kelp.pdf: its package document names no text", "its package document names no text"),
        ("its reader crashed", "its reader crashed"),
        ("kelp.pdfs are not read", "kelp.pdfs are not read"),
        ("", ""),
    ],
)
def test_a_reason_does_not_begin_with_its_file(reason, left):
    assert without_path(reason, "/library/kelp.pdf") == left
    assert without_path(reason, "") == reason


def test_every_built_in_extractor_names_the_file_once(tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    for suffix in ("pdf", "epub", "html", "md", "txt"):
        (folder / f"bare.{suffix}").write_bytes(b"")
        (folder / f"odd.{suffix}").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    with pincite.open(folder, config=configure(tmp_path / "config")) as library:
        report = library.index()
        entries = {entry.path: entry for entry in library.store.files()}
    assert len(entries) == 10
    for path, entry in entries.items():
        assert entry.reason
        assert "bare." not in entry.reason
        assert "odd." not in entry.reason
        assert str(folder) not in entry.reason
        assert (path, entry.reason) in [*report.skips, *report.failures]
