"""Which passages of a work are worth quoting: the blend of what the model says and what their own words carry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pincite.values.quick import dataclass
from pincite.values.search import Chunk, ChunkKind, Evidence, Sought

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
"""Different words from which on a passage counts fully; a shorter one is a stub that says little beside the words it was found by."""

PLACED = 0.05
"""What the ranker of words itself adds (its score knows repetition and nearness): it decides between passages of equal share."""

LEAST = 0.5
"""Share of the best passage's worth that another one of the same work needs to be shown."""

_MAIL = re.compile(r"[\w.+}-]\s?@\s?[\w-]+\.\w")
PIECES = 0.6
"""What a text without a single sentence counts: the words of a drawing, a formula, a heading that stands alone."""

_END = re.compile(r"\w[\w\s,;:'’()\-]{20,}[.!?;:]|[。！？।؟]")
_STOP = re.compile(r"[^\W\d_]{3,}[.!?](?:\s|$)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage of a work that may be shown. `own`: the share of the query that its own words carry; `words`: which of them.
    `gained`: what it has besides, by a label that was asked for. `sought`: the words sought in the forms that its file says them in, where
    no index knows them."""

    chunk: Chunk
    text: str
    section: tuple[str, ...]
    evidence: Mapping[str, Evidence]
    own: float
    words: frozenset[str]
    gained: float = 0.0
    worth: float = 0.0
    sought: tuple[Sought, ...] = ()


Spread = tuple[float, float]
"""The median and the highest of a ranker's raw scores over a work's passages."""


def worth(candidate: Candidate, lexical: str, spreads: Mapping[str, Spread]) -> float:
    """From 0 to about 1, and over it where a label was asked for. `lexical`: the ranker that goes by words, "" if it took no part;
    `spreads`: of the other rankers that took part.

    The mean of the own words' share and of what the other rankers say, times what the passage's kind counts.
    """
    most = worth_at_most(candidate.evidence, candidate.own, lexical, spreads)
    return most * standing(candidate.chunk, candidate.text) + candidate.gained


def worth_at_most(evidence: Mapping[str, Evidence], own: float, lexical: str, spreads: Mapping[str, Spread]) -> float:
    """What a passage is worth as running text that gains by no label: told without its text where it is known that its words carry no more
    than `own` of the query."""
    parts = [_meant(evidence[name], *spread) if name in evidence else 0.0 for name, spread in spreads.items()]
    parts = [sum(parts) / len(parts)] if parts else []
    others = len(parts)
    if lexical or not others:
        parts.append(own)
    placed = evidence.get(lexical)
    return sum(parts) / len(parts) + PLACED * (placed.fraction if placed else 0.0)


def least_worth(passages: Iterable[Candidate]) -> float:
    """What a passage of a work must be worth to be shown beside these."""
    return LEAST * max((one.worth for one in passages), default=0.0)


def worth_showing(passages: Sequence[Candidate]) -> list[Candidate]:
    """Those of a work, as ordered, that are not far below the one of most worth; what stands first, for whatever reason, stays."""
    least = least_worth(passages)
    return [one for at, one in enumerate(passages) if at == 0 or one.worth >= least]


def _meant(said: Evidence, median: float, best: float) -> float:
    """Half the calibrated fraction, half where the passage stands among those of its work: a work that is shown for another reason has all
    its fractions at 0, and its nearest passage is wanted all the same."""
    among = (said.score - median) / (best - median) if best > median else 1.0
    return 0.5 * said.fraction + 0.5 * min(1.0, max(0.0, among))


def standing(chunk: Chunk, text: str) -> float:
    """What a passage counts by what it is: 1 for running text."""
    counts = KIND.get(chunk.kind, 1.0) * ROLE.get(chunk.role, 1.0)
    if chunk.kind in (ChunkKind.BODY, ChunkKind.FOOTNOTE) and not chunk.role and is_address(text):
        counts *= ADDRESS
    if chunk.kind is ChunkKind.BODY and _END.search(text) is None:
        counts *= PIECES
    if chunk.kind in (ChunkKind.NOTE, ChunkKind.ANNOTATION):
        return counts
    words = len(set(re.findall(r"\w+", text[:200]))) + sum(char > "\u2e80" for char in text[:60]) // 2
    return counts * min(1.0, 0.4 + 0.6 * words / FULL_LENGTH)


def is_address(text: str) -> bool:
    """Whether a text is the block of names and addresses at a paper's head rather than prose: it has a mail address, is short, and
    hardly a sentence ends in it."""
    return len(text) < 1200 and "@" in text and _MAIL.search(text) is not None and len(_STOP.findall(text)) <= 2
