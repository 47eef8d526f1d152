"""What runs in a worker process: an extractor reads a file, and the chunker cuts what it gives."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import Unreadable, in_one_line
from pincite.indexing.orphans import end_with_parent
from pincite.indexing.preloading import THREADS
from pincite.indexing.resources import memory_peak
from pincite.packs.sound import wrong_pack
from pincite.values.ledger import NewChunk
from pincite.values.pack import Pack

if TYPE_CHECKING:
    from pincite.indexing.cutting import Cutter


GARBAGE = 100_000
"""New objects after which a worker looks for garbage: a pack is as many, and holds no cycles."""

OUT_OF_MEMORY = 77
"""The exit code of a worker whose limit of memory was reached."""


@dataclass(frozen=True)
class Parts:
    """How a worker finds the plugins that it needs: kinds with (name, settings), and where they come from."""

    extractor: tuple[str, dict[str, Any]]
    chunker: tuple[str, dict[str, Any]]
    embedder: tuple[str, dict[str, Any]] | None
    blocked: tuple[str, ...]
    local: str
    home: str

    @property
    def key(self) -> str:
        """The same for the same parts."""
        return repr(self)


@dataclass(frozen=True)
class Job:
    """One file to read and cut. `embedder` None in `parts`: the tokens are counted by length. `pack`: read before, to be cut again."""

    parts: Parts
    path: str
    password: str | None
    window: int
    tokenizer: str
    pack: Pack | None = None


@dataclass(frozen=True)
class Made:
    """A file's pack, and its chunks without their language: None where the worker could not cut it, `reason` says why. `memory`: the
    most bytes that the worker has had resident (0 where the system does not tell)."""

    pack: Pack
    chunks: list[NewChunk] | None = None
    reason: str = ""
    memory: int = 0


def start(memory: int) -> None:
    """Runs in each new worker: its end with the main process, limits, and silence on the terminal."""
    end_with_parent()
    with contextlib.suppress(Exception):
        import resource

        size = memory * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.update(dict.fromkeys(THREADS, "1"))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)
    import gc
    import signal

    gc.freeze()
    gc.set_threshold(GARBAGE)

    # the main process decides when to end; Ctrl-C in the terminal reaches every process of the group
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_made: dict[str, Any] = {}


def make(job: Job) -> Made:
    """The pack and chunks of a file. Raises `Unreadable`, or whatever the extractor does; without memory the process ends, for what
    it still holds would be missing for the next file."""
    try:
        return _made_of(job)
    except Unreadable as error:
        if error.verdict != "out-of-memory":
            raise
    except MemoryError:
        pass
    os._exit(OUT_OF_MEMORY)


def _made_of(job: Job) -> Made:
    pack = job.pack
    if pack is None:
        pack = _part(job.parts, "extractor", job.parts.extractor).extract(Path(job.path), job.password)
        if not isinstance(pack, Pack):
            raise Unreadable("crashed", "its extractor gave no pack")
        if wrong := wrong_pack(pack):
            raise Unreadable("crashed", f"plugin extractor.{job.parts.extractor[0]}: gave a pack in which {wrong}")
    try:
        chunks = _cutter(job).pack(pack)
    except MemoryError:
        raise
    except Exception as error:
        return Made(pack, None, in_one_line(error)[:300])
    return Made(pack, chunks, memory=memory_peak())


def _cutter(job: Job) -> Cutter:
    from pincite.indexing.cutting import Cutter, count_roughly

    key = f"cutter {job.parts.key} {job.window} {job.tokenizer}"
    if key not in _made:
        count: Any = count_roughly
        if job.parts.embedder is not None:
            count = _part(job.parts, "embedder", job.parts.embedder).count
        chunker = _part(job.parts, "chunker", job.parts.chunker)
        _made[key] = Cutter(chunker, count, job.window, job.tokenizer)
    cutter: Cutter = _made[key]
    return cutter


def _part(parts: Parts, kind: str, wanted: tuple[str, dict[str, Any]]) -> Any:
    name, given = wanted
    key = f"{kind} {name} {sorted(given.items())!r}"
    if key not in _made:
        from pincite.plugin.making import make_with
        from pincite.plugin.manager import Plugins
        from pincite.spec import Context

        if "plugins" not in _made:
            _made["plugins"] = Plugins(blocked=parts.blocked, local=Path(parts.local))
        plugins = _made["plugins"]
        context = Context(
            home=Path(parts.home),
            make=lambda kind, name, values: make_with(plugins, kind, name, values, context),
            threads=1,
        )
        _made[key] = make_with(plugins, kind, name, given, context)
    return _made[key]
