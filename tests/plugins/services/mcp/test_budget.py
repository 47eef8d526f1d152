"""Answers fit their budget, and say what they left out (specs/29-mcp.md, "Budget")."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_plugins.services.mcp.budget import LEAST, clipped, written
from pincite_plugins.services.mcp.server import answered
from pincite_plugins.services.mcp.shapes import NOTICE
from pincite_plugins.services.mcp.shelf import Shelf
from pincite_plugins.services.mcp.tool import Call
from pincite_plugins.services.mcp.tools import TOOLS

TOOL = {tool.name: tool for tool in TOOLS}
CALLS = [
    ("best_match", {"query": "heat at night and the memory of words", "engine": "semantic"}),
    ("semantic_search", {"query": "heat at night"}),
    ("find_similar", {"item": "halvorsen2022"}),
    ("semantic_status", {}),
    ("fulltext_database", {"action": "list"}),
    ("fulltext_database", {"action": "search", "query": "the"}),
    ("fulltext_database", {"action": "get", "items": ["halvorsen2022", "odukoya2019"]}),
    ("fulltext_database", {"action": "stats"}),
    ("get_outline", {"item": "halvorsen2022"}),
    ("locate_quote", {"quote": "the"}),
    ("cite", {"passage": "halvorsen2022"}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS)
@pytest.mark.parametrize("budget", [LEAST, 1500, 4000, 50_000])
def test_every_tool_keeps_to_it(library, name, arguments, budget):
    result = anyio.run(answered, Call(Shelf(library)), TOOL[name], {**arguments, "budget": budget})
    assert not result.is_error, result.content[0].text
    assert len(result.content[0].text) <= budget


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_small_answer_says_what_a_large_one_has_besides(library, name, arguments):
    def ask(budget):
        return anyio.run(answered, Call(Shelf(library)), TOOL[name], {**arguments, "budget": budget}).structured_content

    small, large = ask(LEAST), ask(100_000)
    assert small["notice"] == large["notice"] == NOTICE
    if small != large:
        assert small.get("left_out") or small.get("texts")  # a text says its end itself


def test_passages_are_cut_last_and_their_neighbours_first(library):
    rows = library.store.rows_of_item(library.store.find_item(library.search("night heat").hits[0].item.id)).tolist()
    chunks = {row: one for row, one in library.store.chunks(rows).items() if one.kind == "body"}
    texts = library.store.texts(chunks)
    longest = max(list(texts)[2:-2], key=lambda row: len(texts[row]))

    def ask(**given):
        given = {"id": chunks[longest].id, **given}
        return anyio.run(answered, Call(Shelf(library)), TOOL["get_passage"], given).structured_content

    whole = ask(budget=50_000, context=2)
    assert whole.get("left_out") is None
    room = len(written(ask(budget=50_000))) + 250
    alone = ask(budget=room, context=2)
    assert alone["passage"] == whole["passage"]
    assert len(alone["before"]) + len(alone["after"]) < len(whole["before"]) + len(whole["after"])
    assert "passages around it" in alone["left_out"][0]
    cut = ask(budget=LEAST, context=2)
    assert cut["passage"]["quoted_text"].endswith("…")
    assert "characters of the passage" in cut["left_out"][0]


@given(st.text(), st.integers(2, 200))
def test_a_text_is_cut_to_its_room_as_it_is_written(text, room):
    cut = clipped(text, room)
    assert len(written(cut)) - 2 <= room
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))
