"""The second pass: every file that is new, changed, or was read or cut by another version."""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pincite.errors import Cancelled, Unreadable
from pincite.indexing.cutting import Cutter, page_healths
from pincite.indexing.plain import plain_pack
from pincite.indexing.report import Clock, Report, Tell
from pincite.indexing.workers import Job, Workers
from pincite.item_text import item_chunk
from pincite.plugin.registry import Registered
from pincite.spec import Cancel, Store
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Attachment, Item, item_from_json
from pincite.values.pack import Pack

ATTEMPTS = 3
"""Failures after which a file waits until it changes or is asked for again."""

INLINE = "inline"
"""The extractor's name of a text that the library itself holds."""

FILLED = ("title", "creators", "year", "language", "doi", "abstract", "kind")
"""Fields of an item that its file may fill where the source left them empty."""


@dataclass(frozen=True)
class Reader:
    """An extractor as the run needs it: its entry, version and settings."""

    entry: Registered
    version: int
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """What the pass works with."""

    store: Store
    cutter: Cutter
    readers: list[Reader]
    workers: Callable[[], Workers]
    job: Callable[[Reader, FileEntry], Job]
    max_file: int
    catch_up: Callable[[], None]
    retry: bool = False


@dataclass(frozen=True)
class _Work:
    entry: FileEntry
    attachment: Attachment
    reader: Reader | None


def extract(reading: Reading, report: Report, tell: Tell, clock: Clock, cancelled: Cancel, ahead: int) -> None:
    """Reads and cuts what is outstanding, small files first. `ahead` files are with the workers at a time."""
    started = time.monotonic()
    entries = reading.store.files()
    done = 0
    todo: list[_Work] = []
    for entry in entries:
        if cancelled():
            raise Cancelled("stopped; run it again to go on")
        work = _look(reading, entry, report)
        if work is None:
            done += 1
        else:
            todo.append(work)
    todo.sort(key=lambda work: (work.entry.size, work.entry.attachment))
    tell("extract", done, len(entries), "")
    last = time.monotonic()
    for work, pack in _read(reading, todo, clock, cancelled, ahead):
        path = work.attachment.path or work.entry.attachment
        if isinstance(pack, Unreadable):
            _failed(reading.store, work, pack, report)
        else:
            _keep(reading, work, pack, report)
        done += 1
        tell("extract", done, len(entries), os.path.basename(path))
        if time.monotonic() - last > 1.0:
            reading.catch_up()
            last = time.monotonic()
    if done < len(entries):
        report.unfinished = f"{len(entries) - done} of {len(entries)} files are still to be read"
    reading.catch_up()
    report.seconds["extract"] = time.monotonic() - started


# ------------------------------------------------------------------------------------------------ what is to do


def _look(reading: Reading, entry: FileEntry, report: Report) -> _Work | None:
    """The work that a file wants, or None; a verdict that needs no reading is recorded here."""
    store = reading.store
    if not entry.path:
        return _look_inline(reading, entry, report)
    try:
        stat = os.stat(entry.path)
    except (OSError, ValueError) as error:
        _unseen(store, entry, error, report)
        return None
    same = entry.size == stat.st_size and entry.mtime_ns == stat.st_mtime_ns
    attachment = None
    if not same or entry.state is FileState.WAITING:
        attachment = store.attachment(entry.attachment)
        if entry.hash and entry.state is not FileState.WAITING:
            digest = _hash(entry.path)
            if digest == entry.hash:
                entry = replace(entry, size=stat.st_size, mtime_ns=stat.st_mtime_ns)
                store.note_file(entry)
                same = True
    if (
        same
        and entry.state is FileState.FAILED
        and not (reading.retry or (entry.passing and entry.attempts < ATTEMPTS))
    ):
        report.failures.append((entry.path, entry.reason))
        report.unchanged += 1
        return None
    reader = _reader(reading, entry.path, entry.attachment, attachment)
    fresh = entry.extractor == (reader.entry.name if reader else "") and entry.extractor_version == (
        reader.version if reader else 0
    )
    if (
        same
        and fresh
        and entry.state in (FileState.INDEXED, FileState.SKIPPED)
        and entry.cutter in (reading.cutter.id, "")
    ):
        report.unchanged += 1
        if entry.state is FileState.SKIPPED:
            report.skips.append((entry.path, entry.reason))
        return None
    attachment = attachment or store.attachment(entry.attachment)
    if attachment is None:
        return None
    attempts = entry.attempts if same else 0
    entry = replace(entry, size=stat.st_size, mtime_ns=stat.st_mtime_ns, attempts=attempts)
    if not os.path.isfile(entry.path):
        _verdict(store, entry, FileState.SKIPPED, "not-a-document", "is a folder or a device, not a file", report)
        return None
    if stat.st_size > reading.max_file * 1024 * 1024:
        _verdict(
            store,
            entry,
            FileState.SKIPPED,
            "too-large",
            f"is larger than {reading.max_file} MiB ([index] max_file)",
            report,
        )
        return None
    if reader is None:
        _verdict(
            store,
            entry,
            FileState.SKIPPED,
            "unsupported",
            f"no extractor reads {Path(entry.path).suffix or 'such'} files",
            report,
        )
        return None
    return _Work(entry, attachment, reader)


def _look_inline(reading: Reading, entry: FileEntry, report: Report) -> _Work | None:
    if entry.state is not FileState.WAITING and entry.cutter in (reading.cutter.id, ""):
        report.unchanged += 1
        if entry.state is FileState.SKIPPED:
            report.skips.append((entry.attachment, entry.reason))
        return None
    attachment = reading.store.attachment(entry.attachment)
    if attachment is None:
        return None
    if attachment.text is None:
        _verdict(reading.store, entry, FileState.SKIPPED, "missing", attachment.missing or "has no file", report)
        return None
    return _Work(replace(entry, size=len(attachment.text)), attachment, None)


def _unseen(store: Store, entry: FileEntry, error: OSError | ValueError, report: Report) -> None:
    """A file that cannot be looked at. Gone where its folder is there and it is not; else it is left alone: a drive may be away."""
    gone = isinstance(error, FileNotFoundError) and os.path.isdir(os.path.dirname(entry.path))
    reason = (
        "there is no such file"
        if isinstance(error, FileNotFoundError)
        else str(getattr(error, "strerror", None) or error)
    )
    if entry.state is FileState.INDEXED and not gone:
        report.failures.append((entry.path, f"{reason}; what was indexed of it is kept"))
        return
    if entry.state is FileState.FAILED and entry.verdict == "missing" and entry.reason == reason:
        report.failures.append((entry.path, reason))
        return
    _verdict(
        store, replace(entry, size=-1, mtime_ns=-1, passing=True, hash=""), FileState.FAILED, "missing", reason, report
    )


def _reader(reading: Reading, path: str, id: str, attachment: Attachment | None) -> Reader | None:
    suffix = Path(path).suffix.lower()
    for reader in reading.readers:
        if suffix in reader.entry.facts.get("suffixes", ()):
            return reader
    attachment = attachment or reading.store.attachment(id)
    for reader in reading.readers:
        if attachment is not None and attachment.content_type in reader.entry.facts.get("content_types", ()):
            return reader
    return None


def _hash(path: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
    except OSError:
        return ""
    return digest.hexdigest()


# ------------------------------------------------------------------------------------------------ reading


def _read(
    reading: Reading, todo: list[_Work], clock: Clock, cancelled: Cancel, ahead: int
) -> Iterator[tuple[_Work, Pack | Unreadable]]:
    """Results in the order of `todo`, with `ahead` files under way, so that two builds give rows in the same order."""
    waiting: deque[tuple[_Work, Any]] = deque()
    queue = deque(todo)
    pool: Workers | None = None
    while queue or waiting:
        while queue and len(waiting) < ahead and clock.left > 0:
            work = queue.popleft()
            if work.reader is None:
                waiting.append((work, plain_pack(work.attachment.text or "")))
                continue
            digest = _hash(work.entry.path)
            work = replace(work, entry=replace(work.entry, hash=digest))
            stored = _stored_pack(reading, work)
            if stored is not None:
                waiting.append((work, stored))
                continue
            pool = pool or reading.workers()
            assert work.reader is not None
            waiting.append((work, pool.submit(reading.job(work.reader, work.entry))))
        if not waiting:
            return
        if cancelled():
            raise Cancelled("stopped; run it again to go on")
        work, outcome = waiting.popleft()
        if not isinstance(outcome, Pack):
            assert pool is not None
            try:
                outcome = replace(pool.result(outcome), source_hash=work.entry.hash)
            except Unreadable as error:
                outcome = error
        yield work, outcome


def _stored_pack(reading: Reading, work: _Work) -> Pack | None:
    """The pack that is there already, where only the cut is out of date."""
    entry, reader = work.entry, work.reader
    if reader is None or entry.extractor != reader.entry.name or entry.extractor_version != reader.version:
        return None
    pack = reading.store.pack(entry.attachment)
    if pack is None or not entry.hash or pack.source_hash != entry.hash:
        return None
    return pack


# ------------------------------------------------------------------------------------------------ keeping


def _keep(reading: Reading, work: _Work, pack: Pack, report: Report) -> None:
    language = (pack.metadata.get("language") or work.attachment.language)[:2].lower()
    chunks = reading.cutter.pack(pack, language)
    healths = page_healths(pack)
    entry = replace(
        work.entry,
        state=FileState.INDEXED,
        verdict=pack.metadata.get("verdict", ""),
        reason=pack.metadata.get("note", ""),
        attempts=0,
        passing=False,
        extractor=work.reader.entry.name if work.reader else INLINE,
        extractor_version=work.reader.version if work.reader else 0,
        cutter=reading.cutter.id,
        pages=healths,
        letters=pack.letters,
    )
    if not chunks:
        reasons = sorted({page.reason for page in pack.pages if page.reason})
        entry = replace(
            entry, state=FileState.SKIPPED, verdict="no-text", reason=reasons[0] if reasons else "has no text"
        )
        report.skips.append((entry.path or entry.attachment, entry.reason))
    inline = work.reader is None
    reading.store.put_file(entry, None if inline else pack, chunks)
    _fill(reading, entry.item, pack)
    report.extracted += 1


def _fill(reading: Reading, row: int, pack: Pack) -> None:
    """Gives the item what its source left empty and its file knows."""
    item = reading.store.item(row)
    if item is None:
        return
    found = {
        name: value for name, value in _metadata(pack).items() if name in FILLED and value and not getattr(item, name)
    }
    if found:
        filled = replace(item, **_typed(found))
        own = reading.cutter.language(filled.abstract or filled.title)
        reading.store.fill_item(row, found, [item_chunk(filled, own)])


def _metadata(pack: Pack) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: pack.metadata[name]
        for name in ("title", "language", "doi", "abstract", "kind")
        if pack.metadata.get(name)
    }
    year = pack.metadata.get("year", "")[:4]
    if year.isdecimal() and 1000 <= int(year) <= 2999:
        found["year"] = int(year)
    names = [name.strip() for name in pack.metadata.get("author", "").split(";") if name.strip()]
    if names:
        found["creators"] = [_creator(name) for name in names]
    return found


def _creator(name: str) -> dict[str, str]:
    if "," in name:
        family, _, given = name.partition(",")
        return {"family": family.strip(), "given": given.strip()}
    given, _, family = name.rpartition(" ")
    return {"family": family, "given": given} if given else {"family": family}


def _typed(found: Mapping[str, Any]) -> dict[str, Any]:
    import json

    item: Item = item_from_json(json.dumps({**found, "id": "-"}))
    return {name: getattr(item, name) for name in found}


def _failed(store: Store, work: _Work, error: Unreadable, report: Report) -> None:
    entry = replace(
        work.entry,
        attempts=work.entry.attempts + 1,
        passing=error.passing,
        extractor=work.reader.entry.name if work.reader else "",
        extractor_version=work.reader.version if work.reader else 0,
    )
    lasting_skip = error.verdict in ("empty", "no-text", "not-a-document", "unsupported")
    _verdict(store, entry, FileState.SKIPPED if lasting_skip else FileState.FAILED, error.verdict, error.reason, report)


def _verdict(store: Store, entry: FileEntry, state: FileState, verdict: str, reason: str, report: Report) -> None:
    store.note_file(replace(entry, state=state, verdict=verdict, reason=reason, cutter="", pages={}, letters=0))
    (report.skips if state is FileState.SKIPPED else report.failures).append((entry.path or entry.attachment, reason))
