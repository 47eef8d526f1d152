"""A library of papers indexed through a real llama.cpp server: the same ten best passages as an index made here.

Run by ``tox -e endpoints``; skipped where xllamacpp or gguf is not installed, or without PINCITE_CORPORA. The questions are those of
``tests/benchmarks/questions.toml``: about these papers, and about others of the same fields, whose best passages lie closer together.
What is a near-tie is measured in the same run, on texts that are neither passages nor questions of it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

import pincite
from llama_server import serving
from pincite.calibration.triples import own_triples
from pincite.query.parse import parse

pytest.importorskip("xllamacpp", reason="tox -e endpoints installs xllamacpp")
pytest.importorskip("gguf", reason="tox -e endpoints installs gguf")
pytestmark = [pytest.mark.model, pytest.mark.corpora]

PAPERS = (
    "grobid-dutot", "grobid-wang-ave2008", "jcon.00012", "jcon.00068", "jose.00029", "naacl06-shinyama", "sp-P07-1088", "sp-pedersen04",
)  # fmt: skip
QUESTIONS = tomllib.loads((Path(__file__).parents[3] / "benchmarks" / "questions.toml").read_text("utf-8"))["question"]
BEST = 10
TRIPLES = [triple for triple in own_triples() if triple.lang == triple.to == "en"]
"""Questions and passages of the calibration corpus: the noise of a cosine between llama.cpp's arithmetic and ours is measured on them."""


def ranked(shelf, index, **settings):
    """Question → passages with their cosines, best first; how many passages were embedded there and here; vectors of `TRIPLES`."""
    with pincite.open(shelf, **settings) as library:
        library.folder = index
        report = library.index()
        assert (report.unfinished, report.problems) == ("", [])
        counts = dict(getattr(library.embedder, "counts", {}))
        vectors = {
            "query": library.embedder.embed([triple.query for triple in TRIPLES], "query"),
            "passage": library.embedder.embed([triple.passage for triple in TRIPLES], "passage"),
        }
        ranker, found = library.ranker("vector"), {}
        for question in QUESTIONS:
            rows = {one.row: one.score for one in ranker.rank(parse(question["text"]), None, 10_000)}
            chunks = library.store.chunks(list(rows))
            found[question["text"]] = {(chunks[row].id, chunks[row].child == ""): score for row, score in rows.items()}
    return found, counts, vectors


def noise(there, here):
    """Two standard deviations of the difference between a cosine there and here, over every question with every passage."""
    return 2 * float(np.std(here["query"] @ there["passage"].T - here["query"] @ here["passage"].T))


def same_best(there, here, tie=0.003):
    """Whether the ten best are the same ten, where passages whose cosines here differ by less than `tie` may change places."""
    edge = sorted(here.values(), reverse=True)[BEST - 1]
    best = sorted(there, key=there.__getitem__, reverse=True)[:BEST]
    sure = {passage for passage, score in here.items() if score > edge + tie}
    possible = {passage for passage, score in here.items() if score > edge - tie}
    return sure <= set(best) <= possible


def test_near_ties_may_change_places_and_nothing_else_may():
    here = {f"p{place}": 0.9 - 0.01 * place for place in range(30)}
    assert same_best(here, here)
    assert same_best({**here, "p10": here["p9"] + 0.001}, {**here, "p10": here["p9"] - 0.002})
    assert not same_best({**here, "p10": here["p9"] + 0.001}, here)
    assert not same_best({**here, "p0": 0.0}, here)


def test_papers_indexed_through_it_have_the_same_ten_best_passages(gguf, corpora, model_home, tmp_path):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for name in PAPERS:
        (shelf / f"{name}.pdf").symlink_to(corpora / "docs" / "papers" / f"{name}.pdf")
    here, _, ours = ranked(shelf, tmp_path / "here")
    with serving(gguf("q4_0")) as url:
        settings = {"embedder__use": "endpoint", "embedder__url": url, "embedder__timeout": 300.0}
        there, counts, theirs = ranked(shelf, tmp_path / "there", **settings)
    passages = len(here[QUESTIONS[0]["text"]])
    assert passages > 300
    assert len(QUESTIONS) >= 40
    assert counts["there"] > 0
    assert counts["here"] <= counts["there"] // 20
    tie = noise(theirs, ours)
    alike = [same_best(there[question], here[question], tie) for question in here]
    told = f"{sum(alike)} of {len(alike)} questions over {passages} passages, ties {tie:.4f}"
    print(told)
    assert 0 < tie < 0.01, told
    assert sum(alike) / len(alike) >= 0.95, told
