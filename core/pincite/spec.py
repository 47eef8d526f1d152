"""The one public contract of pincite: every hook, and the protocol behind each kind of plugin.

A plugin is a module (or object) with hook implementations. Each hook is handed a `register` callback and calls it once for
each name that the plugin provides::

    from pincite.spec import hookimpl

    @hookimpl
    def register_sources(register):
        register("shoebox", open_shoebox, recognises=lambda path: path.suffix == ".shoebox")

A **factory** is called as ``factory(settings, context)``: `settings` is the plugin's own section of the configuration, an
instance of the class given as ``settings=``, a frozen dataclass (see `setting`) or a pydantic model (one with the defaults is
made where nothing is configured; without a class, any non-empty section is an error), and `context` says where the plugin works
(`Context`). The factory should import what is heavy itself: a plugin's module is loaded when one of its names is asked for.

Plugins are found by entry point (group ``pincite``). An entry point named ``KIND.NAME`` (``source.shoebox``) is loaded only
when that name is asked for, or all of its kind are; any other name is loaded as soon as plugins of any kind are needed.

Protocols, not base classes: nothing here needs to be inherited. `pincite.testing` has a contract kit for each kind.
All methods may be called from one thread at a time unless said otherwise; all offsets count code points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pluggy

from pincite.config.sections import setting as setting
from pincite.values.quick import dataclass

if TYPE_CHECKING:
    from pincite.values.ledger import FileEntry, NewChunk, Totals
    from pincite.values.library import Attachment, Item, Marked, Problem, Record
    from pincite.values.pack import Pack
    from pincite.values.query import Query
    from pincite.values.search import (
        Change,
        Chunk,
        ChunkText,
        Draft,
        Evidence,
        Filter,
        Fused,
        Ranked,
        RankerStatus,
        Rows,
        RowSet,
        Sought,
    )

CONTRACT = 1
"""The version of this contract. A plugin may set ``PINCITE_CONTRACT = n`` in its module; a higher one than this is refused by name."""

PROJECT = "pincite"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

KINDS = (
    "source",
    "extractor",
    "chunker",
    "embedder",
    "store",
    "ranker",
    "fuser",
    "reranker",
    "picker",
    "provider",
    "command",
    "planner",
    "service",
)
"""Every kind of plugin. The hook of kind K is ``register_Ks``."""

Vectors = npt.NDArray[np.float32]
"""Shape (n, width), float32, each row of unit length."""

Cancel = Callable[[], bool]
"""Asked between steps of long work; true means stop now, by raising `pincite.errors.Cancelled`."""


class Register(Protocol):
    """What a hook is handed. `facts` depend on the kind: sources give ``recognises`` (path → bool or a number, the highest
    wins), extractors ``suffixes`` and ``content_types``, rankers and pickers ``finds`` (false where they do not go by the words of the
    query), commands ``help`` (one line), whatever runs in worker processes
    ``preload`` (names of modules that are loaded once for all of them)."""

    def __call__(self, name: str, factory: Callable[..., Any], *, settings: type | None = None, **facts: Any) -> None:
        """Registers one name."""
        ...


@dataclass(frozen=True)
class Context:
    """Where a plugin works.

    `home`: pincite's data folder (models, caches). `folder`: the index folder of the library in use; a ranker keeps its own
    files in ``folder / name``. `library`: the path that a source reads. `store` and `embedder` give the configured ones, made on
    first call (a ranker must not ask for the embedder before it needs it). `make` makes a plugin by kind, name and settings, for one
    that works through another (an endpoint with the local model); who asked closes it. `note` takes one line for the person.
    `offline` is true unless the configuration names a hub or an endpoint.
    """

    home: Path
    folder: Path | None = None
    library: Path | None = None
    store: Callable[[], Store] | None = None
    embedder: Callable[[], Embedder] | None = None
    make: Callable[[str, str, Mapping[str, Any]], Any] | None = None
    note: Callable[[str], None] = field(default=lambda line: None)
    cancelled: Cancel = field(default=lambda: False)
    threads: int = 0


# ------------------------------------------------------------------------------------------------ protocols


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


@runtime_checkable
class Ranker(Protocol):
    """Owns an index derived from the store and scores its passages.

    It records the last change that it applied and catches up in `catch_up`; it can be thrown away at any time. Reading is
    safe while another process catches up.
    """

    name: str

    def catch_up(
        self, progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = lambda: False
    ) -> None:
        """Takes in every change of the store since the last. Needs the writer's lock, which the caller holds."""
        ...

    def status(self) -> RankerStatus:
        """How complete the index is. Cheap."""
        ...

    def rank(self, query: Query, rows: RowSet | None, limit: int, cancelled: Cancel = lambda: False) -> list[Evidence]:
        """The best `limit` passages among `rows` (None: all), best first, equal scores by row. Every passage that matches is
        considered: filters come before any cut. Raises `NotReady` where it cannot answer yet."""
        ...

    def explain(self, query: Query, row: int) -> Mapping[str, Any]:
        """Why a passage has its score: plain data for `pincite explain`."""
        ...

    def close(self) -> None:
        """Closes its files."""
        ...


@runtime_checkable
class Lexicon(Protocol):
    """What a ranker that goes by words may offer besides: none of it is needed to rank."""

    def sought(self, query: Query) -> Sequence[Sought]:
        """The query's words that the index has in any form, with their forms and weights."""
        ...

    def suggest(self, query: Query) -> Mapping[str, Sequence[str]]:
        """Word of the query that the index has in no form → up to three that it has, nearest first."""
        ...

    def ubiquitous(self, query: Query) -> frozenset[str]:
        """The query's words that more than half of the passages hold."""
        ...


@runtime_checkable
class Fuser(Protocol):
    """Makes one ranking of several: of the same lists over the same store always the same."""

    name: str

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """`lists` holds each ranker's items, best first, after the margin cut. The result is their union, best first, equal
        scores by item. One list alone keeps its order."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Reorders the top of a ranking, in bounded time."""

    name: str

    def rerank(
        self, query: Query, candidates: Sequence[tuple[int, str]], cancelled: Cancel = lambda: False
    ) -> list[tuple[int, float]]:
        """`candidates`: (item row, its best passage's text), best first. Returns the same items with new scores, best first."""
        ...


@runtime_checkable
class Picker(Protocol):
    """Picks the sentence worth reading."""

    name: str

    def pick(self, query: Query, text: str, sentences: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """One of `sentences` (spans of `text`), or None to leave the choice to the next picker."""
        ...

    # A picker may also have `pick_all(query, passages: Sequence[Quotable]) -> list[tuple[int, int] | None]`, which is called in place of
    # `pick` with all the passages of an answer at once, the best first; and `order(query, passages: Sequence[Quotable]) -> list[int]`,
    # which is given the passages of one work, the one of most worth first, and gives their numbers in the order to show them in.


class Provider(Protocol):
    """Has vectors of attachments made elsewhere."""

    name: str

    def fetch(
        self, model: str, attachments: Sequence[Attachment]
    ) -> Mapping[str, Sequence[tuple[Mapping[str, Any], Vectors]] | None]:
        """Attachment id → rows of (anchor, vector); None: declined, embed it here. Missing: ask again next run."""
        ...


class Command(Protocol):
    """A command of the command line. The factory returns a Typer application or a function that Typer can take."""


class Planner(Protocol):
    """Turns a question into up to 8 probes, the original always first."""

    name: str

    def plan(self, query: str, samples: Sequence[tuple[str, str]]) -> list[str]:
        """`samples`: up to 3 (title, first passage). Any failure gives the original query alone."""
        ...


class Service(Protocol):
    """A long-running server over a library (MCP, HTTP)."""

    name: str

    def serve(self, library: Any) -> None:
        """Runs until stopped."""
        ...


# ---------------------------------------------------------------------------------------------------- hooks


@hookspec
def register_sources(register: Register) -> None:
    """Readers of libraries. ``register(name, factory, settings=…, recognises=…)``; the factory returns a `Source`."""


@hookspec
def register_extractors(register: Register) -> None:
    """File → pack. ``register(name, factory, settings=…, suffixes=(".pdf",), content_types=("application/pdf",))`` → `Extractor`."""


@hookspec
def register_chunkers(register: Register) -> None:
    """Pack → chunks. The factory returns a `Chunker`."""


@hookspec
def register_embedders(register: Register) -> None:
    """Texts → vectors. The factory returns an `Embedder`."""


@hookspec
def register_stores(register: Register) -> None:
    """Keepers of the truth. The factory returns a `Store`."""


@hookspec
def register_rankers(register: Register) -> None:
    """Query, filter → evidence. The factory returns a `Ranker`."""


@hookspec
def register_fusers(register: Register) -> None:
    """Evidence → one ranking. The factory returns a `Fuser`."""


@hookspec
def register_rerankers(register: Register) -> None:
    """Top of a ranking → the same, reordered. The factory returns a `Reranker`."""


@hookspec
def register_pickers(register: Register) -> None:
    """Passage, query → sentence. The factory returns a `Picker`."""


@hookspec
def register_providers(register: Register) -> None:
    """Attachment → vectors made elsewhere. The factory returns a `Provider`."""


@hookspec
def register_commands(register: Register) -> None:
    """Commands of the command line. ``register(name, factory, help="one line")`` → `Command`."""


@hookspec
def register_planners(register: Register) -> None:
    """Question → probes. The factory returns a `Planner`."""


@hookspec
def register_services(register: Register) -> None:
    """Servers over a library. The factory returns a `Service`."""
