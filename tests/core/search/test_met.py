"""Which words passages say, asked of a ranker that tells it apart from its ranking (`pincite.spec.Lexicon`)."""

from types import SimpleNamespace

from pincite.query.parse import parse
from pincite.search.engine import HEAD, rank
from pincite.search.met import with_terms
from pincite.values.search import Evidence
from pincite_plugins.fusers.rrf.rrf import ReciprocalRankFusion

QUERY = parse("tides rise ")
FOUND = [Evidence(row, 1 / row, 1 / row) for row in range(1, 5)]


class Late:
    """A ranker that finds these, and says of each what it met when it is asked."""

    def __init__(self, found=FOUND, met=("tides",)):
        self.found, self.terms, self.asked = found, met, []

    def rank(self, query, rows, limit, cancelled=lambda: False):
        return self.found[:limit]

    def met(self, query, rows):
        self.asked.append(rows.tolist())
        return dict.fromkeys(rows.tolist(), self.terms)


def test_terms_are_asked_for_once_and_of_what_is_wanted():
    late = Late()
    told = with_terms(QUERY, late, FOUND, {3, 1, 9})
    assert late.asked == [[1, 3]]
    assert [one.terms for one in told] == [("tides",), (), ("tides",), ()]
    assert [(one.row, one.score, one.fraction) for one in told] == [(one.row, one.score, one.fraction) for one in FOUND]


def test_of_all_where_none_are_named_and_of_nothing_where_there_is_nothing():
    late = Late()
    assert all(one.terms for one in with_terms(QUERY, late, FOUND))
    assert with_terms(QUERY, late, []) == with_terms(QUERY, late, [], {1}) == []
    assert late.asked == [[1, 2, 3, 4]]


def test_a_ranker_that_names_them_at_once_is_asked_nothing():
    found = [Evidence(1, 1.0, 1.0, ("rise",))]
    assert with_terms(QUERY, SimpleNamespace(), found) == found


def test_one_long_work_does_not_hide_what_others_say():
    """Coverage goes by the best items, whose passages may come after many of one item."""
    late = Late([Evidence(row, 1 / row, 1 / row) for row in range(1, 400)])
    store = SimpleNamespace(items_of=lambda rows: (rows - 1) // 250)
    ranking = rank(QUERY, store, {"late": late}, ReciprocalRankFusion(), None, items=2, margin=0.0)
    assert late.asked[-1] == [*range(1, HEAD + 1), 251]
    assert [one.terms for one in ranking.lists["late"]] == [("tides",), ("tides",)]
