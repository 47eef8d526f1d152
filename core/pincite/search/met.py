"""Which of a query's words passages say, asked of a ranker that tells it apart from its ranking."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from pincite.spec import Ranker
from pincite.values.query import Query
from pincite.values.search import Evidence


def with_terms(
    query: Query, ranker: Ranker, evidence: Sequence[Evidence], rows: Collection[int] | None = None
) -> list[Evidence]:
    """`evidence`, that of `rows` (None: all of it) with the terms met. As it is where the ranker named them at once, or does not know them
    (`pincite.spec.Lexicon`)."""
    met = getattr(ranker, "met", None)
    wanted = [] if met is None else [one.row for one in evidence if rows is None or one.row in rows]
    if met is None or not wanted:
        return list(evidence)
    told = met(query, np.array(sorted(wanted), np.int64))
    return [Evidence(one.row, one.score, one.fraction, told[one.row]) if one.row in told else one for one in evidence]
