"""From a ranker's passages to its list of items: margin cut, lifting, dense ranks (specs/18-fusion.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.values.search import Evidence, Ranked


def cut_margin(evidence: Sequence[Evidence], margin: float) -> list[Evidence]:
    """What carries at least `margin` of the best fraction. The best itself stays, unless it carries nothing at all."""
    best = max((one.fraction for one in evidence), default=0.0)
    return [one for one in evidence if one.fraction > 0 and one.fraction >= margin * best]


def lift(evidence: Sequence[Evidence], item_of: Mapping[int, int]) -> list[Ranked]:
    """Items by their best passage, best first; equal scores share a dense rank and are ordered by item.

    `item_of`: chunk row → item row; rows that are gone are left out.
    """
    best: dict[int, Evidence] = {}
    for one in evidence:
        item = item_of.get(one.row, -1)
        if item >= 0 and (item not in best or one.score > best[item].score):
            best[item] = one
    ordered = sorted(best.items(), key=lambda pair: (-pair[1].score, pair[0]))
    ranked: list[Ranked] = []
    rank, before = 0, None
    for item, one in ordered:
        if one.score != before:
            rank, before = rank + 1, one.score
        ranked.append(Ranked(item, one.score, one.fraction, rank, one.terms))
    return ranked
