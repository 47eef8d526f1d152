"""Picks the sentence by the query's words in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pincite.text.marks import matches
from pincite.text.wording import SHORT_WORD, shares
from pincite.values.query import Query, TermKind
from pincite.values.search import Quotable

AGAIN = 0.1
"""What a further mention of a word adds, as a share of the first."""

NEIGHBOURS = 0.3
"""What two of the query's words next to each other add, as a share of the lesser one."""


class LexicalPicker:
    """Implements `pincite.spec.Picker`. Each word of the query counts by how few of the passage's sentences say it; among
    equals the earlier sentence wins."""

    name = "lexical"

    def pick(
        self, query: Query, text: str, sentences: Sequence[tuple[int, int]], language: str = ""
    ) -> tuple[int, int] | None:
        """The sentence that carries most of the query; None where no sentence has any of its words."""
        found = [matches(query, text[start:end], language) for start, end in sentences]
        held = [{word for _, _, word in matched} for matched in found]
        if not any(held):
            return None
        weight = {}
        for word in set().union(*held):
            rarity = math.log(1 + len(sentences) / sum(word in words for words in held))
            weight[word] = rarity * (SHORT_WORD if len(word) <= 3 and word.isascii() else 1.0)
        pairs = {term.parts for term in query.terms if term.kind is TermKind.PHRASE and len(term.parts) == 2}
        best, chosen = -1.0, 0
        for index, matched in enumerate(found):
            score = _score(matched, weight, pairs)
            if score > best + 1e-9:
                best, chosen = score, index
        start, end = sentences[chosen]
        return start, end

    def pick_all(self, query: Query, passages: Sequence[Quotable]) -> list[tuple[int, int] | None]:
        """The sentence of each; by the forms that the library's ranker knows, where they are given, which is much faster."""
        return [
            self._by_forms(query, one) if one.sought else self.pick(query, one.text, one.sentences, one.language)
            for one in passages
        ]

    def _by_forms(self, query: Query, passage: Quotable) -> tuple[int, int] | None:
        said = shares(query, passage)
        best = max(said, default=0.0)
        return passage.sentences[said.index(best)] if best > 0 else None


def _score(matched: list[tuple[int, int, str]], weight: dict[str, float], pairs: set[tuple[str, ...]]) -> float:
    seen: dict[str, int] = {}
    for _, _, word in matched:
        seen[word] = seen.get(word, 0) + 1
    score = sum(weight[word] * (1 + AGAIN * math.log(count)) for word, count in seen.items())
    for (_, end, first), (start, _, second) in pairwise(matched):
        if 0 < start - end <= 2 and (first, second) in pairs:
            score += NEIGHBOURS * min(weight[first], weight[second])
    return score
