"""One indexing run: read the records, read the files, embed, and let the rankers catch up."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.config.load import validate_section
from pincite.errors import PinciteError, PluginError
from pincite.indexing.cutting import APPROXIMATE, Cutter, count_roughly
from pincite.indexing.embed import embed as embed_pass
from pincite.indexing.extract import Reader, Reading, extract
from pincite.indexing.lock import writer_lock
from pincite.indexing.reconcile import reconcile
from pincite.indexing.report import Clock, Report, tell_nobody
from pincite.indexing.workers import Job, Workers, default_count
from pincite.plugin.use import using
from pincite.spec import Cancel
from pincite.text.language import language
from pincite.values.ledger import FileEntry

if TYPE_CHECKING:
    from pincite.library import Library

WINDOW = 510
"""Tokens of a chunk where no embedder says what it can take."""


def run(
    library: Library,
    progress: Callable[[str, int, int, str], None] | None = None,
    *,
    seconds: float | None = None,
    retry: bool = False,
    embed: bool = True,
    cancelled: Cancel = lambda: False,
) -> Report:
    """Brings the index of a library up to date. Takes up what an earlier run left, and gives the same index as one uninterrupted run."""
    tell = progress or tell_nobody
    report = Report()
    clock = Clock(seconds)
    source_name = library.source_name
    source = library.source()
    try:
        with writer_lock(library.folder):
            _claim(library, source.identity)
            cutter = _cutter(library, report)
            catch_up = _catch_up(library, report, cancelled)
            reconcile(source, source_name, library.store, cutter, report, tell, cancelled)
            library.store.set("reconciled", str(int(time.time())))
            catch_up()
            _extract(library, cutter, report, tell, clock, cancelled, catch_up, retry)
            if embed and not report.unfinished and _embedder_ready(library, report):
                embed_pass(
                    library.store,
                    library.embedder,
                    library.config.settings.embedder.use,
                    catch_up,
                    report,
                    tell,
                    clock,
                    cancelled,
                )
            catch_up()
            report.totals = library.store.totals()
            library.store.set("last_run", str(int(time.time())))
    finally:
        source.close()
    return report


def _claim(library: Library, identity: str) -> None:
    """An index belongs to one library."""
    known = library.store.get("identity")
    if known is None:
        library.store.set("identity", identity)
    elif known != identity:
        raise PinciteError(
            f"{library.folder}: this index was made of another library ({known}, not {identity}); give this one an index folder of its own"
        )


def _cutter(library: Library, report: Report) -> Cutter:
    """Counts with the embedder's own tokenizer; by length where it cannot be had."""
    try:
        embedder = library.embedder
        facts = embedder.facts
        return Cutter(library.chunker, embedder.count, facts.window, facts.tokenizer or facts.name, language)
    except PinciteError as error:
        report.problems.append(("embedder", str(error)))
        return Cutter(library.chunker, lambda texts: count_roughly(list(texts)), WINDOW, APPROXIMATE, language)


def _embedder_ready(library: Library, report: Report) -> bool:
    wanted = {name for rankers in library.config.settings.engines.values() for name in rankers}
    if "vector" not in wanted:
        return False
    try:
        _ = library.embedder
    except PinciteError as error:
        report.unfinished = report.unfinished or f"no vectors: {error}"
        return False
    return True


def _catch_up(library: Library, report: Report, cancelled: Cancel) -> Callable[[], None]:
    """Lets each ranker of any engine take in what is new; one that fails is named, once, and the rest goes on."""
    names = list(dict.fromkeys(name for rankers in library.config.settings.engines.values() for name in rankers))
    failed: set[str] = set()

    def catch_up() -> None:
        for name in names:
            if name in failed:
                continue
            try:
                with using(f"ranker.{name}"):
                    library.ranker(name).catch_up(cancelled=cancelled)
            except PinciteError as error:
                if cancelled():
                    raise
                failed.add(name)
                report.problems.append((f"ranker {name}", str(error)))

    return catch_up


def _extract(
    library: Library, cutter: Cutter, report: Report, tell: Callable[[str, int, int, str], None], clock: Clock, cancelled: Cancel,
    catch_up: Callable[[], None], retry: bool,
) -> None:  # fmt: skip
    settings = library.config.settings
    count = default_count(settings.index.workers)
    pool: list[Workers] = []

    def workers() -> Workers:
        if not pool:
            pool.append(Workers(count, settings.index.timeout, settings.index.memory))
        return pool[0]

    def job(reader: Reader, entry: FileEntry) -> Job:
        password = settings.passwords.get(entry.path) or settings.passwords.get(Path(entry.path).name)
        return Job(
            reader.entry.name,
            entry.path,
            password,
            settings.plugins.block,
            str(library.config.local_plugin),
            dict(reader.settings),
            str(library.config.home),
        )

    reading = Reading(
        library.store, cutter, _readers(library, report), workers, job, settings.index.max_file, catch_up, retry
    )
    try:
        extract(reading, report, tell, clock, cancelled, ahead=2 * count + 2)
    except BaseException:
        if pool:
            pool.pop().close(at_once=True)
        raise
    finally:
        if pool:
            pool[0].close()


def _readers(library: Library, report: Report) -> list[Reader]:
    """Every extractor with its version, which it registers as the fact ``version``, or says itself. One that fails is named, and the
    rest goes on."""
    readers = []
    for entry in library.plugins.all("extractor"):
        section = library.config.section("extractor", entry.name)
        version: Any = entry.facts.get("version")
        if version is None:
            settings = validate_section(entry.settings, section, f"extractor.{entry.name}")
            try:
                with using(entry.plugin):
                    version = entry.factory(settings, library.context).version
            except PluginError as error:
                report.problems.append((f"extractor {entry.name}", str(error)))
                continue
        readers.append(Reader(entry, int(version), section))
    for failure in library.plugins.failures:
        if failure.plugin.startswith("extractor."):
            report.problems.append((failure.plugin, failure.reason))
    return readers
