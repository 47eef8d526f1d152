"""The contract kit of fusers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.testing.kit import Kit
from pincite.testing.samples import ask
from pincite.values.search import Fused, Ranked

QUERY = ask("holdfast and rock")


def ranked(*pairs: tuple[int, float]) -> list[Ranked]:
    """A ranker's list from (item, score) pairs, best first, with dense ranks; the score is the fraction too."""
    out: list[Ranked] = []
    rank = 0
    for item, score in pairs:
        rank += not out or out[-1].score != score
        out.append(Ranked(item, score, min(1.0, max(0.0, score)), rank))
    return out


def lists() -> dict[str, list[Ranked]]:
    """Two rankers' lists, made anew: what a fuser does to them reaches no other test."""
    return {
        "words": ranked((7, 0.9), (3, 0.8), (5, 0.8), (11, 0.3)),
        "vectors": ranked((3, 0.95), (2, 0.6), (7, 0.6), (13, 0.1)),
    }


class FuserKit(Kit):
    """Subclass it and name the fuser; nothing else is needed."""

    kind = "fuser"

    @pytest.fixture
    def fuser(self, folder: Path) -> Any:
        """The fuser under test."""
        return self.made(self.context(folder))

    def test_has_the_name_that_it_is_registered_by(self, fuser: Any) -> None:
        self.must(fuser.name == self.name, f"calls itself {fuser.name!r}")

    def test_gives_each_item_of_the_lists_once_and_no_other(self, fuser: Any) -> None:
        fused = fuser.fuse(QUERY, lists())
        self.must(all(isinstance(one, Fused) for one in fused), "gives something else than Fused")
        self.must(
            sorted(_items(fused)) == [2, 3, 5, 7, 11, 13],
            f"gives the items {sorted(_items(fused))} for the union of 2, 3, 5, 7, 11, 13",
        )

    def test_is_best_first_and_equal_scores_are_by_item(self, fuser: Any) -> None:
        fused = fuser.fuse(QUERY, lists())
        self.must(
            _items(fused) == _items(sorted(fused, key=lambda one: (-one.score, one.item))),
            f"is not best first: {_items(fused)}",
        )
        equal = fuser.fuse(QUERY, {"a": ranked((9, 0.5), (1, 0.4)), "b": ranked((1, 0.5), (9, 0.4))})
        self.must(
            equal[0].score != equal[1].score or _items(equal) == [1, 9],
            f"does not order equal scores by item: {_items(equal)}",
        )

    def test_scores_are_finite_and_relevance_is_the_strongest_evidence(self, fuser: Any) -> None:
        strongest: dict[int, float] = {}
        for entries in lists().values():
            for entry in entries:
                strongest[entry.item] = max(strongest.get(entry.item, 0.0), entry.fraction)
        for one in fuser.fuse(QUERY, lists()):
            self.must(math.isfinite(one.score), f"gives item {one.item} a score of {one.score}")
            self.must(
                math.isclose(one.relevance, strongest[one.item], abs_tol=1e-6),
                f"gives item {one.item} a relevance of {one.relevance}; its strongest evidence is {strongest[one.item]}",
            )

    def test_one_list_alone_keeps_its_order(self, fuser: Any) -> None:
        for entries in lists().values():
            self.must(
                _items(fuser.fuse(QUERY, {"only": entries})) == [one.item for one in entries],
                "changes the order of the only list there is",
            )

    def test_an_item_that_leads_every_list_comes_first(self, fuser: Any) -> None:
        fused = fuser.fuse(
            QUERY, {"a": ranked((4, 0.9), (8, 0.8)), "b": ranked((4, 0.7), (6, 0.2)), "c": ranked((4, 0.5))}
        )
        self.must(fused[0].item == 4, f"puts {fused[0].item} before 4, which leads every list")

    def test_no_lists_and_empty_lists_give_nothing(self, fuser: Any) -> None:
        self.must(list(fuser.fuse(QUERY, {})) == [], "gives something for no lists")
        self.must(list(fuser.fuse(QUERY, {"a": [], "b": []})) == [], "gives something for empty lists")
        self.must(
            _items(fuser.fuse(QUERY, {"a": [], "b": lists()["words"]})) == [7, 3, 5, 11],
            "minds an empty list beside another",
        )

    def test_scores_without_any_evidence_are_no_trouble(self, fuser: Any) -> None:
        fused = fuser.fuse(QUERY, {"a": ranked((2, 0.0), (1, 0.0)), "b": ranked((1, -5.0))})
        self.must(
            all(math.isfinite(one.score) and math.isfinite(one.relevance) for one in fused),
            "cannot take scores of zero or below",
        )

    def test_asking_again_gives_the_same_and_changes_nothing_it_was_given(self, fuser: Any) -> None:
        given = lists()
        first = fuser.fuse(QUERY, given)
        self.must(given == lists(), "changes the lists that it is given")
        self.must(first == fuser.fuse(QUERY, given), "gives another answer when it is asked again")
        turned = fuser.fuse(QUERY, dict(reversed(list(given.items()))))
        same = all(
            math.isclose(one.score, other.score)
            for one, other in zip(sorted(first, key=_item), sorted(turned, key=_item), strict=True)
        )
        self.must(same, "scores differently when the rankers are named in another order")


def _item(one: Fused) -> int:
    return one.item


def _items(fused: Sequence[Fused]) -> list[int]:
    return [one.item for one in fused]
