"""A question of field words alone ("author:okafor year:2019..") is not ranked: the works that they admit are listed."""

from __future__ import annotations

from pincite.spec import Store
from pincite.values.library import Item
from pincite.values.query import Query
from pincite.values.search import Fused, RowSet

SORTED = 5_000
"""Works that are put in order, which means to read each; of more, the order of the library is kept."""

PART = "filter"
"""What a listed work has in place of evidence."""


def lists(query: Query) -> bool:
    """Whether a query has field words and nothing to rank by."""
    return not query.terms and not query.semantic.strip() and not query.filter.empty


def listed(query: Query, store: Store, admitted: RowSet | None) -> tuple[list[Fused], RowSet]:
    """The works that the filter admits, the newest first, then by title, and its rows. One that holds an excluded word is left out: a row
    of it is not among `admitted` (`pincite.search.engine.admitted`)."""
    rows = store.resolve(query.filter) or RowSet.of(())
    works = RowSet.of(store.items_of(rows.rows)).rows
    if query.excluded and admitted is not None:
        barred = store.items_of(rows.rows[~admitted.mask(rows.rows)])
        works = works[~RowSet.of(barred).mask(works)]
    found = [int(work) for work in works if work >= 0]
    if len(found) <= SORTED:
        items = {work: item for work in found if (item := store.item(work)) is not None}
        found = sorted(items, key=lambda work: (*_place(items[work]), work))
    return [Fused(work, 1.0, 1.0, {PART: 1.0}) for work in found], rows


def _place(item: Item) -> tuple[int, str]:
    return -(item.year or 0), item.title.casefold()
