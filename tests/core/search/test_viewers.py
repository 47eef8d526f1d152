"""What is run to open a place."""

import pytest

from pincite.errors import PinciteError, UsageError
from pincite.search.viewers import command, launch

LINK = "file:///k/a.pdf#page=3"


def installed(*names):
    return lambda name: f"/bin/{name}" if name in names else None


def test_the_persons_own_viewer_gets_path_and_page_as_arguments():
    assert command(LINK, "/k/a b.pdf", 3, "look --at {page} {path}") == ["look", "--at", "3", "/k/a b.pdf"]
    assert command(LINK, "/k/a.pdf", 3, "look") == ["look", LINK]
    assert command(LINK, "/k/{page}.pdf", 3, "look {path}") == ["look", "/k/{page}.pdf"]
    assert command("file:///k/a%20b.md", "", None, "look {path}") == ["look", "/k/a b.md"]


@pytest.mark.parametrize(
    ("viewer", "said"),
    [("look {pge}", r"has \{pge\}; there is \{path\}, \{page\} and \{link\}"), ('look "a', "no command line")],
)
def test_a_viewer_that_cannot_be_meant_is_told(viewer, said):
    with pytest.raises(UsageError, match=said):
        command(LINK, "/k/a.pdf", 3, viewer)


def test_a_viewer_of_files_is_not_run_without_one(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    assert command("zotero://select/library/items/AB", "", None, "look {path}", installed("xdg-open"))[0] == "xdg-open"
    with pytest.raises(UsageError, match="no file to open"):
        command("", "", None, "look {path}")


def test_a_viewer_that_knows_pages_is_taken_before_the_desktops_opener():
    assert command(LINK, "/k/a.pdf", 3, find=installed("xdg-open", "evince")) == [
        "evince",
        "--page-index=3",
        "/k/a.pdf",
    ]
    assert command(LINK, "/k/a.pdf", 3, find=installed("xdg-open")) == ["xdg-open", LINK]


def test_a_work_s_own_text_opens_the_file_that_its_link_leads_to(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    assert command("file:///k/a%20b.pdf", "", None, find=installed("xdg-open", "evince")) == ["xdg-open", "/k/a b.pdf"]


def test_a_link_of_zotero_goes_to_the_opener(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    link = "zotero://open-pdf/library/items/AB?page=3"
    assert command(link, "/k/a.pdf", 3, find=installed("xdg-open", "evince")) == ["xdg-open", link]


def test_without_a_file_or_a_program_it_says_what_to_do(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(UsageError, match="pincite show"):
        command("", "", None, find=installed())
    with pytest.raises(UsageError, match="viewer"):
        command(LINK, "/k/a.pdf", 3, find=installed())
    with pytest.raises(PinciteError, match="no-such-viewer"):
        launch(["/no-such-viewer"])
