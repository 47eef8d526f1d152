"""A search asks each part once for what it needs (specs/01-contract.md, "In use")."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import pincite
from indexes import configure
from pincite.plugin.guard import Guarded
from pincite.search.asked_once import AskedOnce
from pincite.spec import ModelFacts
from stores import vectors_of


class Counting:
    facts = ModelFacts("one", "one", 32, 60)

    def __init__(self):
        self.asked = []

    def embed(self, texts, kind, cancelled=lambda: False):
        self.asked.append((tuple(texts), kind))
        return vectors_of(list(texts))

    def count(self, texts):
        return [len(text) for text in texts]


def test_a_query_is_read_once():
    own = Counting()
    embedder = AskedOnce(own)
    first = embedder.embed(["low tide"], "query")
    again = embedder.embed(["low tide"], "query")
    assert np.array_equal(first, again)
    assert own.asked == [(("low tide",), "query")]


def test_another_query_another_model_and_passages_are_read():
    own = Counting()
    embedder = AskedOnce(own)
    embedder.embed(["low tide"], "query")
    embedder.embed(["high tide"], "query")
    own.facts = ModelFacts("two", "two", 32, 60)
    embedder.embed(["high tide"], "query")
    embedder.embed(["high tide"], "passage")
    embedder.embed(["high tide"], "passage")
    assert len(own.asked) == 5


def test_who_changes_a_vector_changes_their_own():
    embedder = AskedOnce(Counting())
    held = embedder.embed(["low tide"], "query")
    held[:] = 0
    assert embedder.embed(["low tide"], "query").any()


def test_all_else_is_the_embedders_own():
    own = Counting()
    assert AskedOnce(own).count(["tide"]) == [4]
    assert AskedOnce(own).facts is own.facts


@pytest.fixture
def library(tmp_path):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for name, text in (
        ("ebb.txt", "The ebb leaves the flats dry."),
        ("flood.txt", "The flood covers the flats again."),
    ):
        (shelf / name).write_text(f"{text}\n\nA tide gauge stands at the pier.\n", "utf-8")
    with pincite.open(shelf, config=configure(tmp_path / "config")) as opened:
        opened.index()
        opened.search("warm-up")
        yield opened


def calls_of(library, monkeypatch, question, engine):
    """How often each method of each plugin is called for a question."""
    counts = Counter()
    get = Guarded.__getattr__

    def got(self, name):
        value = get(self, name)
        if name not in self.__dict__:
            return value

        def counted(*args, **given):
            counts[f"{self._plugin.split(' ')[-1].strip('()')}.{name}"] += 1
            return value(*args, **given)

        self.__dict__[name] = counted
        return counted

    for part in library._open:
        for name in [name for name, value in vars(part).items() if not name.startswith("_") and callable(value)]:
            del vars(part)[name]
    monkeypatch.setattr(Guarded, "__getattr__", got)
    assert library.search(question, engine=engine).hits
    return counts


@pytest.mark.parametrize("engine", ["lexical", "semantic", "hybrid"])
def test_a_search_asks_for_nothing_twice(library, monkeypatch, engine):
    counts = calls_of(library, monkeypatch, "where does the tide gauge stand", engine)
    for once in ("totals", "get", "chunks", "texts"):
        assert counts[f"store.sqlite.{once}"] == 1, once
    assert counts["ranker.fts5.sought"] == 1
    if engine != "semantic":
        # once for the ranking, once for the passages of the works that are shown
        assert counts["ranker.fts5.rank"] == 2
        assert counts["ranker.fts5.status"] == 1
    if engine != "lexical":
        assert counts["ranker.vector.rank"] == 2
        assert counts["ranker.vector.status"] == 1
        assert counts["embedder.tiny.embed"] <= 2


def test_an_answer_is_never_older_than_the_index(library, tmp_path):
    assert not library.search("quetzalcoatlus", engine="lexical").hits
    (tmp_path / "shelf" / "late.txt").write_text("A quetzalcoatlus was seen over the flats.\n", "utf-8")
    with pincite.open(library.path, config=tmp_path / "config" / "pincite.toml") as writer:
        writer.index()
    assert library.search("quetzalcoatlus", engine="lexical").hits
    assert library.search("quetzalcoatlus", engine="hybrid").hits
