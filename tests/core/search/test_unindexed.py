"""Answers over a library whose files no run has reached yet (specs/31-previews.md)."""

import json

import pytest

from indexes import configure, opened
from pincite.errors import Cancelled, UsageError
from pincite.search import anywhere
from pincite.search.as_json import results_json
from pincite.values.search import Filter

WORKS = [
    {"id": "kelp", "title": "Kelp and its holdfast", "file": "kelp.md"},
    {"id": "gone", "title": "A holdfast that is lost", "file": "nowhere.md"},
    {"id": "long", "title": "Urchins at night"},
]  # fmt: skip

FILLER = " ".join(
    f"Then station {number} was left to the tide, and nothing of it was written down that day." for number in range(8)
)

KELP = f"""# Methods

We pulled each holdfast with a spring balance until it let go of the rock, and wrote down the force it took in newtons. {FILLER}

# Results

Older holdfasts needed ninety newtons before they tore, while those of the first year let go at twelve newtons only. {FILLER}

# Ausblick

Die alten Pflanzen halten sich am Felsen fest, und der Sturm im Winter reißt nur die jungen mit sich fort, wie wir gesehen haben.
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "works"
    folder.mkdir()
    (folder / "kelp.md").write_text(KELP, "utf-8")
    entries = [
        f"@book{{{one['id']}, author={{Okafor, Ada}}, title={{{one['title']}}}, year={{2018}}"
        + (f", file={{{one['file']}}}" if "file" in one else "")
        + "}\n"
        for one in WORKS
    ]
    (folder / "works.bib").write_text("".join(entries), "utf-8")
    return folder


def library_of(folder, more=""):
    config = configure(folder / "config", '[picker]\nuse = "lexical"\n[previews]\nseconds = 60\n' + more)
    return opened(folder / "works.bib", config)


@pytest.fixture
def library(folder):
    with library_of(folder) as library:
        library.index(seconds=0, embed=False)
        assert library.store.totals().waiting == 1
        yield library


def hit_of(results, title):
    return next(hit for hit in results if hit.item.title == title)


def test_a_work_that_is_found_by_its_title_is_quoted_from_its_file(library):
    results = library.search("holdfast newtons tore", engine="lexical")
    passages = hit_of(results, "Kelp and its holdfast").passages
    assert "ninety newtons" in passages[0].sentence
    assert passages[0].text[slice(*passages[0].at)] == passages[0].sentence
    assert passages[0].section == ("Results",)
    assert "newtons" in {passages[0].sentence[start:end] for start, end in passages[0].marks}
    for engine in ("lexical", "hybrid"):  # what finishes the index is said once, whoever says it
        assert library.search("holdfast newtons tore", engine=engine).degraded.count("run `pincite index`") == 1


def test_nothing_wrong_is_said_of_where_it_comes_from(library):
    results = library.search("holdfast newtons tore", engine="lexical")
    passage = hit_of(results, "Kelp and its holdfast").passages[0]
    assert not passage.indexed
    assert passage.evidence == {}
    shown = next(hit for hit in results_json(results)["hits"] if hit["item"]["key"] == "kelp")
    assert shown["passages"][0]["indexed"] is False
    assert shown["unread"] == {}
    json.dumps(shown)


def test_once_indexed_the_same_passage_has_the_same_id_and_is_shown_once(library):
    before = hit_of(library.search("holdfast newtons tore", engine="lexical"), "Kelp and its holdfast").passages[0]
    library.index(embed=False)
    after = hit_of(library.search("holdfast newtons tore", engine="lexical"), "Kelp and its holdfast").passages
    assert [one.id for one in after].count(before.id) == 1
    assert all(one.indexed for one in after)
    assert after[0].text == before.text


def test_a_work_whose_file_is_missing_says_so(library):
    hit = hit_of(library.search("holdfast", engine="lexical"), "A holdfast that is lost")
    assert hit.passages == ()
    assert list(hit.unread.values()) == ["nowhere.md: there is no such file"]


def test_a_file_that_gives_nothing_is_named_with_its_reason(library, folder):
    (folder / "kelp.md").write_text("", "utf-8")
    hit = hit_of(library.search("holdfast", engine="lexical"), "Kelp and its holdfast")
    (line,) = hit.unread.values()
    assert line.startswith("kelp.md is not indexed yet, and gives no passage now: ")


def test_without_time_no_file_is_read_and_the_work_says_that_it_waits(folder):
    with library_of(folder) as library:
        library.index(seconds=0, embed=False)
    config = folder / "config" / "pincite.toml"
    config.write_text(config.read_text("utf-8").replace("seconds = 60", "seconds = 0"), "utf-8")
    with opened(folder / "works.bib", config) as library:
        hit = hit_of(library.search("holdfast", engine="lexical"), "Kelp and its holdfast")
        assert hit.passages == ()
        assert list(hit.unread.values()) == ["kelp.md is not indexed yet"]
        assert "previews" not in library.__dict__


def test_a_first_answer_without_previews_is_completed_by_the_second(library):
    asked = library.ask("holdfast newtons", engine="lexical")
    first = hit_of(asked.results(10, previews=False), "Kelp and its holdfast")
    assert first.passages == ()
    assert hit_of(asked.results(10), "Kelp and its holdfast").passages


def test_a_search_that_is_cancelled_stops_waiting(library):
    asked = library.ask("holdfast newtons", engine="lexical")
    shown = asked.results(10, previews=False)
    assert shown.hits
    stopping = library.ask("holdfast newtons", engine="lexical", cancelled=lambda: True)
    with pytest.raises(Cancelled):
        stopping.results(10)


def test_the_filter_of_languages_and_the_exclusions_hold(library):
    german = library.search("Kelp holdfast Sturm", engine="lexical", filter=Filter(languages=frozenset({"de"})))
    assert all("newtons" not in passage.text for hit in german for passage in hit.passages)
    without = library.search("holdfast newtons -balance", engine="lexical")
    texts = [passage.text for hit in without for passage in hit.passages]
    assert texts
    assert all("balance" not in text for text in texts)


def test_a_passage_is_read_by_its_id_with_its_neighbours(library):
    passage = hit_of(library.search("holdfast newtons tore", engine="lexical"), "Kelp and its holdfast").passages[0]
    found = anywhere.find(library, passage.id)
    assert (found.text, found.chunk.page, found.item.title) == (passage.text, passage.page, "Kelp and its holdfast")
    before, after = anywhere.around(library, found, 1)
    number = int(passage.id.rpartition("#")[2])
    assert [int(one.chunk.id.rpartition("#")[2]) for one in (*before, *after)] == [number - 1, number + 1]
    assert all(one.text and not one.chunk.indexed for one in (*before, *after))
    assert anywhere.has(library, passage.id)
    attachment = passage.id.rpartition("#")[0]
    with pytest.raises(UsageError, match="no passage"):
        anywhere.find(library, f"{attachment}#999")
    with pytest.raises(UsageError, match="no passage has the id"):
        anywhere.find(library, "nothing#0")


def test_every_passage_of_a_work_has_those_of_its_unread_files(library):
    row = library.store.find_item(hit_of(library.search("holdfast", engine="lexical"), "Kelp and its holdfast").item.id)
    found, unread = anywhere.every(library, row)
    assert unread == []
    assert [one.text for one in found if "newtons" in one.text]
    session = library.ask("newtons", engine="lexical").session
    assert all("newtons" in one.text for one in session.all_passages(row, 60.0))
