"""Every tool, by the official client, over standard input and output and over HTTP (specs/29-mcp.md, "Tools")."""

from types import SimpleNamespace

import anyio
import pytest

from pincite.cli.cite import Style
from pincite.search.found import item_row
from pincite.values.library import Item
from pincite_plugins.services.mcp import words
from pincite_plugins.services.mcp.shelf import Shelf
from pincite_plugins.services.mcp.tool import Call
from pincite_plugins.services.mcp.tools import TOOLS
from pincite_plugins.services.mcp.tools.cite import Cite, cite

HEAT = "why is it warm at night in old streets"
BOOKLET = "halvorsen2022"


def test_there_are_these_tools_with_their_types(client):
    tools = {tool.name: tool for tool in client("list_tools").tools}
    assert list(tools) == [tool.name for tool in TOOLS]
    for tool in tools.values():
        assert tool.annotations.read_only_hint
        assert tool.input_schema["additionalProperties"] is False
        assert {"notice", "degraded", "left_out"} <= tool.output_schema["properties"].keys()


def test_best_match_finds_works_with_passages_that_can_be_read_and_cited(ask):
    found = ask("best_match", query=HEAT, limit=2)
    hit = found["hits"][0]
    assert hit["key"] == BOOKLET
    assert hit["rank"] == 1
    assert 0 < hit["relevance"] <= 1
    passage = next(one for one in hit["passages"] if "link" in one)  # an abstract of the record has none
    assert passage["item"] == hit["item"]
    assert passage["key"] == BOOKLET
    assert passage["quoted_text"]
    assert passage["link"]
    read = ask("get_passage", id=passage["id"], context=1)
    assert read["passage"]["id"] == passage["id"]
    assert read["work"]["key"] == BOOKLET
    cited = ask("cite", passage=passage["id"], style="latex")
    assert BOOKLET in cited["citation"]


def test_best_match_admits_by_year_tag_collection_language_and_engine(ask):
    of_2022 = ask("best_match", query="night heat", engine="lexical", year="2022..")
    assert {hit["year"] for hit in of_2022["hits"]} == {2022}
    tagged = ask("best_match", query="night heat", engine="lexical", tags=["urban heat"])
    assert {hit["key"] for hit in tagged["hits"]} == {BOOKLET}
    german = ask("best_match", query="Bäume Linden heat", engine="lexical", language="german")
    assert {hit["key"] for hit in german["hits"]} == {"aschenbrenner2021"}
    assert ask("best_match", query="heat", collection="No such collection")["hits"] == []


def test_semantic_search_goes_by_meaning_alone_and_all_means_every_language(ask):
    found = ask("semantic_search", query=HEAT, top_k=3)
    assert found["engine"] == "semantic"
    assert len(found["hits"]) <= 3
    assert found["hits"] == ask("semantic_search", query=HEAT, top_k=3, language="all")["hits"]
    none = ask("semantic_search", query=HEAT, top_k=3, min_score=1.0)
    assert len(none["hits"]) < len(found["hits"])
    assert any("min_score" in line for line in none["left_out"])


def test_find_similar_leaves_the_work_itself_out(ask):
    found = ask("find_similar", item=BOOKLET, top_k=2)
    assert found["of"]["key"] == BOOKLET
    assert len(found["works"]) == 2
    assert all(work["key"] != BOOKLET and work["passage"]["item"] == work["item"] for work in found["works"])
    assert ask("find_similar", item=BOOKLET, min_score=1.0)["works"] == []


def test_semantic_status_counts(ask):
    found = ask("semantic_status")
    assert found["indexed"] is True
    assert found["items"] >= 4
    assert found["files"]["indexed"] >= 4
    assert found["vectors"]["ready"] == found["vectors"]["wanted"] > 0
    assert found["model"] == "tiny"


def test_fulltext_database_lists_counts_searches_and_reads(ask):
    documents = ask("fulltext_database", action="list")["documents"]
    (booklet,) = [one for one in documents if one["key"] == BOOKLET]
    assert booklet["pages"] > 1
    assert ask("fulltext_database", action="stats")["stats"]["letters"] == sum(one["letters"] for one in documents)
    text = ask("fulltext_database", action="get", items=[BOOKLET], budget=3000)["texts"][0]
    assert text["start"] == 0
    more = ask("fulltext_database", action="get", items=[BOOKLET], budget=3000, start=text["end"])["texts"][0]
    assert more["start"] == text["end"]
    assert more["quoted_text"] != text["quoted_text"]
    words = " ".join(text["quoted_text"].split()[4:8])
    (found,) = ask("fulltext_database", action="search", query=words.upper(), items=[BOOKLET])["found"]
    assert found["matches"] >= 1
    assert (
        ask("fulltext_database", action="search", query=words.upper(), case_sensitive=True, items=[BOOKLET])["found"]
        == []
    )


def test_get_outline_gives_headings_with_pages_and_passages(ask):
    found = ask("get_outline", item=BOOKLET)
    (file,) = found["files"]
    assert file["format"] == "pdf"
    assert file["parts"].startswith("pincite://item/")
    heading = next(one for one in file["headings"] if one["title"].startswith("Preface"))
    assert heading["page_label"] == "i"
    assert ask("get_passage", id=heading["passage"])["passage"]["page_label"] == "i"


def test_locate_quote_says_where_the_library_says_it(ask):
    text = ask("fulltext_database", action="get", items=[BOOKLET], budget=3000)["texts"][0]["quoted_text"]
    sentence = next(part for part in text.replace("\n", " ").split(". ") if 60 < len(part) < 200)
    found = ask("locate_quote", quote=sentence)
    assert found["outcome"] == "found"
    (place,) = found["places"]
    assert place["key"] == BOOKLET
    assert ask("cite", passage=place["passage"])["key"] == BOOKLET
    missing = ask("locate_quote", quote="a saying about lighthouses that nobody here has ever written down")
    assert missing["outcome"] == "not found"
    assert missing["places"] == []


@pytest.mark.parametrize("style", [style.value for style in Style])
def test_cite_writes_every_style_with_the_page(library, style):
    chunks = library.store.chunks(library.store.rows_of_item(item_row(library.store, BOOKLET)).tolist())
    passage = next(one for one in chunks.values() if one.page_label)
    cited = anyio.run(cite, Call(Shelf(library)), Cite(passage=passage.id, style=style))
    assert passage.page_label in cited.citation
    assert cited.page_label == passage.page_label
    assert cited.key_is_made is False


def test_a_work_is_cited_as_a_whole_by_its_key(ask):
    cited = ask("cite", passage=BOOKLET)
    assert cited["citation"] == "[@halvorsen2022]"
    assert "page" not in cited


@pytest.mark.parametrize(
    ("kind", "told"), [("body", None), ("item", None), ("note", "note"), ("annotation", "annotation")]
)
def test_a_passage_that_is_not_the_works_own_text_says_so(kind, told):
    of = SimpleNamespace(id="a#0", kind=kind, section=(), page=None, page_label=None)
    assert words.passage(Item("a"), of, "", "Mine.").kind == told
