"""The second pass: every file that is new, changed, or was read or cut by another version, small ones first."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pincite.errors import Cancelled, Unreadable
from pincite.indexing.keep import failed, keep
from pincite.indexing.look import Reading, Work, content_hash, look
from pincite.indexing.plain import plain_pack
from pincite.indexing.report import Clock, Report, Tell
from pincite.indexing.worker import Made
from pincite.indexing.workers import Pending
from pincite.spec import Cancel
from pincite.values.ledger import FileEntry

IN_MAIN = 20_000
"""Characters of a text of the library's own up to which it is cut here: a worker would take longer to be asked."""


def extract(reading: Reading, report: Report, tell: Tell, clock: Clock, cancelled: Cancel, ahead: int) -> bool:
    """Reads and cuts what is outstanding. `ahead` files are with the workers at a time. Gives whether files changed while they were
    read, so that another pass is due."""
    started = time.monotonic()
    entries = reading.store.files()
    report.failures.clear()  # another pass looks at everything again
    report.skips.clear()
    report.unchanged = 0
    done = 0
    todo: list[Work] = []
    for entry in entries:
        if cancelled():
            raise Cancelled("stopped; run it again to go on")
        work = look(reading, entry, report)
        if work is None:
            done += 1
        else:
            todo.append(work)
    todo.sort(key=lambda work: (work.entry.size, work.entry.attachment))
    tell("extract", done, len(entries), "")
    again = False
    try:
        for work, outcome in _made(reading, todo, clock, cancelled, ahead):
            path = work.attachment.path or work.entry.attachment
            if isinstance(outcome, Unreadable):
                failed(reading, work, outcome, report)
            elif _same_still(work.entry):
                keep(reading, work, outcome, report)
            else:
                again = True  # it was written while it was read: its turn comes again
            done += 1
            tell("extract", done, len(entries), os.path.basename(path))
            reading.between()
    finally:
        report.seconds["extract"] = report.seconds.get("extract", 0.0) + time.monotonic() - started
    if done < len(entries):
        report.unfinished = f"{len(entries) - done:,} of {len(entries):,} files are still to be read"
    return again


def _same_still(entry: FileEntry) -> bool:
    if not entry.path:
        return True
    try:
        stat = os.stat(entry.path)
    except OSError:
        return True  # it was whole when it was read; the next run sees that it is gone
    return (stat.st_size, stat.st_mtime_ns) == (entry.size, entry.mtime_ns)


def _made(
    reading: Reading, todo: list[Work], clock: Clock, cancelled: Cancel, ahead: int
) -> Iterator[tuple[Work, Made | Unreadable]]:
    """Results in the order of `todo`, with `ahead` files under way, so that two builds give rows in the same order."""
    waiting: deque[tuple[Work, Any]] = deque()
    queue = deque(todo)
    while queue or waiting:
        while queue and len(waiting) < ahead and clock.left > 0:
            waiting.append(_begun(reading, queue.popleft()))
        if not waiting:
            return
        if cancelled():
            raise Cancelled("stopped; run it again to go on")
        work, outcome = waiting.popleft()
        if not isinstance(outcome, Made | Unreadable):
            if not outcome.ready:
                reading.meanwhile()
            try:
                outcome = reading.workers().result(outcome)
                outcome = replace(outcome, pack=replace(outcome.pack, source_hash=work.entry.hash))
            except Unreadable as error:
                outcome = error
        yield work, outcome


def _begun(reading: Reading, work: Work) -> tuple[Work, Any]:
    """A file handed to a worker; what needs none is made here."""
    if work.reader is None:
        return work, begun_inline(reading, work)
    try:
        digest = content_hash(work.entry.path)
    except OSError as error:
        return work, Unreadable("unreadable", f"cannot be read: {error.strerror}", passing=True)
    work = replace(work, entry=replace(work.entry, hash=digest))
    job = reading.job(work.reader, work.entry)
    # the same content read before, for this attachment or another: only the cut is made anew
    return work, reading.workers().submit(replace(job, pack=reading.store.stored_pack(work.entry)))


def begun_inline(reading: Reading, work: Work) -> Made | Pending:
    """A text that the library itself holds: a long one is cut by a worker, too."""
    text = work.attachment.text or ""
    pack = plain_pack(text, work.attachment.title)
    if len(text) <= IN_MAIN:
        return Made(pack, reading.cutter.pack(pack))
    return reading.workers().submit(replace(reading.job(None, work.entry), pack=pack))
