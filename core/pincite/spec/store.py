"""What keeps the truth of an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pincite.spec.indexing import Vectors
    from pincite.values.ledger import FileEntry, NewChunk, Totals
    from pincite.values.library import Attachment, Item, Record
    from pincite.values.pack import Pack
    from pincite.values.search import Change, Chunk, ChunkText, Filter, Rows, RowSet


class Store(Protocol):
    """Keeps the truth of one index: items, children, chunks, raw vectors, packs, state, and the ordered sequence of changes.

    One writer, many readers. Each writing method is one transaction: whole or not at all. specs/03-store.md.
    """

    identity: str

    # -- the sequence of changes
    def last_change(self) -> int:
        """The highest sequence number; 0 in an empty store."""
        ...

    def first_change(self) -> int:
        """The lowest number from which `changes` is complete; a ranker that applied less must rebuild from `all_rows`."""
        ...

    def changes(self, since: int, limit: int = 10_000) -> list[Change]:
        """Changes with `seq` > `since`, in order. PUT may come again for a row whose words changed with its item's title
        (`ChunkText.columns["context"]`): it replaces."""
        ...

    def all_rows(self) -> Rows:
        """Every chunk row, sorted."""
        ...

    # -- reading
    def resolve(self, filter: Filter) -> RowSet | None:
        """The chunk rows that a filter admits; None where it admits all."""
        ...

    def items_of(self, rows: Rows) -> Rows:
        """The item row of each chunk row, -1 for one that is gone."""
        ...

    def item_ids(self, items: Iterable[int]) -> dict[int, str]:
        """Item row → item id."""
        ...

    def find_item(self, id: str) -> int | None:
        """The item row of an item id, or None."""
        ...

    def item(self, item: int) -> Item | None:
        """An item by row, with what its file added."""
        ...

    def records(self, items: Iterable[int]) -> dict[int, Record]:
        """Item row → the item with its children."""
        ...

    def chunks(self, rows: Iterable[int]) -> dict[int, Chunk]:
        """Chunk row → chunk, without those that are gone."""
        ...

    def find_chunk(self, id: str) -> int | None:
        """The row of a passage id, or None."""
        ...

    def rows_of_item(self, item: int) -> Rows:
        """The chunk rows of an item, in reading order."""
        ...

    def rows_of_items(self, items: Iterable[int]) -> dict[int, Rows]:
        """Item row → its chunk rows in reading order, for each of `items` that has any."""
        ...

    def texts(self, rows: Iterable[int]) -> dict[int, str]:
        """Chunk row → its text as a person reads it, from the pack or the item. A row whose text no longer has the
        fingerprint it was cut with is left out: no text rather than a wrong one."""
        ...

    def words(self, rows: Iterable[int]) -> Iterator[ChunkText]:
        """The same for a lexical ranker: texts by column. In the order given; rows that are gone are left out."""
        ...

    def pack(self, attachment: str) -> Pack | None:
        """The structured text of an attachment, or None."""
        ...

    # -- vectors
    def vectors(self, model: str, rows: Rows) -> tuple[Rows, npt.NDArray[np.float16]]:
        """The rows among `rows` that have a vector of this model (sorted), and their raw unit vectors, float16 (n, width)."""
        ...

    def pending(self, model: str) -> Rows:
        """One chunk row for each text that wants a vector of this model and has none: items, notes and annotations first,
        then attachments, small ones first."""
        ...

    def embed_texts(self, rows: Iterable[int]) -> list[tuple[bytes, str]]:
        """(key, text to embed) of chunk rows; those that are gone or do not read back are left out."""
        ...

    def coverage(self, model: str) -> tuple[int, int]:
        """How many chunk rows have a vector of this model, of how many that want one."""
        ...

    def put_vectors(self, model: str, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keeps vectors by text key: every chunk with that text has it from now on."""
        ...

    # -- the library's records (writing; the caller holds the writer's lock)
    def fingerprints(self) -> dict[str, str]:
        """Item id → fingerprint of its record when it was last put."""
        ...

    def put_record(self, record: Record, fingerprint: str, chunks: Mapping[str, Sequence[NewChunk]]) -> int:
        """Inserts or replaces an item and its children; returns its row. `chunks` has, under "" those of the item text, under a
        note's or annotation's id those of its text (the store makes the item's anew where files fill it). A child that is the
        same as before keeps its rows; a new or changed
        attachment waits in the ledger; a child that is not in the record goes, with everything made of it."""
        ...

    def drop_items(self, ids: Iterable[str]) -> int:
        """Removes items with everything made of them; returns how many there were."""
        ...

    # -- the ledger of files and what was made of them
    def files(self, items: Iterable[int] | None = None) -> list[FileEntry]:
        """Every attachment, or those of these items, smallest first where the size is known, then by id."""
        ...

    def attachment(self, id: str) -> Attachment | None:
        """An attachment by id."""
        ...

    def note_file(self, entry: FileEntry) -> None:
        """Records a verdict or a new stat; chunks stay as they are unless the entry is skipped or failed."""
        ...

    def put_file(self, entry: FileEntry, pack: Pack | None, chunks: Sequence[NewChunk]) -> None:
        """Replaces everything made of an attachment. `pack` None: the one stored is kept (a re-cut, or an inline text). What the
        file says of its item (`FileEntry.found`) fills what the source left empty, the first attachment's word before the second's."""
        ...

    def stored_pack(self, entry: FileEntry) -> Pack | None:
        """The pack of this content (`hash`) by this extractor, version and settings, whichever attachment it was made for; or None."""
        ...

    def totals(self) -> Totals:
        """Counts that add up."""
        ...

    # -- upkeep (the caller holds the writer's lock)
    def heal(self, deep: bool = False) -> list[str]:
        """Looks into what was noticed as damaged (`deep`: into everything), sets it aside, and makes it anew or lets its files wait
        again. A line for the person for each; empty where all is sound."""
        ...

    def sync(self) -> None:
        """Makes everything committed outlast a power cut. Rankers take in changes only after it."""
        ...

    def tidy(self, applied: int) -> None:
        """Removes packs that nothing names, and changes up to `applied`, where there are many."""
        ...

    def compact(self) -> tuple[int, int]:
        """Writes the database anew without free pages and without vectors of texts that are gone; (bytes before, after). Raises
        `Locked` where another program has the index open."""
        ...

    def statistics(self) -> Mapping[str, Any]:
        """``languages`` (code → chunks), ``sizes`` (tokens of a chunk, rounded down to 32s → chunks), ``bytes`` and ``free``
        (of the database)."""
        ...

    # -- small state
    def get(self, key: str) -> str | None:
        """A value of the state, or None."""
        ...

    def set(self, key: str, value: str | None) -> None:
        """Sets or (None) forgets a value of the state."""
        ...

    def close(self) -> None:
        """Checkpoints and closes."""
        ...
