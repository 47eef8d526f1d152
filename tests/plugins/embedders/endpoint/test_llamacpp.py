"""A real llama.cpp server (xllamacpp runs it in this process), serving the default model from the same blocks of weights.

Run by ``tox -e endpoints``; skipped where xllamacpp or gguf is not installed.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest

from gguf_model import write_gguf
from pincite.endpoints.records import Verdict
from pincite.plugin.making import context_without_library

xllamacpp = pytest.importorskip("xllamacpp", reason="tox -e endpoints installs xllamacpp")
pytest.importorskip("gguf", reason="tox -e endpoints installs gguf")
pytestmark = [pytest.mark.model, pytest.mark.xdist_group("model")]

SUBJECTS = (
    "tides",
    "bees",
    "glaciers",
    "looms",
    "eclipses",
    "canals",
    "orchids",
    "printing",
    "vaccines",
    "volcanoes",
    "opera",
)
CLAIMS = (
    "Measurements of {a} over thirty years show no trend that survives a correction for {b}.",
    "The guild that traded in {a} kept its accounts apart from those for {b}.",
    "Wie {a} und {b} zusammenhängen, ist seit dem neunzehnten Jahrhundert umstritten.",
    "A model of {a} that leaves out {b} overstates the variance by a third.",
    "Les archives mentionnent {a} bien avant {b}, mais sans en donner la cause.",
)


@pytest.fixture(scope="session")
def gguf(shared_tmp):
    """Weights → file, written once a run."""

    def path(weights):
        file = shared_tmp / f"e5-{weights}.gguf"
        if not file.exists():
            beside = file.with_suffix(".writing")
            write_gguf(beside, weights)
            beside.rename(file)
        return file

    return path


@contextmanager
def serving(path, pooling="", context=2048, batch=0, slots=4):
    """The address of llama.cpp's server over a model file."""
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(path)
    wanted.embedding = True
    wanted.n_ctx, wanted.n_parallel = context, slots
    wanted.n_batch = wanted.n_ubatch = batch or context
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    wanted.cpuparams.n_threads = 2
    wanted.warmup = False
    wanted.verbosity = 0
    if pooling:
        wanted.pooling_type = getattr(xllamacpp.llama_pooling_type, f"LLAMA_POOLING_TYPE_{pooling.upper()}")
    server = xllamacpp.Server(wanted)
    try:
        yield server.listening_address
    finally:
        del server


@pytest.fixture
def endpoint(model_home):
    """Makes endpoint embedders over the default model."""
    from pincite.config.load import load
    from pincite.library import plugins_of
    from pincite.plugin.making import make_with

    made = []

    def make(url, **settings):
        found = load(None, environ={"PINCITE_HOME": str(model_home)})
        plugins = plugins_of(found)
        context = context_without_library(found, plugins, lambda line: sys.stderr.write(line + "\n"))
        made.append(make_with(plugins, "embedder", "endpoint", {"url": url, "timeout": 300.0, **settings}, context))
        return made[-1]

    yield make
    for one in made:
        one.close()


def verdict(embedder):
    return embedder.verify(embedder.servers[0])


@pytest.mark.parametrize("weights", ["q4_0", "q4_1", "q8_0", "f16"])
def test_the_same_model_in_any_weights_is_ok(weights, gguf, endpoint):
    with serving(gguf(weights)) as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.OK, found.line
    assert "refused" in found.figures["beyond"]


@pytest.mark.parametrize("pooling", ["cls", "last"])
def test_another_pooling_is_low_agreement(pooling, gguf, endpoint):
    with serving(gguf("q4_0"), pooling) as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.LOW_AGREEMENT, found.line
    assert "pooling" in found.seen


def test_no_pooling_is_not_embeddings(gguf, endpoint):
    with serving(gguf("q4_0"), "none") as url:
        found = verdict(endpoint(url))
    assert found.verdict is Verdict.NOT_EMBEDDINGS, found.line


def test_no_prefix_and_the_prefix_of_queries_are_low_agreement(gguf, endpoint):
    with serving(gguf("q4_0")) as url:
        without = verdict(endpoint(url, prefix="server"))
        queries = verdict(endpoint(url, passage_prefix="query: "))
    assert without.verdict is Verdict.LOW_AGREEMENT, without.line
    assert queries.verdict is Verdict.LOW_AGREEMENT, queries.line
    assert "vectors of queries" in queries.seen


def test_a_slot_or_a_batch_that_is_too_small_is_a_context_too_small(gguf, endpoint):
    with serving(gguf("q4_0"), context=1024, slots=4) as url:
        slot = verdict(endpoint(url))
    with serving(gguf("q4_0"), context=2048, batch=256) as url:
        batch = verdict(endpoint(url))
    for found in (slot, batch):
        assert found.verdict is Verdict.CONTEXT_TOO_SMALL, found.line
        assert "tokens" in found.seen


def test_the_command_of_the_facts_serves_a_whole_window(gguf, endpoint):
    from pincite_plugins.embedders.endpoint.command import llama_cpp

    embedder = endpoint("http://127.0.0.1:9")
    words = llama_cpp(embedder, "mean").split()
    value = {name: words[words.index(name) + 1] for name in ("--pooling", "--ctx-size", "--parallel", "--ubatch-size")}
    with serving(
        gguf("q4_0"),
        value["--pooling"],
        int(value["--ctx-size"]),
        int(value["--ubatch-size"]),
        int(value["--parallel"]),
    ) as url:
        assert verdict(endpoint(url)).ok


def test_an_index_through_it_finds_what_the_local_one_finds(gguf, model_home, tmp_path):
    import pincite

    library = tmp_path / "library"
    library.mkdir()
    pairs = [(a, b) for a in SUBJECTS for b in SUBJECTS if a < b]
    for number, (a, b) in enumerate(pairs):
        body = "\n\n".join(claim.format(a=a, b=b) for claim in CLAIMS[number % 3 :])
        (library / f"text{number}.txt").write_text(f"On {a} and {b}\n\n{body}")
    queries = [f"how {a} relate to {b}" for a, b in pairs[::2]] + [f"{a} without {b}" for b, a in pairs[1::4]]

    def answers(index, **settings):
        with pincite.open(library, **settings) as lib:
            lib.folder = index
            report = lib.index()
            assert not report.unfinished, report.unfinished
            found = [lib.search(query, engine="semantic", margin=0.0) for query in queries]
            counts = dict(getattr(lib.embedder, "counts", {}))
        return [[(hit.item.id, hit.evidence["vector"].score) for hit in one.hits] for one in found], counts

    with serving(gguf("q4_0")) as url:
        there, counts = answers(
            tmp_path / "there", embedder__use="endpoint", embedder__url=url, embedder__timeout=300.0
        )
    here, _ = answers(tmp_path / "here")
    assert counts["there"] > 0
    assert counts["here"] <= counts["there"] // 20
    alike = [same_but_for_near_ties(one, other) for one, other in zip(there, here, strict=True)]
    assert np.mean(alike) >= 0.95, f"{sum(alike)} of {len(alike)} queries"


def same_but_for_near_ties(one, other, tie=0.004):
    """Whether two top tens are the same, where items whose raw cosines are as good as equal may change places."""
    scores = dict(other)
    edge = min(score for _, score in other)
    if any(scores[item] > edge + tie for item in set(scores) - {item for item, _ in one}):
        return False
    ranked = [scores.get(item, edge) for item, _ in one]
    return all(after - before <= tie for before, after in pairwise(ranked))
