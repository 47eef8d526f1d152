"""How much of a query each sentence of a passage says by its words (specs/19-sentences.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pincite.text.marks import matches
from pincite.values.query import Query, TermKind

SHORT_WORD = 0.5
"""What a word of up to three letters counts, which is mostly grammar."""


def shares(query: Query, text: str, sentences: Sequence[tuple[int, int]], language: str = "") -> list[float]:
    """For each sentence the share of the query (0 to 1) that its words carry; a word counts by how few of the sentences say it, and one that
    none says counts the most."""
    held = [{word for _, _, word in matches(query, text[start:end], language)} for start, end in sentences]
    wanted = {term.text for term in query.terms if term.kind is not TermKind.PHRASE or term.quoted}
    weight = {}
    for word in wanted:
        rarity = math.log(1 + len(sentences) / max(0.5, sum(word in words for words in held)))
        weight[word] = rarity * (SHORT_WORD if len(word) <= 3 and word.isascii() else 1.0)
    whole = sum(weight.values())
    return [sum(weight.get(word, 0.0) for word in words) / whole if whole else 0.0 for words in held]
