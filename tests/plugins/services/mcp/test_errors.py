"""Every error is one line that says what to do (specs/29-mcp.md, "Errors")."""

import anyio
import pytest
from mcp import Client, MCPError

from mcp_clients import http_client, over_stdio, said, start_http
from pincite_plugins.services.mcp.budget import LEAST
from pincite_plugins.services.mcp.server import answered
from pincite_plugins.services.mcp.shelf import Shelf
from pincite_plugins.services.mcp.tool import Call
from pincite_plugins.services.mcp.tools.read import GET_OUTLINE

WRONG = [
    ("get_passage", {"id": "no-such#0"}, "no passage has the id 'no-such#0'"),
    ("get_outline", {"item": "nobody1901"}, "nobody1901: no work of this library has that id or citation key"),
    ("find_similar", {"item": "nobody1901"}, "nobody1901: no work"),
    ("cite", {"passage": "nobody1901"}, "no passage or work has the id 'nobody1901'"),
    ("cite", {"passage": "halvorsen2022", "style": "mla"}, "'style': input should be 'pandoc'"),
    ("locate_quote", {"quote": "?!"}, "quot"),
    ("best_match", {"query": ""}, "'query': string should have at least 1 character"),
    ("best_match", {"query": "   "}, "the query is empty"),
    ("best_match", {"query": "heat", "limit": 0}, "'limit': input should be greater"),
    ("best_match", {"query": "heat", "engine": "psychic"}, "no engine is called 'psychic'"),
    ("best_match", {"query": "heat", "year": "last year"}, "year takes 2019"),
    ("best_match", {"query": "heat", "library": "/etc"}, "no library is called '/etc'"),
    ("best_match", {"query": "heat", "topk": 3}, "unknown argument 'topk'"),
    ("semantic_search", {"query": "heat", "topk": 3}, "unknown argument 'topk'; did you mean 'top_k'?"),
    ("best_match", {}, "'query': field required"),
    ("best_match", {"query": ["heat"]}, "'query': input should be a valid string"),
    ("best_match", {"query": "heat", "budget": 10}, "'budget': input should be greater"),
    ("best_match", {"query": "x" * 100_000}, "'query': string should have at most"),
    ("fulltext_database", {"action": "drop"}, "'action': input should be 'list'"),
    ("fulltext_database", {"action": "search"}, "search needs `query`"),
    ("fulltext_database", {"action": "get"}, "get needs `items`"),
    ("fulltext_database", {"action": "list", "items": ["nobody1901"]}, "nobody1901: no work"),
]


@pytest.mark.parametrize(("name", "given", "line"), WRONG)
def test_a_wrong_call_is_answered_with_one_line(ask, name, given, line):
    answer = ask(name, **given)
    assert isinstance(answer, str), answer
    assert line in answer


def test_an_unknown_tool_names_those_there_are(client):
    with pytest.raises(MCPError, match="best_match"):
        client("call_tool", "worst_match", {})


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_without_an_index_and_told_to_make_none_it_says_what_to_run(fresh, transport):
    async def run(client):
        async with client as asked:
            status = said(await asked.call_tool("semantic_status", {}))
            return status, said(await asked.call_tool("best_match", {"query": "heat"}))

    if transport == "stdio":
        status, line = anyio.run(run, Client(over_stdio(fresh, "--no-index")))
    else:
        server, url = start_http(fresh, "--no-index")
        try:
            status, line = anyio.run(run, http_client(url))
        finally:
            server.terminate()
            server.communicate(timeout=60)
    assert status["indexed"] is False
    assert line.startswith("this library has no index yet; run `pincite index --library ")


def test_an_answer_that_cannot_be_made_small_enough_says_the_budget_it_needs(library):
    shelf = Shelf(library)
    given = {"item": "halvorsen2022", "budget": LEAST}
    fits = anyio.run(answered, Call(shelf), GET_OUTLINE, given)
    too_long = anyio.run(answered, Call(shelf, degraded=["far/" * 200]), GET_OUTLINE, given)
    assert not fits.is_error
    assert len(fits.content[0].text) <= LEAST
    assert "headings, to fit the budget" in fits.structured_content["left_out"][0]
    assert too_long.is_error
    assert "ask again with budget=" in too_long.content[0].text
