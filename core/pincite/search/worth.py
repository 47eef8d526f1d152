"""Which passages of a work are worth quoting: the blend of what the model says and what their own words carry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pincite.values.search import Chunk, ChunkKind, Evidence

KIND = {
    ChunkKind.CAPTION: 0.85,
    ChunkKind.TABLE: 0.75,
    ChunkKind.FOOTNOTE: 0.65,
    ChunkKind.REFERENCE: 0.35,
}
"""What a passage counts by its kind, 1 where none is given: what is not the running text loses unless it says clearly more."""

ROLE = {"authors": 0.4, "title": 0.5, "keywords": 0.6}
"""The same by the role of its block."""

ADDRESS = 0.5
"""What a passage of names and addresses counts."""

FULL_LENGTH = 12
"""Words from which on a passage counts fully; a shorter one is a stub that says little beside the words it was found by."""

PLACED = 0.05
"""What the ranker of words itself adds (its score knows repetition and nearness): it decides between passages of equal share."""

_MAIL = re.compile(r"[\w.+}-]\s?@\s?[\w-]+\.\w")
_STOP = re.compile(r"[^\W\d_]{3,}[.!?](?:\s|$)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage of a work that may be shown. `own`: the share of the query that its own words carry; `words`: which of them.
    `gained`: what it has besides, by a label that was asked for."""

    chunk: Chunk
    text: str
    section: tuple[str, ...]
    evidence: Mapping[str, Evidence]
    own: float
    words: frozenset[str]
    gained: float = 0.0
    worth: float = 0.0


def worth(candidate: Candidate, lexical: str, others: int) -> float:
    """From 0 to about 1, and over it where a label was asked for. `lexical`: the ranker that goes by words, "" if it took no part;
    `others`: how many other rankers took part.

    The mean of the own words' share and of the other rankers' fractions, times what the passage's kind counts.
    """
    meant = sum(one.fraction for name, one in candidate.evidence.items() if name != lexical)
    parts = [meant / others] if others else []
    if lexical or not others:
        parts.append(candidate.own)
    blended = sum(parts) / len(parts)
    placed = candidate.evidence.get(lexical)
    blended += PLACED * (placed.fraction if placed else 0.0)
    return blended * standing(candidate.chunk, candidate.text) + candidate.gained


def standing(chunk: Chunk, text: str) -> float:
    """What a passage counts by what it is: 1 for running text."""
    counts = KIND.get(chunk.kind, 1.0) * ROLE.get(chunk.role, 1.0)
    if chunk.kind in (ChunkKind.BODY, ChunkKind.FOOTNOTE) and not chunk.role and is_address(text):
        counts *= ADDRESS
    if chunk.kind in (ChunkKind.NOTE, ChunkKind.ANNOTATION):
        return counts
    words = sum(1 for _ in re.finditer(r"\w+", text[:200])) + sum(char > "\u2e80" for char in text[:60]) // 2
    return counts * min(1.0, 0.4 + 0.6 * words / FULL_LENGTH)


def is_address(text: str) -> bool:
    """Whether a text is the block of names and addresses at a paper's head rather than prose: it has a mail address, is short, and
    hardly a sentence ends in it."""
    return len(text) < 1200 and _MAIL.search(text) is not None and len(_STOP.findall(text)) <= 2
