"""What passes between the store, the rankers and the fuser: Filter, RowSet, Chunk, Evidence.

Rows are the store's own integers. A chunk row is never re-used and never changes its text: an edit is a new row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.values.quick import dataclass

Rows = npt.NDArray[np.int64]

FEW = 256
"""Rows of a set up to which Python's own sets are quicker than NumPy."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items may answer. Each part that is set must hold (AND); within a part any value does (OR).

    Texts are compared without case. `years` is inclusive at both ends, either of which may be None; an item without a
    year is outside every range. `groups` names libraries inside the library ("" is the user's own). `languages` are
    ISO 639-1 codes and are asked of the chunk, not of the item. `creators` must occur in a creator's name. `collections` are names or
    paths of whole names ("Outer/Inner"): they admit what lies in a collection called so, wherever that is, and in those below it.
    """

    items: frozenset[str] = frozenset()
    collections: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    years: tuple[int | None, int | None] | None = None
    kinds: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    creators: frozenset[str] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether everything is admitted."""
        return self == Filter()


@dataclass(frozen=True, slots=True, eq=False)
class RowSet:
    """A set of chunk rows: a sorted int64 array without duplicates."""

    rows: Rows

    @classmethod
    def of(cls, rows: Any) -> RowSet:
        """From any iterable or array of rows."""
        array = np.sort(np.asarray(rows if isinstance(rows, np.ndarray) else list(rows), dtype=np.int64))
        # not np.unique, which imports numpy.ma: a sixth of a quick search
        return cls(array[np.concatenate(([True], array[1:] != array[:-1]))] if len(array) else array)

    def __len__(self) -> int:
        return len(self.rows)

    def mask(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """For each of `rows` (any order), whether it is in the set."""
        if not len(self.rows):
            return np.zeros(len(rows), dtype=np.bool_)
        # what is above all of them is compared with the last
        return np.asarray(self.rows.take(self.rows.searchsorted(rows), mode="clip") == rows)

    def holds(self, rows: Sequence[int]) -> bool:
        """Whether all of `rows` are in the set."""
        if len(self.rows) <= FEW:
            return set(self.rows.tolist()).issuperset(rows)
        return bool(self.mask(np.array(rows, np.int64)).all())


class ChunkKind(StrEnum):
    """What a chunk is made of. `item` is an item's own text (title, abstract, metadata)."""

    ITEM = "item"
    NOTE = "note"
    ANNOTATION = "annotation"
    BODY = "body"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    TABLE = "table"
    REFERENCE = "reference"


RUNNING_TEXT = ("", "file", ChunkKind.BODY, ChunkKind.ITEM)
"""Kinds of passages that are a work's own running text, where none is given and by file too; of any other it is said what it is: a note is
not the author's word."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk as a chunker cuts it: spans [start, end) of the pack's text, rising, that belong together.

    `embed` says whether it gets a vector (a reference list does not). `tokens` counts the embedded text
    (section path included), special tokens and prefix aside. `path_embedded` is false where the section path is left out of
    the embedded text because it would take too much of the window (`pincite.chunks.embedded_text`); it is shown all the same.
    """

    spans: tuple[tuple[int, int], ...]
    kind: ChunkKind = ChunkKind.BODY
    section: tuple[str, ...] = ()
    page: int | None = None
    embed: bool = True
    tokens: int = 0
    role: str = ""
    path_embedded: bool = True


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored chunk. `id` is the passage id that people and programs use (specs/03-ids.md).

    `item` is the item's row; `attachment` the attachment's id, or "" for item text and notes; `child` the id of the note,
    annotation or attachment, or "" for item text. `page` is ordinal, from 1. `anchor` is in JSON form (specs/05-anchors.md).
    `language` is an ISO 639-1 code or "".
    """

    row: int
    id: str
    item: int
    child: str
    attachment: str
    kind: ChunkKind
    spans: tuple[tuple[int, int], ...]
    section: tuple[str, ...]
    page: int | None
    page_label: str | None
    anchor: dict[str, Any]
    language: str
    role: str = ""

    @property
    def indexed(self) -> bool:
        """Whether it is in the index: a chunk of a file that is not indexed yet has a row below zero (specs/31-previews.md)."""
        return self.row >= 0


@dataclass(frozen=True, slots=True)
class ChunkText:
    """The words of a chunk for a lexical ranker, by column, and what an embedder is given."""

    row: int
    item: int
    kind: ChunkKind
    language: str
    columns: dict[str, str]
    """Column → text, of: title, abstract, metadata, annotation, note, body, reference. `heading` holds the section path,
    and, in a body row, `context` holds the item's title, so that a ranker may weigh them."""


class Op(StrEnum):
    """What happened to a chunk row."""

    PUT = "put"
    GONE = "gone"
    VECTOR = "vector"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the store's ordered sequence of changes. `seq` rises by at least 1 and is never re-used."""

    seq: int
    op: Op
    row: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one ranker says of one passage.

    `score` is the ranker's own raw score (higher is better). `fraction`, from 0 to 1, is calibrated and comparable between
    rankers: the margin cuts on it, and the relevance bar shows it. `terms` are all of the query's terms that were met, by which
    it is known what a passage's words carry at most; none where the ranker does not tell, or has not been asked yet (`Lexicon.met`).
    """

    row: int
    score: float
    fraction: float
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sought:
    """One word of a query as a lexical ranker looks for it: `forms` are the words of its index that say it (stems, spellings, what a
    prefix begins; 2-grams in scripts without spaces), `weight` how much it tells (its rarity)."""

    word: str
    weight: float
    forms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Quotable:
    """A passage that a sentence is to be picked from: `sentences` are spans [start, end) of `text`. `own`: the share of the query (0 to 1)
    that its words carry. `language`: an ISO 639-1 code or "". `sought`: the query's words as the library's lexical ranker looks for them,
    where it is there. `worth`: what the passage counts among those of its work before its sentences are read (specs/10-search-json.md)."""

    text: str
    sentences: tuple[tuple[int, int], ...]
    own: float = 0.0
    language: str = ""
    sought: tuple[Sought, ...] = ()
    worth: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """One item in one ranker's list after lifting: its best passage's score, fraction and terms met, and its dense rank from 1.

    `standing`: standard deviations of the score above the mean of the ranker's best 300 passages; None where it is not known.
    """

    item: int
    score: float
    fraction: float
    rank: int
    terms: tuple[str, ...] = ()
    standing: float | None = None


@dataclass(frozen=True, slots=True)
class Fused:
    """One item of the fused ranking. `score` orders; `relevance` (0 to 1) is its strongest single evidence."""

    item: int
    score: float
    relevance: float
    parts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RankerStatus:
    """How far a ranker's own index has come. `degraded` says why an answer would be incomplete, or None.

    `rows` are indexed, of `expected` that should be; `applied` is the last change that it took in.
    """

    rows: int
    expected: int
    applied: int
    degraded: str | None = None
