"""The parts of a run, made from the configuration: cutter, embedder, readers, workers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.config.load import validate_section
from pincite.errors import PinciteError, PluginError
from pincite.indexing.cutting import APPROXIMATE, Cutter, count_roughly
from pincite.indexing.look import Reader, Reading
from pincite.indexing.report import Report
from pincite.indexing.resources import half_the_cores
from pincite.indexing.worker import Job, Parts
from pincite.indexing.workers import Workers
from pincite.plugin.use import using
from pincite.spec import Embedder
from pincite.text.language import language, load_ahead
from pincite.values.ledger import FileEntry
from pincite.values.library import fingerprint

if TYPE_CHECKING:
    from pincite.library import Library

WINDOW = 510
"""Tokens of a chunk where no embedder says what it can take."""

WORKERS = 4
"""Extraction processes at most, where the configuration does not say."""


def cutter_of(library: Library, report: Report) -> Cutter:
    """Counts with the embedder's own tokenizer; by length where it cannot be had."""
    own = library.config.section("chunker", library.config.settings.chunker.use)
    mark = fingerprint(repr(sorted(own.items())))[:8] if own else ""
    try:
        embedder = library.embedder
        facts = embedder.facts
        embedder.count(["one"])  # a tokenizer that cannot be had shows here, not in the middle of a run
        return Cutter(library.chunker, embedder.count, facts.window, facts.tokenizer or facts.name, language, mark)
    except PinciteError as error:
        problem = ("embedder", str(error))
        if problem not in report.problems:
            report.problems.append(problem)
        return Cutter(library.chunker, count_roughly, WINDOW, APPROXIMATE, language, mark)


def embedder_of(library: Library, report: Report) -> Embedder | None:
    """The embedder, where a ranker of vectors is in use and it can be had."""
    if not any("vector" in names for names in library.config.settings.engines.values()):
        return None
    try:
        return library.embedder
    except PinciteError as error:
        report.unfinished = report.unfinished or f"no vectors: {error}"
        return None


@contextmanager
def reading_of(
    library: Library,
    cutter: Cutter,
    report: Report,
    between: Callable[[], Any],
    meanwhile: Callable[[], Any],
    retry: bool,
    tried: set[str],
) -> Iterator[Reading]:
    """What the extraction pass works with. Workers are started when the first file is handed to them, and ended with the block."""
    pool: list[Workers] = []

    def workers() -> Workers:
        if not pool:
            pool.append(workers_of(library))
        return pool[0]

    try:
        yield reading_with(workers, library, cutter, report, between, meanwhile, retry, tried)
    except BaseException:
        if pool:
            pool.pop().close(at_once=True)
        raise
    finally:
        if pool:
            pool[0].close()


def workers_of(library: Library) -> Workers:
    """A pool with the configured limits. What the main process needs for their results is loaded while they get ready."""
    load_ahead()
    index = library.config.settings.index
    return Workers(worker_count(library), index.timeout, index.memory, preloads(library))


def worker_count(library: Library) -> int:
    """Extraction processes at a time."""
    return library.config.settings.index.workers or min(WORKERS, half_the_cores())


def reading_with(
    workers: Callable[[], Workers], library: Library, cutter: Cutter, report: Report, between: Callable[[], Any],
    meanwhile: Callable[[], Any], retry: bool, tried: set[str],
) -> Reading:  # fmt: skip
    """The same with a pool that the caller keeps and ends."""
    settings = library.config.settings

    def password(path: str) -> str | None:
        return settings.passwords.get(path) or settings.passwords.get(Path(path).name)

    def job(reader: Reader | None, entry: FileEntry) -> Job:
        extractor = (reader.entry.name, dict(reader.settings)) if reader is not None else ("", {})
        exact = cutter.tokenizer != APPROXIMATE
        embedder = settings.embedder.use
        parts = Parts(
            extractor,
            (settings.chunker.use, library.config.section("chunker", settings.chunker.use)),
            (embedder, library.config.section("embedder", embedder)) if exact else None,
            settings.plugins.block,
            str(library.config.local_plugin),
            str(library.config.home),
        )
        return Job(parts, entry.path, password(entry.path), cutter.window, cutter.tokenizer)

    return Reading(
        library.store, library.path, cutter, _readers(library, report), workers, job, password, settings.index.max_file, between,
        meanwhile, retry, tried, worker_count(library),
    )  # fmt: skip


def preloads(library: Library) -> list[str]:
    """The modules that workers will need, by the fact ``preload`` of extractors, chunker and embedder."""
    settings = library.config.settings
    entries = library.plugins.all("extractor")
    for kind, name in (("chunker", settings.chunker.use), ("embedder", settings.embedder.use)):
        with contextlib.suppress(PinciteError):
            entries.append(library.plugins.find(kind, name))
    return [module for entry in entries for module in entry.facts.get("preload", ())]


def _readers(library: Library, report: Report) -> list[Reader]:
    """Every extractor with its version: the fact ``version`` (a number, or settings → a number or None), else what it says itself.
    One that fails is named, and the rest goes on."""
    readers = []
    problems = []
    for entry in library.plugins.all("extractor"):
        section = library.config.section("extractor", entry.name)
        settings = validate_section(entry.settings, section, f"extractor.{entry.name}")
        version: Any = entry.facts.get("version")
        if callable(version):
            version = version(settings)
        if version is None:
            try:
                with using(entry.plugin):
                    version = entry.factory(settings, library.context).version
            except PluginError as error:
                problems.append((f"extractor {entry.name}", str(error)))
                continue
        readers.append(Reader(entry, int(version), section))
    for failure in library.plugins.failures:
        if failure.plugin.startswith("extractor."):
            problems.append((failure.plugin, failure.reason))
    report.problems += [problem for problem in problems if problem not in report.problems]
    return readers
