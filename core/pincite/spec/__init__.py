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

Here are the hooks and what factories are given. The protocol behind each kind stands in `indexing` (what an index is made with),
`store` (what keeps it) or `searching` (what answers a question); all are imported from ``pincite.spec``.

Protocols, not base classes: nothing here needs to be inherited. `pincite.testing` has a contract kit for each kind.
All methods may be called from one thread at a time unless said otherwise; all offsets count code points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Protocol

import pluggy

from pincite.config.sections import setting as setting
from pincite.spec.indexing import Chunker as Chunker
from pincite.spec.indexing import CountTokens as CountTokens
from pincite.spec.indexing import Embedder as Embedder
from pincite.spec.indexing import Extractor as Extractor
from pincite.spec.indexing import Marking as Marking
from pincite.spec.indexing import ModelFacts as ModelFacts
from pincite.spec.indexing import Provider as Provider
from pincite.spec.indexing import Source as Source
from pincite.spec.indexing import Vectors as Vectors
from pincite.spec.searching import Command as Command
from pincite.spec.searching import Fuser as Fuser
from pincite.spec.searching import Lexicon as Lexicon
from pincite.spec.searching import Picker as Picker
from pincite.spec.searching import Planner as Planner
from pincite.spec.searching import Ranker as Ranker
from pincite.spec.searching import Reranker as Reranker
from pincite.spec.searching import Service as Service
from pincite.spec.store import Store as Store
from pincite.values.quick import dataclass

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
    `threads`: how many a model may use, 0 for as many as there are cores.
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
