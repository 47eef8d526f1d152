"""The contract of stores: the rows that a filter admits."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.testing.store.base import StoreBase
from pincite.values.search import Filter


class FilterTests(StoreBase):
    """What a filter lets through."""

    @pytest.mark.parametrize(
        ("filter", "items"),
        [
            (Filter(tags=frozenset({"OCEAN"})), {"kelp", "bells", "tides"}),
            (Filter(tags=frozenset({"zeit"})), {"bells"}),
            (Filter(tags=frozenset({"ocean"}), years=(2000, None)), {"kelp"}),
            (Filter(years=(1999, 2018)), {"kelp", "bells"}),
            (Filter(years=(None, 1998)), set()),
            (Filter(kinds=frozenset({"book", "report"})), {"bells", "tides"}),
            (Filter(groups=frozenset({"guild"})), {"bells"}),
            (Filter(groups=frozenset({""})), {"kelp", "tides"}),
            (Filter(collections=frozenset({"coast/plants"})), {"kelp"}),
            (Filter(collections=frozenset({"coast"})), {"kelp"}),
            (Filter(collections=frozenset({"plants/"})), {"kelp"}),
            (Filter(collections=frozenset({"plant", "st/plants", "/"})), set()),
            (Filter(creators=frozenset({"okaf"})), {"kelp"}),
            (Filter(creators=frozenset({"渡辺"})), {"tides"}),
            (Filter(items=frozenset({"kelp", "nobody"})), {"kelp"}),
            (Filter(items=frozenset({"nobody"})), set()),
            (Filter(tags=frozenset({"100%_'\""})), set()),
        ],
    )  # fmt: skip
    def test_a_filter_admits_the_rows_of_the_right_items(self, filled: Any, filter: Filter, items: set[str]) -> None:
        rows = filled.resolve(filter)
        self.must(rows is not None, "says that a filter admits everything")
        found = set(filled.item_ids(set(filled.items_of(rows.rows).tolist())).values())
        self.must(found == items, f"admits {sorted(found)} for {filter}; it should admit {sorted(items)}")
        whole = sum(len(filled.rows_of_item(filled.find_item(id))) for id in items)
        self.must(
            len(rows) == whole and rows.rows.tolist() == sorted(set(rows.rows.tolist())),
            "does not admit every row of an item once, sorted",
        )

    def test_an_empty_filter_admits_all_and_languages_are_those_of_passages(self, filled: Any) -> None:
        self.must(filled.resolve(Filter()) is None, "does not give None for the empty filter")
        rows = filled.resolve(Filter(languages=frozenset({"de"})))
        self.must(self.ids(filled, rows.rows) == ["bells#item0"], f"admits {self.ids(filled, rows.rows)} for German")
