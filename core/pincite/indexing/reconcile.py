"""The first pass: what the library holds now against what the index knows."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from pincite.errors import Cancelled, PinciteError
from pincite.indexing.cutting import APPROXIMATE, Cutter
from pincite.indexing.report import Report, Tell
from pincite.plugin.use import using
from pincite.spec import Cancel, Source, Store
from pincite.values.library import Marked, Problem, Record, fingerprint

CUTTER = "cutter"
"""The state's key of the cutter that notes were last cut with."""

PROBLEMS = "problems"
"""The state's key of what the source could not read at the last look: [where, reason], as JSON."""

MOST_PROBLEMS = 1000

TELL_EVERY = 0.1
"""Seconds between two words of progress."""


def reconcile(
    source: Source,
    name: str,
    path: Path,
    store: Store,
    cutter: Cutter,
    report: Report,
    tell: Tell,
    cancelled: Cancel,
    now_and_then: Callable[[], None] = lambda: None,
    files_come: Callable[[], None] = lambda: None,
) -> bool:
    """Puts every new or changed record, drops every item that is gone; whether anything was. `path` is the library's.

    `files_come` is called for each new or changed record with a file. How many records there are is known at the end: until then the total
    that is told is that of the last run, or 0. Nothing is dropped where the source fails half-way, where the library itself is gone, or
    below what could not be read.
    """
    started = last = time.monotonic()
    known = store.fingerprints()
    seen: set[str] = set()
    unread: list[str] = []
    changed = 0
    salts = _salts(store, cutter)
    report.problems[:] = [one for one in report.problems if one not in report.unread]
    report.unread.clear()
    marked = getattr(source, "marked", None)
    with using(f"source.{name}"):
        for entry in source.records() if marked is None else marked():
            if cancelled():
                raise Cancelled("stopped; run it again to go on")
            if isinstance(entry, Problem):
                unread.append(entry.where)
                _problem(report, entry.where, entry.reason)
                continue
            id, own = (entry.id, entry.mark) if isinstance(entry, Marked) else (entry.item.id, fingerprint(entry))
            if id in seen:
                _problem(report, id, "the library has this id twice; the second was left out")
                continue
            seen.add(id)
            marks = [fingerprint(salt + own) for salt in salts]
            if known.get(id) not in marks:
                record = entry.make() if isinstance(entry, Marked) else entry
                if any(not one.missing for one in record.attachments):
                    files_come()
                changed += _put(store, cutter, record, marks[0], report)
            now = time.monotonic()
            if now - last > TELL_EVERY:
                last = now
                tell("read", len(seen), len(known) if len(known) > len(seen) else 0, "")
                now_and_then()
    gone = sorted(known.keys() - seen)
    if gone:
        _check_there(path, bool(seen))
        gone = [id for id in gone if not _below(id, store, unread)]
    report.items = len(seen)
    report.changed += changed
    removed = store.drop_items(gone)
    report.removed += removed
    if cutter.tokenizer != APPROXIMATE and store.get(CUTTER) != cutter.id:
        store.set(CUTTER, cutter.id)
    problems = json.dumps(report.unread[:MOST_PROBLEMS]) if report.unread else None
    if store.get(PROBLEMS) != problems:
        store.set(PROBLEMS, problems)
    tell("read", len(seen), len(seen), "")
    report.seconds["read"] = report.seconds.get("read", 0.0) + time.monotonic() - started
    return bool(changed or removed)


def _salts(store: Store, cutter: Cutter) -> list[str]:
    """The same record cut otherwise is another one; but what a model's tokenizer has cut holds while the model cannot be had."""
    last = store.get(CUTTER) or ""
    return [cutter.id, last] if cutter.tokenizer == APPROXIMATE and cutter.made(last) else [cutter.id]


def _put(store: Store, cutter: Cutter, record: Record, mark: str, report: Report) -> int:
    try:
        store.put_record(record, mark, cutter.record(record))
    except UnicodeError:
        _problem(report, ascii(record.item.id), "its id cannot be written as UTF-8; it was left out")
        return 0
    return 1


def _problem(report: Report, where: str, reason: str) -> None:
    report.problems.append((where, reason))
    report.unread.append((where, reason))


def _check_there(path: Path, anything: bool) -> None:
    """A library that has vanished is not one that was emptied."""
    if not os.path.lexists(path):
        raise PinciteError(
            f"{path}: is gone since the run began; nothing was removed from the index: bring it back and run it again"
        )
    if not anything and path.is_dir() and not any(path.iterdir()):
        raise PinciteError(
            f"{path}: is empty, and was not; nothing was removed from the index: connect the drive, or run "
            "`pincite index --rebuild` if it is meant to be empty"
        )


def _below(id: str, store: Store, unread: Iterable[str]) -> bool:
    """Whether an item that was not seen lies where the source could not look."""
    where = tuple(unread)
    if not where:
        return False
    row = store.find_item(id)
    record = store.records([row]).get(row) if row is not None else None
    paths = [one.path for one in record.attachments if one.path] if record is not None else []
    return any(
        place == id or any(path == place or path.startswith(place.rstrip("/\\") + os.sep) for path in paths)
        for place in where
    )
