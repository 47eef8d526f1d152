"""The contract kit of rerankers."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pincite.errors import Cancelled
from pincite.testing.kit import Kit
from pincite.testing.samples import HOSTILE, TEXTS, ask, numbered

CANDIDATES = [(number * 3 + 1, text) for number, text in enumerate(TEXTS)]
QUERY = ask("what holds seaweed to the rock")


class RerankerKit(Kit):
    """Subclass it and name the reranker.

    `within`: seconds that twenty passages of 2,000 characters may take. `alone`: whether a passage's score must not depend on the
    other candidates (a list-wise reranker says false).
    """

    kind = "reranker"
    within: ClassVar[float] = 30.0
    alone: ClassVar[bool] = True

    @pytest.fixture
    def reranker(self, folder: Path) -> Any:
        """The reranker under test."""
        return self.made(self.context(folder))

    def test_has_the_name_that_it_is_registered_by(self, reranker: Any) -> None:
        self.must(reranker.name == self.name, f"calls itself {reranker.name!r}")

    def test_gives_back_each_candidate_once_best_first(self, reranker: Any) -> None:
        found = reranker.rerank(QUERY, CANDIDATES)
        self.must(
            sorted(item for item, _ in found) == sorted(item for item, _ in CANDIDATES),
            "does not give back each candidate once",
        )
        scores = [score for _, score in found]
        self.must(
            all(isinstance(score, float) and math.isfinite(score) for score in scores),
            f"gives scores that are no finite floats: {scores}",
        )
        self.must(scores == sorted(scores, reverse=True), f"is not best first: {scores}")

    def test_no_candidates_give_nothing(self, reranker: Any) -> None:
        self.must(list(reranker.rerank(QUERY, [])) == [], "gives something for no candidates")

    @pytest.mark.parametrize("text", HOSTILE, ids=numbered)
    def test_any_query_and_any_text_will_do(self, reranker: Any, text: str) -> None:
        for query, candidates in ((ask(text), CANDIDATES[:2]), (QUERY, [(1, text), (2, "rock")])):
            found = reranker.rerank(query, candidates)
            self.must(
                sorted(item for item, _ in found) == sorted(item for item, _ in candidates),
                f"loses a candidate ({text[:20]!r})",
            )
            self.must(
                all(math.isfinite(score) for _, score in found), f"gives a score that is not finite ({text[:20]!r})"
            )

    def test_asking_again_gives_the_same_and_changes_nothing_it_was_given(self, reranker: Any) -> None:
        candidates = list(CANDIDATES)
        first = reranker.rerank(QUERY, candidates)
        self.must(candidates == CANDIDATES, "changes the candidates that it is given")
        self.must(_close(first, reranker.rerank(QUERY, candidates)), "gives another answer when it is asked again")

    def test_a_score_does_not_depend_on_the_other_candidates(self, reranker: Any) -> None:
        if not self.alone:
            return
        together = dict(reranker.rerank(QUERY, [*CANDIDATES, (99, "rock " * 400)]))
        for item, text in CANDIDATES:
            ((_, score),) = reranker.rerank(QUERY, [(item, text)])
            self.must(
                math.isclose(score, together[item], abs_tol=0.02, rel_tol=0.02),
                f"gives {score} alone and {together[item]} in company",
            )

    def test_is_done_in_bounded_time(self, reranker: Any) -> None:
        reranker.rerank(QUERY, CANDIDATES[:1])
        candidates = [(number, f"{TEXTS[number % len(TEXTS)]} " * 60) for number in range(20)]
        started = time.monotonic()
        reranker.rerank(QUERY, [(number, text[:2000]) for number, text in candidates])
        took = time.monotonic() - started
        self.must(
            took <= self.within,
            f"takes {took:.1f} s for twenty passages; it says that it takes {self.within:g} s at most",
        )

    def test_stops_when_it_is_told_to(self, reranker: Any) -> None:
        with self.raises(Cancelled, message="must raise Cancelled when it is told to stop"):
            reranker.rerank(QUERY, CANDIDATES, lambda: True)

    def test_everything_is_given_back(self, reranker: Any, folder: Path) -> None:
        reranker.rerank(QUERY, CANDIDATES[:2])
        with self.gives_back():
            for _ in range(2):
                other = self.made(self.context(folder))
                other.rerank(QUERY, CANDIDATES[:2])
                if hasattr(other, "close"):
                    other.close()
                del other


def _close(one: Any, other: Any) -> bool:
    pairs = zip(one, other, strict=True)
    return all(left[0] == right[0] and math.isclose(left[1], right[1], abs_tol=1e-4) for left, right in pairs)
