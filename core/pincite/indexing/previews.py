"""Files that no run has reached yet, read and cut as a run would for whoever wants to see a passage of them now.

Nothing of it goes into the index: that is a run's alone, which holds the writer's lock (specs/31-previews.md).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.errors import Cancelled, PinciteError, Unreadable
from pincite.indexing.extract import begun_inline
from pincite.indexing.keep import declared, without_path
from pincite.indexing.look import Reading, Work, reader_of, refused
from pincite.indexing.parts import cutter_of, reading_with, workers_of
from pincite.indexing.report import Report
from pincite.indexing.resources import available
from pincite.indexing.worker import Made
from pincite.indexing.workers import Pending, Workers
from pincite.search.cache import RecentAnswers
from pincite.spec import Cancel
from pincite.values.ledger import FileEntry
from pincite.values.search import Chunk

if TYPE_CHECKING:
    from pincite.library import Library

KEPT = 16
"""Files whose passages are kept in memory."""

LONGEST = 1_000_000
"""Characters of a file's passages up to which they are kept."""

LOOK_EVERY = 0.05
"""Seconds between two looks at whether to stop."""

Key = tuple[str, str, int, int]
"""Attachment, path, size, time of change: what is read once for all questions."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A file's chunks with their texts, in reading order, or, in one line, why there are none (`reason`).

    The chunks have the ids that a run will give them; their rows are below zero, each used once.
    """

    chunks: tuple[tuple[Chunk, str], ...] = ()
    reason: str = ""


class Previews:
    """The files of one library. Workers are begun with the first file, and end with `close`."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._pool: Workers | None = None
        self._under_way: dict[Key, tuple[FileEntry, Pending]] = {}
        self._kept: RecentAnswers[Preview] = RecentAnswers(KEPT)
        self._rows = 0

    def ready(self) -> None:
        """Begins the workers, so that the first file is read the sooner."""
        self._workers()

    def read(self, entries: Iterable[FileEntry], seconds: float, cancelled: Cancel) -> dict[str, Preview]:
        """Attachment → its preview, for as many files, in the order given, as are read within `seconds`.

        A file that is not done by then is gone on with, and is there the next time unless other files are asked for. Raises `Cancelled`.
        """
        until = time.monotonic() + seconds
        wanted = {_key(entry): entry for entry in entries}
        for key in self._under_way.keys() - wanted.keys():
            self._workers().drop(self._under_way.pop(key)[1])
        found: dict[str, Preview] = {}
        for key, entry in wanted.items():
            preview = self._kept.get(key) if key in self._under_way else self._kept.get(key) or self._begun(key, entry)
            if preview is not None:
                found[entry.attachment] = preview
        for key, entry in wanted.items():
            if key in self._under_way and self._waited(key, until, cancelled):
                found[entry.attachment] = self._done(key)
        return found

    def _begun(self, key: Key, entry: FileEntry) -> Preview | None:
        """Hands a file to a worker; gives a preview where none is needed."""
        attachment = self._library.store.attachment(entry.attachment)
        if attachment is None:
            return Preview(reason="is no longer in the library")
        work = Work(replace(entry, hash=""), attachment, None)
        if not entry.path:
            if attachment.text is None:
                return Preview(reason=attachment.missing or "has no file")
            begun = begun_inline(self._reading, work)
        else:
            reader = reader_of(self._reading, entry, attachment)
            try:
                why = refused(self._reading, entry, reader, os.stat(entry.path).st_size)
            except (OSError, ValueError) as error:
                return Preview(reason=f"cannot be read: {getattr(error, 'strerror', None) or error}")
            if why or reader is None:
                return Preview(reason=why[1] if why else "no extractor reads it")
            if short := _short_of_memory(self._library.config.settings.index.floor):
                return Preview(reason=short)
            begun = self._workers().submit(self._reading.job(reader, entry))
        if isinstance(begun, Made):
            return self._keep(key, self._preview(entry, begun))
        self._under_way[key] = (entry, begun)
        return None

    def _waited(self, key: Key, until: float, cancelled: Cancel) -> bool:
        """Whether a file is done before the time is over."""
        _, pending = self._under_way[key]
        while True:
            if cancelled():
                raise Cancelled("stopped")
            if self._workers().wait(pending, max(0.0, min(LOOK_EVERY, until - time.monotonic()))):
                return True
            if time.monotonic() >= until:
                return False

    def _done(self, key: Key) -> Preview:
        entry, pending = self._under_way.pop(key)
        try:
            return self._keep(key, self._preview(entry, self._workers().result(pending)))
        except Unreadable as error:
            preview = Preview(reason=without_path(error.reason, entry.path))
            return preview if error.passing else self._keep(key, preview)
        except PinciteError as error:
            return Preview(reason=str(error))

    def _preview(self, entry: FileEntry, made: Made) -> Preview:
        if made.chunks is None:
            return Preview(reason=f"could not be cut: {made.reason}")
        if not made.chunks:
            return Preview(reason=next((page.reason for page in made.pack.pages if page.reason), "has no text"))
        attachment = self._library.store.attachment(entry.attachment)
        language = "" if attachment is None else declared(made.pack, attachment)
        self._rows -= len(made.chunks)
        chunks = []
        for number, new in enumerate(self._reading.cutter.told(made.chunks, language)):
            draft = new.draft
            chunk = Chunk(
                self._rows + number, f"{entry.attachment}#{number}", entry.item, entry.attachment, entry.attachment, draft.kind,
                draft.spans, draft.section, draft.page, new.page_label, dict(new.anchor), new.language, draft.role,
            )  # fmt: skip
            chunks.append((chunk, new.text))
        return Preview(tuple(chunks))

    def _keep(self, key: Key, preview: Preview) -> Preview:
        if sum(len(text) for _, text in preview.chunks) <= LONGEST:
            self._kept.put(key, preview)
        return preview

    @cached_property
    def _reading(self) -> Reading:
        report = Report()  # what a run would report is the next run's to say
        cutter = cutter_of(self._library, report)
        return reading_with(self._workers, self._library, cutter, report, _nothing, _nothing, False, set())

    def _workers(self) -> Workers:
        if self._pool is None:
            self._pool = workers_of(self._library)
        return self._pool

    def close(self) -> None:
        """Ends the workers, and gives up what they are reading; a later call begins them anew."""
        self._under_way.clear()
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close(at_once=True)


def _nothing() -> None:
    """What a run would do between two files is not a reader's to do."""


def _key(entry: FileEntry) -> Key:
    try:
        stat = os.stat(entry.path)
    except (OSError, ValueError):
        return entry.attachment, entry.path, -1, -1
    return entry.attachment, entry.path, stat.st_size, stat.st_mtime_ns


def _short_of_memory(floor: int) -> str:
    free = available() >> 20
    return f"is not read now: only {free:,} MiB of memory are free" if free < floor else ""
