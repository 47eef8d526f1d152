"""One indexing run: read the records, read the files, embed, and let the rankers catch up.

Nothing is queued: each pass finds its own work in the index, so that a run cut short at any point is taken up by the next
(specs/21-indexing.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite.errors import Cancelled, Damaged, PinciteError
from pincite.indexing.compact import compact_if_due
from pincite.indexing.diagnostics import Gauge
from pincite.indexing.embed import Embedding
from pincite.indexing.embed import embed as embed_pass
from pincite.indexing.extract import extract
from pincite.indexing.fetch import fetch
from pincite.indexing.lock import writer_lock
from pincite.indexing.parts import cutter_of, embedder_of, preloads, reading_of
from pincite.indexing.pause import paused, pausing
from pincite.indexing.preloading import preload
from pincite.indexing.rankers import Rankers
from pincite.indexing.reconcile import reconcile
from pincite.indexing.report import Clock, Report, Tell, tell_nobody
from pincite.indexing.resources import Pressure, check_floor
from pincite.plugin.sections import check_sections
from pincite.spec import Cancel
from pincite.text.language import load_ahead

if TYPE_CHECKING:
    from pincite.library import Library

ROUNDS = 5
"""Times that a run goes again by itself, because files changed while they were read or something was found damaged."""

FOLLOW_EVERY = 1.0
"""Seconds between two times that the rankers take in new words while files are read."""

CHECK_EVERY = 7 * 24 * 3600
"""Seconds between two times that every stored byte is checked."""


def run(
    library: Library,
    progress: Callable[[str, int, int, str], None] | None = None,
    *,
    seconds: float | None = None,
    retry: bool = False,
    embed: bool = True,
    cancelled: Cancel = lambda: False,
    kicked: Callable[[], bool] = lambda: False,
) -> Report:
    """Brings the index of a library up to date. Takes up what an earlier run left, and gives the same index as one uninterrupted run.

    `kicked` is asked between two units: true means that the library has changed, so that its records are looked at again at once.
    """
    check_sections(library.config, library.plugins)
    report = Report(notes=library.plugins.failed_of_any_kind())
    since = paused(library.folder)
    if since:
        report.unfinished = f"indexing is paused since {since}; `pincite resume` lets it go on"
        report.again = True
        if library.indexed:
            report.totals = library.store.totals()
        return report
    check_floor(library.config.settings.index.floor)
    pause = pausing(library.folder)

    def stop() -> bool:
        return cancelled() or pause()

    with writer_lock(library.folder), Gauge() as gauge:
        try:
            _Run(library, progress or tell_nobody, report, Clock(seconds), gauge, retry, embed, stop, kicked).go()
        except Cancelled:
            if cancelled() or not pause():
                raise
            report.unfinished, report.again = "paused; `pincite resume` lets it go on", True
        report.totals = library.store.totals()
        library.store.set("last_run", str(int(time.time())))
        gauge.keep(library.store, report)
    return report


class _Run:
    """The passes of one run, and what they share."""

    def __init__(
        self, library: Library, tell: Tell, report: Report, clock: Clock, gauge: Gauge, retry: bool, embed: bool, stop: Cancel,
        kicked: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.library = library
        self.tell = tell
        self.report = report
        self.clock = clock
        self.gauge = gauge
        self.retry = retry
        self.embed = embed
        self.stop = stop
        self.kicked = kicked
        self.rankers = Rankers(library, report, stop)
        self.tried: set[str] = set()
        self.fresh = False
        self.kicks = False
        """Whether the records were looked at again since this round began: the files that came with them are the next round's."""

    def go(self) -> None:
        """Every pass, and again while there is reason to."""
        self._heal()
        for _ in range(ROUNDS):
            try:
                again = self._passes()
            except Damaged as error:
                if not self._heal():
                    raise PinciteError(f"{error}; if it comes again: `pincite index --rebuild`") from None
                continue
            if not again and not self._heal():
                break
        if not self.report.unfinished:
            self.library.store.tidy(self.rankers.applied())
            said = compact_if_due(self.library)
            if said:
                self.report.notes.append(said)

    def _heal(self) -> bool:
        """Makes good what was noticed as damaged, and once a week looks at everything; whether anything was."""
        store = self.library.store
        try:
            checked = float(store.get("checked") or 0)
            deep = not 0 <= time.time() - checked < CHECK_EVERY
            fresh = store.get("checked") is None and store.last_change() == 0
        except Damaged:
            deep, fresh = True, False
        said = [] if fresh else store.heal(deep)
        if deep and not fresh:
            self.rankers.check()
        if deep or fresh:
            store.set("checked", str(int(time.time())))
        self.report.notes += said
        return bool(said)

    def _passes(self) -> bool:
        """One round; whether another is due."""
        library, report = self.library, self.report
        report.unfinished = ""
        self.kicks = False
        self.fresh = library.store.last_change() == 0
        if self.fresh:
            load_ahead()
        self.rankers.catch_up()
        cutter = cutter_of(library, report)
        self._reconcile()
        library.store.set("reconciled", str(int(time.time())))
        self.rankers.catch_up()
        with reading_of(
            library, cutter, report, self._between, self.rankers.meanwhile, self.retry, self.tried
        ) as reading:
            again = extract(reading, report, self.tell, self.clock, self.stop, ahead=2 * reading.count + 2)
        self.rankers.catch_up()
        self.retry = False
        if self.embed and not report.unfinished and (embedder := embedder_of(library, report)) is not None:
            facts = embedder.facts
            fetch(library.store, library.providers(), facts.id, facts.width, report, self.stop)
            embed_pass(
                Embedding(
                    library.store,
                    embedder,
                    library.config.settings.embedder.use,
                    self.rankers.catch_up,
                    self._between,
                    Pressure(library.config.settings.index.floor),
                    self.gauge,
                ),
                report,
                self.tell,
                self.clock,
                self.stop,
            )
        self.rankers.catch_up()
        report.again = self.kicked() or self.kicks
        return (again or report.again) and not report.unfinished

    def _reconcile(self) -> bool:
        """The records. The source is opened anew each time: what it saw before may be a copy."""
        library = self.library
        source = library.source()
        try:
            _claim(library, source.identity)
            return reconcile(
                source,
                library.source_name,
                library.path,
                library.store,
                cutter_of(library, self.report),
                self.report,
                self.tell,
                self.stop,
                lambda: self.rankers.now_and_then(FOLLOW_EVERY),
                self._files_come,
            )
        finally:
            source.close()

    def _files_come(self) -> None:
        """A work with a file to read was met: the workers of a new index get ready while the records are read."""
        if self.fresh:
            self.fresh = False
            preload(preloads(self.library))

    def _between(self) -> bool:
        """After each unit: a local edit goes before whatever is under way; whether there was one."""
        if self.kicked():
            self.kicks = True
            changed = self._reconcile()
            self.rankers.catch_up()
            return changed
        self.rankers.now_and_then(FOLLOW_EVERY)
        return False


def _claim(library: Library, identity: str) -> None:
    """An index belongs to one library."""
    known = library.store.get("identity")
    if known is None:
        library.store.set("identity", identity)
    elif known != identity:
        raise PinciteError(
            f"{library.folder}: this index was made of another library ({known}, not {identity}); give this one an index folder of its own"
        )
