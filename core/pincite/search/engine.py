"""One query through the rankers of an engine and the fuser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import numpy as np

from pincite.errors import NotReady, PluginError
from pincite.search.covered import BEST
from pincite.search.lists import LEAST, background, cut_margin, lift
from pincite.search.met import with_terms
from pincite.spec import Cancel, Fuser, Ranker, Store
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.search import Evidence, Fused, Ranked, RowSet

HEAD = 200
"""Passages of a ranker, of those asked for, whose items are remembered: a work that a query names is looked for among them."""

DEEPEST = 64
"""How many times the passages asked for may be doubled until there are items enough: any number of rows is reached."""

Heard = dict[tuple[str, int], tuple[list[Evidence], dict[int, int]]]
"""Ranker and passages asked of it → its evidence, and the work of each: who cuts it otherwise asks nobody again."""

Asking = Callable[[int], tuple[list[Evidence], dict[int, int]]]
"""How many passages → what one ranker says."""


@dataclass(frozen=True)
class Ranking:
    """What the rankers and the fuser made of a query. `missing`: ranker → why it could not take part. `weak`: nothing is
    above a floor, and the best of what there is stands in for it. `heads`: ranker → the items that `fullest` gives, before a cut."""

    fused: list[Fused]
    lists: Mapping[str, Sequence[Ranked]]
    evidence: Mapping[str, Sequence[Evidence]]
    rows: RowSet | None
    missing: Mapping[str, str] = field(default_factory=dict)
    weak: bool = False
    heads: Mapping[str, frozenset[int]] = field(default_factory=dict)


def rank(
    query: Query,
    store: Store,
    rankers: Mapping[str, Ranker],
    fuser: Fuser,
    rows: RowSet | None,
    *,
    items: int,
    margin: float,
    passages: int = 0,
    floor: bool = True,
    cancelled: Cancel = lambda: False,
    heard: Heard | None = None,
) -> Ranking:
    """Ranks the passages of `rows` (None: all `passages`; see `admitted`) to a depth of at least `items` items for each ranker.

    A ranker that is not ready is left out and named in `missing`; any other error is raised. `floor` False keeps evidence of
    fraction 0 (evaluation). The fuser is given whole lists, so that an item found by one ranker is also judged by the others; what the
    cut leaves in none of them is then taken out. `heard` is what rankers said of this query and these rows before, and is added to.
    """
    missing: dict[str, str] = {}
    evidence: dict[str, list[Evidence]] = {}
    lists: dict[str, list[Ranked]] = {}
    whole: dict[str, list[Ranked]] = {}
    heads: dict[str, frozenset[int]] = {}
    heard = {} if heard is None else heard

    def ask_of(name: str, ranker: Ranker) -> Asking:
        def ask(limit: int) -> tuple[list[Evidence], dict[int, int]]:
            if (name, limit) not in heard:
                found = ranker.rank(query, rows, limit, cancelled)
                try:
                    ids = np.array([one.row for one in found], np.int64)
                except (TypeError, ValueError, OverflowError) as error:
                    raise PluginError(f"ranker.{name}", f"rank() gave a row that is no row: {error}") from None
                item_of = dict(zip(ids.tolist(), store.items_of(ids).tolist(), strict=True))
                heard[name, limit] = with_terms(query, ranker, found, _looked_at(found, item_of)), item_of
            return heard[name, limit]

        return ask

    looked_at = passages if rows is None else len(rows)
    for name, ranker in rankers.items():
        try:
            kept, cut, every, heads[name] = _deep_enough(ask_of(name, ranker), looked_at, items, margin, floor)
        except NotReady as error:
            missing[name] = str(error)
            continue
        evidence[name], lists[name] = kept, cut
        if every:
            whole[name] = every
    fused = fuser.fuse(query, whole)
    shown = {one.item for cut in lists.values() for one in cut}
    return Ranking([one for one in fused if one.item in shown], lists, evidence, rows, missing, heads=heads)


def _looked_at(found: Sequence[Evidence], item_of: Mapping[int, int]) -> set[int]:
    """The rows of which it matters what words they say: the head, and the first of each of the best items."""
    first: dict[int, int] = {}
    for one in found:
        first.setdefault(item_of[one.row], one.row)
        if len(first) == BEST:
            break
    return {*(one.row for one in found[:HEAD]), *first.values()}


def fullest(found: Sequence[Evidence]) -> list[Evidence]:
    """Those of the best `HEAD` passages that say as many of the query's words as any."""
    head = found[:HEAD]
    most = max((len(one.terms) for one in head), default=0)
    return [one for one in head if len(one.terms) == most]


def admitted(query: Query, store: Store, lexicon: object = None) -> RowSet | None:
    """The chunk rows that may answer: what the filter admits, without what holds a word that the query excludes (which a `lexicon` with
    `rows_holding` knows). None where all may."""
    rows = None if query.filter.empty else store.resolve(query.filter)
    holding = getattr(lexicon, "rows_holding", None)
    if not query.excluded or holding is None:
        return rows
    every = store.all_rows() if rows is None else rows.rows
    return RowSet(every[~np.isin(every, holding(query.excluded))])


def _deep_enough(
    ask: Asking, looked_at: int, items: int, margin: float, floor: bool
) -> tuple[list[Evidence], list[Ranked], list[Ranked], frozenset[int]]:
    """What is above the cut, its items, the items of all that was found, and those of its head. Asks for more passages until there are
    `items` items or no more passages: one long work must not hide the others."""
    limit = max(50, 4 * items)
    for _ in range(DEEPEST):
        found, item_of = ask(limit)
        kept = cut_margin(found, margin) if floor else list(found)
        silent = looked_at - len(found) if 0 < len(found) < min(limit, LEAST) and found[0].terms else 0
        whole = background([one.score for one in found], max(0, silent))
        ranked = lift(kept, item_of, whole)
        if len(ranked) >= items or len(found) < limit or len(kept) < len(found):
            break
        limit *= 2
    head = frozenset(item_of[one.row] for one in fullest(found))
    return kept, ranked, ranked if len(kept) == len(found) else lift(found, item_of, whole), head
