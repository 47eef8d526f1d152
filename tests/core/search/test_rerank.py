"""Reranking the top (specs/18-fusion.md)."""

import time

import pytest

from pincite.errors import Cancelled, PluginError
from pincite.query.parse import parse
from pincite.search.engine import Ranking
from pincite.search.rerank import rerank
from pincite.values.search import Evidence, Fused
from stores import BELLS, KELP, open_store, put


class Turned:
    name = "turned"

    def __init__(self):
        self.seen = []

    def rerank(self, query, candidates, cancelled=lambda: False):
        self.seen = list(candidates)
        return [(item, float(number)) for number, (item, _) in reversed(list(enumerate(candidates)))]


class Slow(Turned):
    def rerank(self, query, candidates, cancelled=lambda: False):
        while not cancelled():
            time.sleep(0.001)
        raise Cancelled("stopped")


class Torn(Turned):
    def rerank(self, query, candidates, cancelled=lambda: False):
        raise PluginError("reranker.torn", "no model")


@pytest.fixture
def ranked(tmp_path):
    store = open_store(tmp_path)
    kelp, bells = put(store, KELP), put(store, BELLS)
    rows = {id: store.find_chunk(id) for id in ("kelp-f#0", "kelp-f#1", "bells-f#0")}
    evidence = {
        "words": [Evidence(rows["kelp-f#0"], 2.0, 0.9), Evidence(rows["kelp-f#1"], 1.0, 0.4)],
        "vectors": [Evidence(rows["bells-f#0"], 0.8, 0.8), Evidence(rows["kelp-f#1"], 0.7, 0.95)],
    }
    fused = [Fused(kelp, 0.03, 0.95), Fused(bells, 0.02, 0.8), Fused(99, 0.01, 0.1)]
    yield store, Ranking(fused, {}, evidence, None), kelp, bells
    store.close()


def run(ranked, reranker, items=2, cancelled=lambda: False, seconds=5.0):
    return rerank(parse("rock"), ranked[0], reranker, ranked[1], items=items, seconds=seconds, cancelled=cancelled)


def test_the_top_is_reordered_by_each_items_best_passage_and_the_rest_stays(ranked):
    _, before, kelp, bells = ranked
    reranker = Turned()
    ranking, why = run(ranked, reranker)
    assert reranker.seen == [
        (kelp, "Urchins graze where otters are gone."),
        (bells, "Die Glocke schlägt zur vollen Stunde."),
    ]
    assert [one.item for one in ranking.fused] == [bells, kelp, 99]
    assert ranking.fused[0].parts["reranker"] == 1.0
    assert ranking.fused[2] == before.fused[2]
    assert [one.score for one in ranking.fused] == sorted((one.score for one in ranking.fused), reverse=True)
    assert why == ""


def test_items_without_a_text_come_after_those_with_one(ranked):
    ranking, _ = run(ranked, Turned(), items=3)
    assert [one.item for one in ranking.fused] == [ranked[3], ranked[2], 99]


@pytest.mark.parametrize(
    ("reranker", "said"), [(Slow(), "turned was not done within 0.1 s"), (Torn(), "plugin reranker.torn: no model")]
)
def test_one_that_fails_or_takes_too_long_leaves_the_order(ranked, reranker, said):
    ranking, why = run(ranked, reranker, seconds=0.1)
    assert ranking == ranked[1]
    assert why == f"not reranked: {said}"


def test_a_cancelled_search_is_cancelled(ranked):
    with pytest.raises(Cancelled):
        run(ranked, Slow(), cancelled=lambda: True)
