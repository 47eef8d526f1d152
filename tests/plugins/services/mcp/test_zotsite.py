"""A real library: the paper that introduced scaled dot-product attention, its passage, and the citation with the page."""

import anyio
import pytest
from mcp import Client, StdioServerParameters

from mcp_clients import command, environment, said

pytestmark = [pytest.mark.corpora, pytest.mark.model, pytest.mark.xdist_group("mcp")]


def test_three_calls_find_read_and_cite_it(corpora, model_home):
    library = corpora / "bib" / "zotero" / "zotsite"
    executable, *given = command("mcp", "--library", library)
    server = StdioServerParameters(
        command=executable, args=given, env=environment(model_home, PINCITE_ENGINE="lexical")
    )
    lengths = []

    async def run():
        async with Client(server) as client:

            async def ask(name, **given):
                result = await client.call_tool(name, given)
                lengths.append(len(result.content[0].text))
                return said(result)

            found = await ask(
                "best_match", query="Which paper introduced scaled dot-product attention?", limit=1, budget=1000
            )
            passage = found["hits"][0]["passages"][0]
            read = await ask("get_passage", id=passage["id"], budget=1400)
            return found, read, await ask("cite", passage=passage["id"])

    found, read, cited = anyio.run(run)
    assert found["hits"][0]["title"].startswith("Attention is All")
    assert "dot-product attention" in read["passage"]["quoted_text"].lower()
    assert cited["citation"] == "[@vaswaniAttentionAllYou2017, p. 4]"
    assert sum(lengths) < 3000
