"""Whole answers over a small library: real store, real index of words, a tiny embedder."""

import dataclasses
import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from indexes import configure, opened
from pincite.search.cache import RecentAnswers
from pincite.values.search import RowSet

WORKS = [
    {
        "id": "kelp",
        "title": "Kelp holdfasts after the storm",
        "abstract": "Holdfasts keep kelp on the rock through winter storms along the open coast.",
        "text": "# Methods\n\nWe pulled each holdfast with a spring balance until it let go of the rock, and wrote down the force it took in newtons.\n\n"
        "# Results\n\nOlder holdfasts needed ninety newtons before they tore, while those of the first year let go at twelve newtons only.",
    },
    {
        "id": "urchin",
        "title": "Urchins at night",
        "abstract": "Urchins walk at night and graze where otters are gone.",
        "text": "Urchins walked eleven metres in one night. They grazed on drifting blades before they climbed to the canopy of the plants.",
    },
    {"id": "bells", "title": "Glocken", "abstract": "Die Glocke schlägt zur vollen Stunde.", "text": "Die Glocke hängt im alten Turm."},
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    (folder / "works.jsonl").write_text("".join(json.dumps(one) + "\n" for one in WORKS), "utf-8")
    return folder


@pytest.fixture(scope="module")
def config(folder):
    return configure(folder / "config", '[picker]\nuse = "lexical"\n')


@pytest.fixture(scope="module")
def index_home(folder):
    return folder / "home"


@pytest.fixture
def library(folder, config, index_home, monkeypatch):
    monkeypatch.setenv("PINCITE_HOME", str(index_home))
    with opened(folder / "works.jsonl", config) as library:
        library.index()
        yield library


def test_sentences_are_exact_slices_and_marks_lie_in_them(library):
    for hit in library.search("holdfasts newtons urchins"):
        for passage in hit.passages:
            start, end = passage.at
            assert passage.text[start:end] == passage.sentence
            assert len(passage.sentence) <= 300
            assert all(0 <= low < high <= len(passage.sentence) for low, high in passage.marks)


def test_the_passage_that_says_it_comes_first_not_one_that_has_the_title_above_it(library):
    hit = library.search("kelp holdfasts newtons tore", engine="lexical").hits[0]
    assert hit.item.title == WORKS[0]["title"]
    assert "ninety newtons" in hit.passages[0].sentence


class Late:
    """A ranker as it is, but for the terms, which it tells when it is asked."""

    def __init__(self, ranker):
        self.ranker, self.asked = ranker, []

    def rank(self, query, rows, limit, cancelled=lambda: False):
        return [dataclasses.replace(one, terms=()) for one in self.ranker.rank(query, rows, limit, cancelled)]

    def met(self, query, rows):
        self.asked += rows.tolist()
        return {one.row: one.terms for one in self.ranker.rank(query, RowSet(rows), len(rows))}

    def __getattr__(self, name):
        return getattr(self.ranker, name)


@pytest.mark.parametrize("engine", ["lexical", "hybrid"])
def test_an_answer_is_the_same_where_the_ranker_tells_terms_when_it_is_asked(library, monkeypatch, engine):
    queries = ("holdfasts newtons urchins", "Urchins at night", "which plants let go of the rock", "glocke")
    expected = [library.search(query, engine=engine) for query in queries]
    monkeypatch.setattr(library, "recent_scores", RecentAnswers())
    monkeypatch.setattr(library, "recent_hits", RecentAnswers())
    own = library.ranker
    late = Late(own("fts5"))
    monkeypatch.setattr(library, "ranker", lambda name: late if name == "fts5" else own(name))
    assert [library.search(query, engine=engine) for query in queries] == expected
    assert late.asked


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_a_work_whose_whole_title_is_typed_comes_first_in_every_engine(library, engine):
    hit = library.search("urchins AT night", engine=engine).hits[0]
    assert (hit.item.title, hit.relevance, hit.low_confidence) == ("Urchins at night", 1.0, False)


def test_a_filter_is_stronger_than_a_title(library):
    from pincite.values.search import Filter

    hits = library.search("Urchins at night", engine="lexical", filter=Filter(languages=frozenset({"de"}))).hits
    assert all(hit.item.title != "Urchins at night" for hit in hits)


def test_an_excluded_word_is_kept_out_of_every_engine(library):
    for engine in ("lexical", "semantic", "hybrid"):
        for hit in library.search("plants -urchins", engine=engine):
            assert all("urchins" not in passage.text.lower() for passage in hit.passages)


def test_a_word_that_is_nearly_one_of_the_library_is_suggested_and_not_applied(library):
    results = library.search("holdfsats", engine="lexical")
    assert "holdfasts" in results.suggestions["holdfsats"]
    assert "holdfasts" in library.search("Holdfäzts").suggestions["holdfäzts"]
    assert results.hits == ()


def test_a_lexical_search_reads_no_vector_file(library, monkeypatch):
    from pincite_plugins.rankers.vector.file import CodesFile

    def touched(*given):
        raise AssertionError("a file of vectors was opened")

    for method in ("head", "read", "verify"):
        monkeypatch.setattr(CodesFile, method, touched)
    assert library.search("holdfasts tore", engine="lexical").hits
    with pytest.raises(Exception, match="a file of vectors was opened"):
        library.search("holdfasts tore", engine="semantic")


def test_an_answer_by_one_small_word_of_many_is_of_low_confidence(library):
    results = library.search("the quantum chromodynamics lattice renormalisation", engine="lexical")
    assert results.hits
    assert all(hit.low_confidence for hit in results.hits)
    assert not library.search("holdfasts tore", engine="lexical").hits[0].low_confidence


def test_an_identifier_that_no_work_has_is_of_low_confidence(library):
    assert all(hit.low_confidence for hit in library.search("10.1234/nothing.here"))


def test_no_two_passages_of_a_work_say_the_same_and_three_are_quoted_at_most(library):
    for hit in library.search("holdfasts kelp rock newtons storms"):
        assert len(hit.passages) <= 3
        assert len({passage.text for passage in hit.passages}) == len(hit.passages)


def test_a_second_identical_question_asks_no_ranker_again(library):
    first = library.search("holdfasts tore", engine="lexical")
    ranker = library.ranker("fts5")

    def refuse(*args, **given):
        raise AssertionError("asked again")

    ranker.__dict__["rank"] = refuse
    assert library.search("holdfasts tore", engine="lexical") == first


def test_a_change_of_the_library_is_never_answered_from_memory(folder, config, index_home, monkeypatch, tmp_path):
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    path = tmp_path / "works.jsonl"
    path.write_text(json.dumps(WORKS[0]) + "\n", "utf-8")
    with opened(path, config) as library:
        library.index()
        assert len(library.search("urchins", engine="lexical").hits) == 0
        path.write_text("".join(json.dumps(one) + "\n" for one in WORKS), "utf-8")
        library.index()
        assert len(library.search("urchins", engine="lexical").hits) == 1


def test_batches_are_the_hits_of_the_whole(library):
    asked = library.ask("holdfasts urchins Glocke")
    whole = asked.hits(0, 10)
    assert [one.item.id for one in asked.hits(0, 1) + asked.hits(1, 10)] == [one.item.id for one in whole]
    assert [one.rank for one in whole] == list(range(1, len(whole) + 1))


def test_every_passage_of_a_work_on_demand(library):
    asked = library.ask("holdfasts newtons", engine="lexical")
    item = asked.scored.ranking.fused[0].item
    every = asked.session.all_passages(item)
    shown = asked.hits(0, 1)[0]
    assert len(every) == len(shown.passages) + shown.more_passages
    assert [one.id for one in every[: len(shown.passages)]] == [one.id for one in shown.passages]


class LastFirst:
    """A picker that orders passages of a work from the least worth on."""

    name = "last first"

    def pick(self, query, text, sentences):
        return None

    def order(self, query, passages):
        assert [one.worth for one in passages] == sorted((one.worth for one in passages), reverse=True)
        return list(reversed(range(len(passages))))


def test_a_picker_orders_the_passages_of_the_first_work_and_of_one_shown_whole(library, monkeypatch):
    question = "holdfasts newtons kelp urchins night"
    asked = library.ask(question, engine="lexical")
    before = [[one.id for one in hit.passages] for hit in asked.hits(0, 10)]
    session = dataclasses.replace(asked.session, pickers=(LastFirst(),))
    hits = session.hits(0, 10)
    assert len(before[0]) > 1
    assert hits[0].passages[0].id not in before[0][:1]
    assert [[one.id for one in hit.passages] for hit in hits[1:]] == before[1:]
    assert session.all_passages(asked.scored.ranking.fused[0].item)[0].id == hits[0].passages[0].id


def test_explains_a_hit_and_an_absent_work(library):
    from pincite.search.explain import explain

    asked = library.ask("holdfasts tore", engine="lexical")
    told = explain(library, asked, asked.hits(0, 1)[0].item.id, 0.5)
    assert told["rank"] == 1
    assert told["rankers"]["fts5"]["decision"] == "kept"
    assert {"holdfasts", "tore"} <= {word["word"] for word in told["rankers"]["fts5"]["why"]["words"]}
    absent = explain(library, asked, next(id for id in library.store.fingerprints() if "bells" in id), 0.5)
    assert absent["rank"] is None
    assert "no passage of it matches" in absent["absent"]


def test_an_index_that_a_reader_found_damaged_says_that_its_answer_is_not_whole(
    library, folder, config, tmp_path, monkeypatch
):
    copied = tmp_path / "home"
    library.close()
    shutil.copytree(library.config.home, copied)
    (database,) = copied.glob("indexes/*/index.db")
    with open(database, "r+b") as file:
        file.truncate(database.stat().st_size * 2 // 3)
    monkeypatch.setenv("PINCITE_HOME", str(copied))
    with opened(folder / "works.jsonl", config) as damaged:
        for engine in ("lexical", "semantic", "hybrid"):
            found = damaged.search("holdfasts", engine=engine)
            assert not found.hits
            assert "run `pincite index`" in found.degraded
        damaged.index()
        assert damaged.search("holdfasts").hits[0].item.id == "kelp"
        assert damaged.search("holdfasts").degraded is None


def test_a_work_that_cannot_be_quoted_is_told_of(config, tmp_path, monkeypatch):
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "kelp.txt").write_text(
        "We pulled each holdfast with a spring balance until it let go of the rock.\n"
    )
    with opened(tmp_path / "notes", config) as library:
        library.index()
        assert library.search("spring balance", engine="lexical").degraded is None
    (pack,) = (tmp_path / "home").rglob("*.pack")
    pack.write_bytes(pack.read_bytes()[:-100])
    with opened(tmp_path / "notes", config) as library:
        for _ in range(2):
            found = library.search("spring balance", engine="lexical")
            assert len(found.hits) == 1
            assert "cannot be read; run `pincite index`" in found.degraded
        library.index()
        again = library.search("spring balance", engine="lexical")
        assert again.degraded is None
        assert "spring balance" in again.hits[0].passages[0].text


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_where_no_passage_is_long_enough_for_a_vector_nothing_is_missing(config, tmp_path, monkeypatch, engine):
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    (tmp_path / "note.md").write_text("# Trial\n\nhello lighthouse\n")
    with opened(tmp_path / "note.md", config) as library:
        library.index(embed=False)
        assert library.search("hello", engine=engine).degraded is None


def test_threads_take_turns_and_closing_waits_for_them(folder, config, index_home, library, monkeypatch):
    """Plugins are promised one thread at a time."""
    library.index()
    together, inside = [], []
    real = library.embedder.embed

    def embed(texts, kind, cancelled=lambda: False):
        inside.append(texts)
        together.append(len(inside))
        time.sleep(0.02)
        vectors = real(texts, kind, cancelled)
        inside.pop()
        return vectors

    monkeypatch.setattr(library.embedder, "embed", embed)
    with ThreadPoolExecutor(4) as pool:
        asked = [
            pool.submit(library.search, f"holdfasts {word}")
            for word in ("rock", "storm", "newtons", "winter", "otters")
        ]
        while not together:
            time.sleep(0.001)
        library.close()
        assert not inside
        assert all(one.result().hits for one in asked)
    assert set(together) == {1}
