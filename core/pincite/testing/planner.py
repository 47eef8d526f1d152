"""The contract kit of planners."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.testing.kit import Kit
from pincite.testing.samples import HOSTILE, TEXTS, numbered

SAMPLES = [("Kelp forests after the storm", TEXTS[0]), ("Glocken und Zeit", TEXTS[1])]


class PlannerKit(Kit):
    """Subclass it and name the planner."""

    kind = "planner"

    @pytest.fixture
    def planner(self, folder: Path) -> Any:
        """The planner under test."""
        return self.made(self.context(folder))

    @pytest.mark.parametrize("text", [*TEXTS, *HOSTILE[7:]], ids=numbered)
    def test_gives_up_to_eight_probes_the_question_first(self, planner: Any, text: str) -> None:
        for samples in ([], SAMPLES):
            probes = planner.plan(text, samples)
            self.must(all(isinstance(one, str) for one in probes), f"gives probes that are no text: {probes!r:.80}")
            self.must(probes[:1] == [text], f"does not give the question first ({text[:20]!r})")
            self.must(len(probes) <= 8, f"gives {len(probes)} probes; eight at most")

    def test_changes_nothing_it_was_given(self, planner: Any) -> None:
        samples = list(SAMPLES)
        planner.plan(TEXTS[0], samples)
        self.must(samples == SAMPLES, "changes the samples that it is given")
