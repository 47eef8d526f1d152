"""What a search gives: hits with their passages. The JSON form is specs/10-search-json.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pincite.values.library import Item
from pincite.values.quick import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """What one ranker said of a hit or passage: raw score, calibrated fraction (0 to 1), dense rank from 1 (None for a passage)."""

    score: float
    fraction: float
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as shown.

    `text` is read back from the pack; `sentence` is the line worth reading, an exact span of `text` at `at`; `marks` are [start, end)
    spans of the query's words in `sentence`. `page` is ordinal from 1, `page_label` what is printed on it. `kind`: what it is
    made of (`ChunkKind`); `worth`: what put it before the work's other passages. `indexed` is false where the file was read for this
    answer alone: no ranker knows the passage, and `evidence` is empty.
    """

    id: str
    text: str
    sentence: str
    at: tuple[int, int]
    marks: tuple[tuple[int, int], ...]
    section: tuple[str, ...]
    page: int | None
    page_label: str | None
    anchor: dict[str, Any]
    attachment: str | None
    link: str
    evidence: Mapping[str, Shown] = field(default_factory=dict)
    kind: str = ""
    worth: float = 0.0
    indexed: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """An item with its rank from 1, its relevance (0 to 1: its strongest single evidence), evidence and passages.

    `unread`, of a work without a passage of any file: attachment → in one line why there is none of it (not indexed yet, cannot be read).
    """

    rank: int
    relevance: float
    item: Item
    evidence: Mapping[str, Shown]
    passages: tuple[Passage, ...]
    more_passages: int = 0
    low_confidence: bool = False
    unread: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Results:
    """The answer to one query. `degraded` says why it is incomplete, or is None. `suggestions`: word that the library does not
    have → words that it has, never applied by themselves. `total`: works that matched. Iterating gives the hits."""

    query: str
    engine: str
    degraded: str | None
    hits: tuple[Hit, ...]
    understood: tuple[str, ...] = ()
    total: int = 0
    suggestions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
