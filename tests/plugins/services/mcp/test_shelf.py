"""Several libraries: which may be asked, and whose an id is (specs/29-mcp.md, "Tools")."""

import anyio
import pytest

import pincite
from indexes import configure
from pincite.errors import NotReady, UsageError
from pincite_plugins.services.mcp.server import answered
from pincite_plugins.services.mcp.shelf import Shelf, untold
from pincite_plugins.services.mcp.tool import Call
from pincite_plugins.services.mcp.tools import TOOLS

TOOL = {tool.name: tool for tool in TOOLS}


@pytest.fixture
def shelf(tmp_path):
    """The library `main` is served; `other` has a name in the configuration, and neither has an index."""
    for name, line in (("main", "Lanterns guide the boats."), ("other", "Mussels cling to the harbour wall.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"# About {name}\n\n{line}\n", "utf-8")
    sections = "".join(f'[libraries.{name}]\npath = "{(tmp_path / name).as_posix()}"\n' for name in ("main", "other"))
    config = configure(tmp_path / "config", sections)
    with pincite.open("main", config=config) as library:
        made = Shelf(library)
        yield made
        made.close()


def ask(shelf, name, **given):
    result = anyio.run(answered, Call(shelf), TOOL[name], given)
    assert not result.is_error, result.content[0].text
    return result.structured_content


def test_a_library_is_asked_by_its_name_and_its_ids_are_found_again(shelf):
    assert ask(shelf, "semantic_status")["library"] == "main"
    assert ask(shelf, "semantic_status")["libraries"] == ["main", "other"]
    assert ask(shelf, "best_match", query="lanterns boats")["hits"][0]["title"] == "About main"
    hit = ask(shelf, "best_match", query="mussels harbour", library="other")["hits"][0]
    assert hit["title"] == "About other"
    passage = hit["passages"][0]["id"]
    assert "Mussels" in ask(shelf, "get_passage", id=passage)["passage"]["quoted_text"]
    assert ask(shelf, "cite", passage=passage)["item"] == hit["item"]
    assert ask(shelf, "get_outline", item=hit["item"])["files"][0]["format"] == "markdown"
    assert ask(shelf, "best_match", query="mussels harbour", library="main", engine="lexical")["hits"] == []


def test_a_passage_of_a_file_that_is_not_indexed_yet_is_read_and_cited(tmp_path):
    (tmp_path / "pier.md").write_text("# Piers\n\nLanterns guide the boats into the harbour.\n", "utf-8")
    works = tmp_path / "works.bib"
    works.write_text("@book{pier, title={Harbour lights}, file={pier.md}}\n", "utf-8")
    with pincite.open(works, config=configure(tmp_path / "config")) as library:
        library.index(seconds=0, embed=False)
        shelf = Shelf(library, index=False)
        passage = ask(shelf, "best_match", query="harbour lights", engine="lexical")["hits"][0]["passages"][0]["id"]
        assert "Lanterns" in ask(shelf, "get_passage", id=passage)["passage"]["quoted_text"]
        assert ask(shelf, "cite", passage=passage)["passage"] == passage
        assert library.store.totals().waiting == 1
        shelf.close()


def test_a_path_is_no_name(shelf, tmp_path):
    with pytest.raises(UsageError, match="there is: main, other"):
        shelf.place(str(tmp_path / "other"))


def test_an_index_that_another_program_is_making_is_said(shelf):
    from pincite.indexing.lock import writer_lock

    library = shelf.main
    with writer_lock(library.folder), pytest.raises(NotReady, match="is indexing this library"):
        anyio.run(shelf.ready, shelf.place(), untold)


def test_a_paused_library_says_how_it_goes_on(shelf):
    from pincite.indexing.pause import pause

    pause(shelf.main.folder)
    with pytest.raises(NotReady, match="pincite resume"):
        anyio.run(shelf.ready, shelf.place(), untold)
