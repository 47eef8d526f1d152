"""A real Zotero data directory, from its path to the rectangle on the page."""

import hashlib
import os
from collections import Counter

import pymupdf
import pytest

import pincite
from pincite.text.normalise import fold

pytestmark = [pytest.mark.corpora, pytest.mark.model]


def state(folder):
    """Every file below a folder with its time and content."""
    found = {}
    for root, folders, names in os.walk(folder):
        found[root] = tuple(sorted(folders + names))
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                found[path] = (os.stat(path).st_mtime_ns, hashlib.blake2b(file.read()).hexdigest())
    return found


@pytest.fixture(scope="module")
def zotsite(corpora, models_home, tmp_path_factory):
    folder = corpora / "bib" / "zotero" / "zotsite"
    before = state(folder)
    home = tmp_path_factory.mktemp("home")
    (models_home / "models").mkdir(exist_ok=True)
    (home / "models").symlink_to(models_home / "models", target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(home))
        with pincite.open(folder) as library:
            report = library.index()
            assert (report.totals.items, report.totals.files, report.totals.indexed) == (4, 4, 4)
            assert not report.failures
            yield library
    assert state(folder) == before


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("attention is all you need", "Attention is All you Need"),
        (
            "what lower bounds are there for sketching the earth mover distance",
            "Earth Mover Distance over High-Dimensional Spaces",
        ),
    ],
)
def test_the_right_work_comes_first(zotsite, engine, question, title):
    assert zotsite.search(question, engine=engine).hits[0].item.title == title


@pytest.mark.parametrize("engine", ["semantic", "hybrid"])
def test_a_german_question_finds_it_by_meaning(zotsite, engine):
    found = zotsite.search("Wie übersetzt ein Netz ohne Rekurrenz, nur mit Aufmerksamkeit?", engine=engine)
    assert found.hits[0].item.title == "Attention is All you Need"


def test_the_text_under_a_passages_rectangles_is_the_passage(zotsite):
    checked = 0
    for question in (
        "scaled dot-product attention",
        "word co-occurrence statistics",
        "earth mover distance lower bound",
    ):
        for hit in zotsite.search(question):
            paths = {
                one.id: one.path
                for one in zotsite.store.records([zotsite.store.find_item(hit.item.id)]).popitem()[1].attachments
            }
            for passage in hit.passages:
                if passage.attachment is None or passage.anchor.get("kind") != "pdf":
                    continue
                rects = passage.anchor["rects"]
                assert rects[0][0] == passage.page
                assert f"page={passage.page}" in passage.link
                read = "".join(under(paths[passage.attachment], rects))
                assert overlap(read, passage.text) >= 0.98, (read[:200], passage.text[:200])
                checked += 1
    assert checked >= 6


def under(path, rects):
    """The characters whose centres lie in the rectangles, read afresh."""
    with pymupdf.open(path) as document:
        for number in sorted({rect[0] for rect in rects}):
            boxes = [pymupdf.Rect(rect[1:]) for rect in rects if rect[0] == number]
            for block in document[number - 1].get_text("rawdict")["blocks"]:
                for line in block.get("lines", ()):
                    for span in line["spans"]:
                        for char in span["chars"]:
                            box = pymupdf.Rect(char["bbox"])
                            centre = pymupdf.Point((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
                            if any(centre in one for one in boxes):
                                yield char["c"]


def overlap(one, other):
    """F1 of the letters and digits of two texts, folded."""
    a, b = (Counter(char for char in fold(text) if char.isalnum()) for text in (one, other))
    return 2 * sum((a & b).values()) / max(1, sum(a.values()) + sum(b.values()))


def test_an_assistant_finds_reads_and_cites_a_paper_in_three_short_calls(zotsite):
    """With its page, in fewer than 3,000 characters in all (specs/29-mcp.md)."""
    pytest.importorskip("mcp")
    import anyio
    from mcp import Client, StdioServerParameters

    from mcp_clients import command, environment, said

    executable, *given = command("mcp", "--library", zotsite.path)
    server = StdioServerParameters(command=executable, args=given, env=environment(zotsite.config.home))
    lengths = []

    async def run():
        async with Client(server) as client:

            async def ask(name, **given):
                result = await client.call_tool(name, given)
                lengths.append(len(result.content[0].text))
                return said(result)

            question = "Which paper introduced scaled dot-product attention?"
            found = await ask("best_match", query=question, limit=1, budget=1000)
            passage = found["hits"][0]["passages"][0]["id"]
            return found, await ask("get_passage", id=passage, budget=1400), await ask("cite", passage=passage)

    found, read, cited = anyio.run(run)
    assert found["hits"][0]["title"] == "Attention is All you Need"
    assert "dot-product attention" in read["passage"]["quoted_text"].lower()
    assert cited["citation"] == "[@vaswaniAttentionAllYou2017, p. 4]"
    assert len(lengths) == 3
    assert sum(lengths) < 3000
