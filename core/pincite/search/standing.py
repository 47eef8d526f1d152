"""How far the index had come when a question was asked."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import TYPE_CHECKING

from pincite.errors import NotReady
from pincite.spec import Ranker
from pincite.values.ledger import Totals
from pincite.values.quick import dataclass
from pincite.values.search import RankerStatus

if TYPE_CHECKING:
    from pincite.library import Library


@dataclass(frozen=True)
class Standing:
    """Taken once a question, before anything is ranked: an answer is remembered under what was there when it was begun, so that whatever
    is written meanwhile makes the next one anew.

    `change`: the store's last. `indexed`: whether a run has read all records once. `rankers`: name → status, None where it is not ready.
    """

    change: int
    totals: Totals
    indexed: bool
    rankers: Mapping[str, RankerStatus | None]

    @property
    def key(self) -> Hashable:
        """What an answer depends on, besides its question."""
        applied = tuple((name, one.applied, one.rows) if one else (name, -1, -1) for name, one in self.rankers.items())
        return self.change, self.totals.waiting, applied

    def degraded(self, took_part: Mapping[str, Ranker]) -> list[str]:
        """Why an answer of these rankers would be incomplete."""
        found = [self.rankers.get(name) or ranker.status() for name, ranker in took_part.items()]
        reasons = [one.degraded for one in found if one.degraded]
        if not self.indexed:
            reasons.append("the library has not been read to its end yet; run `pincite index`")
        if self.totals.waiting:
            reasons.append(f"{self.totals.waiting:,} of {self.totals.files:,} files are not read yet")
        return reasons


def standing_of(library: Library, names: Collection[str]) -> Standing:
    """Where the index and these rankers stand now."""
    store = library.store
    change, totals, indexed = store.last_change(), store.totals(), library.indexed
    rankers: dict[str, RankerStatus | None] = {}
    for name in names:
        try:
            rankers[name] = library.ranker(name).status()
        except NotReady:
            rankers[name] = None
    return Standing(change, totals, indexed, rankers)
