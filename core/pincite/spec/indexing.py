"""What an index is made with: sources, extractors, chunkers, embedders, and providers of vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pincite.values.quick import dataclass

if TYPE_CHECKING:
    from pincite.spec import Cancel
    from pincite.values.library import Attachment, Marked, Problem, Record
    from pincite.values.pack import Pack
    from pincite.values.search import Draft

Vectors = npt.NDArray[np.float32]
"""Shape (n, width), float32, each row of unit length."""


@runtime_checkable
class Source(Protocol):
    """Reads one library. Never writes to it, not even a lock or a journal."""

    identity: str
    """What this library is, the same on each run and unlike any other's ("zotero:ab12", "folder:/home/ana/papers")."""

    def records(self) -> Iterator[Record | Problem]:
        """Every item once, with its children, in the order of `Item.id`; what cannot be read is yielded as a `Problem` and
        the rest goes on. Raises `PinciteError` where the library as a whole cannot be read."""
        ...

    def watched(self) -> Sequence[Path]:
        """Files and folders whose change may change the records."""
        ...

    def close(self) -> None:
        """Gives everything back, temporary copies included."""
        ...


@runtime_checkable
class Marking(Protocol):
    """What a source may offer besides: in a large library nearly all is as it was, and need not be made again to see that."""

    def marked(self) -> Iterator[Marked | Problem]:
        """What `Source.records` gives, in its order, each record with a mark that costs less than the record. It is asked in place of
        `records`, and a record is made where its mark is not the one that is kept. A mark holds from run to run."""
        ...


@runtime_checkable
class Extractor(Protocol):
    """Reads a file into a pack. Runs in a worker process: the factory's result must be picklable or be made there."""

    name: str
    version: int
    """Rises whenever the same file would give another pack."""

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The file's text with its structure, `source_hash` left "". Raises `Unreadable` with the verdict class."""
        ...


CountTokens = Callable[[Sequence[str]], list[int]]
"""Token counts of texts, special tokens and prefix not included."""


@runtime_checkable
class Chunker(Protocol):
    """Cuts a pack into chunks."""

    name: str
    version: int
    """Rises whenever the same pack would be cut otherwise."""

    def cut(self, pack: Pack, count: CountTokens, window: int) -> list[Draft]:
        """The chunks in reading order. `window` is the model's room for text in tokens (special tokens and prefix taken off);
        no chunk exceeds it. Spans are exact slices of `pack.text`."""
        ...


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a set of vectors was made with. `id` names model, revision and width: vectors with equal ids are comparable.

    `window`: tokens of text that one call can take, special tokens and the passage prefix taken off. `floor`, `ceiling`: cosines that
    calibrate to 0 and 1. `mean`, `query_mean`: the means of passages and of queries, float32 of length `width`, or None.
    `tokenizer` identifies how tokens are counted.
    """

    id: str
    name: str
    width: int
    window: int
    tokenizer: str = ""
    floor: float = 0.0
    ceiling: float = 1.0
    mean: npt.NDArray[np.float32] | None = None
    query_mean: npt.NDArray[np.float32] | None = None
    languages: tuple[str, ...] = ()


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. The same text gives the same vector whatever else is in the call (cosine ≥ 0.999)."""

    facts: ModelFacts

    def count(self, texts: Sequence[str]) -> list[int]:
        """Token counts, special tokens and prefix not included. Cheap: must not load the weights."""
        ...

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """One unit vector a text, in the order given; any text, empty and over-long ones too. Adds the model's prefixes itself."""
        ...

    def close(self) -> None:
        """Gives memory back; a later call makes the engine anew."""
        ...


class Provider(Protocol):
    """Has vectors of attachments made elsewhere."""

    name: str

    def fetch(
        self, model: str, attachments: Sequence[Attachment]
    ) -> Mapping[str, Sequence[tuple[Mapping[str, Any], Vectors]] | None]:
        """Attachment id → rows of (anchor, vector); None: declined, embed it here. Missing: ask again next run."""
        ...
