"""What a file wants: nothing, a verdict that needs no reading, or work. A stat first, then the content's hash."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pincite.indexing.cutting import Cutter
from pincite.indexing.report import Report
from pincite.indexing.worker import Job
from pincite.indexing.workers import Workers
from pincite.plugin.registry import Registered
from pincite.spec import Store
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Attachment, fingerprint

ATTEMPTS = 3
"""Failures after which a file waits until it changes or is asked for again."""

INLINE = "inline"
"""The extractor's name of a text that the library itself holds."""


@dataclass(frozen=True)
class Reader:
    """An extractor as the run needs it: its entry, version and settings."""

    entry: Registered
    version: int
    settings: Mapping[str, Any]

    def mark(self, password: str | None) -> str:
        """Marks settings and password: what was read with others is read again. "" for none."""
        if not self.settings and password is None:
            return ""
        return fingerprint(repr((sorted(self.settings.items()), password)))[:12]


@dataclass(frozen=True)
class Reading:
    """What the pass works with. `root`: the library. `between` is called after each file that is kept, `meanwhile` where the next
    one is not read yet. `tried` holds what failed in this run: its next attempt is for another. `count`: worker processes."""

    store: Store
    root: Path
    cutter: Cutter
    readers: list[Reader]
    workers: Callable[[], Workers]
    job: Callable[[Reader | None, FileEntry], Job]
    password: Callable[[str], str | None]
    max_file: int
    between: Callable[[], Any]
    meanwhile: Callable[[], Any]
    retry: bool = False
    tried: set[str] = field(default_factory=set)
    count: int = 1


@dataclass(frozen=True)
class Work:
    """A file to be read, or (reader None) a text of the library's own to be cut."""

    entry: FileEntry
    attachment: Attachment
    reader: Reader | None


def look(reading: Reading, entry: FileEntry, report: Report) -> Work | None:
    """The work that a file wants, or None; a verdict that needs no reading is recorded here."""
    store = reading.store
    if not entry.path:
        return _look_inline(reading, entry, report)
    try:
        stat = os.stat(entry.path)
    except (OSError, ValueError) as error:
        _unseen(store, reading.root, entry, error, report)
        return None
    same = entry.size == stat.st_size and entry.mtime_ns == stat.st_mtime_ns
    waits = entry.state is FileState.WAITING
    if not same and entry.hash and not waits and _hash_is(entry):
        entry = replace(entry, size=stat.st_size, mtime_ns=stat.st_mtime_ns)
        store.note_file(entry)
        same = True
    attachment = store.attachment(entry.attachment) if waits or not entry.extractor else None
    reader = reader_of(reading, entry, attachment)
    mark = reader.mark(reading.password(entry.path)) if reader else ""
    fresh = (entry.extractor, entry.extractor_version, entry.made_with) == (
        (reader.entry.name, reader.version, mark) if reader else ("", 0, "")
    )
    if same and fresh and _settled(reading, entry, report):
        report.unchanged += 1
        return None
    attachment = attachment or store.attachment(entry.attachment)
    if attachment is None:
        return None
    anew = not same or not fresh or reading.retry
    entry = replace(
        entry, size=stat.st_size, mtime_ns=stat.st_mtime_ns, attempts=0 if anew else entry.attempts,
        extractor=reader.entry.name if reader else "", extractor_version=reader.version if reader else 0, made_with=mark,
    )  # fmt: skip
    why = refused(reading, entry, reader, stat.st_size)
    if why:
        verdict(store, entry, FileState.SKIPPED, *why, report)
        return None
    return Work(entry, attachment, reader)


def _settled(reading: Reading, entry: FileEntry, report: Report) -> bool:
    """Whether nothing is to be done with a file that is as it was, read by the extractor that would read it now."""
    if entry.state is FileState.WAITING:
        return False
    if entry.state is FileState.FAILED:
        due = reading.retry or (entry.passing and entry.attempts < ATTEMPTS)
        if due and entry.attachment not in reading.tried:
            return False
        report.failures.append((entry.path, entry.reason))
        return True
    if entry.state is FileState.SKIPPED:
        if entry.verdict == "too-large" and entry.size <= reading.max_file * 1024 * 1024:
            return False
        report.skips.append((entry.path, entry.reason))
        return True
    return reading.cutter.made(entry.cutter)


def refused(reading: Reading, entry: FileEntry, reader: Reader | None, size: int) -> tuple[str, str] | None:
    """The verdict and reason by which a file of `size` bytes is not read at all, or None."""
    if not os.path.isfile(entry.path):
        return "not-a-document", "is a folder or a device, not a file"
    if size > reading.max_file * 1024 * 1024:
        return "too-large", f"is larger than {reading.max_file} MiB ([index] max_file)"
    if reader is None:
        return "unsupported", f"no extractor reads {Path(entry.path).suffix or 'such'} files"
    return None


def _look_inline(reading: Reading, entry: FileEntry, report: Report) -> Work | None:
    if entry.state is FileState.SKIPPED or (entry.state is FileState.INDEXED and reading.cutter.made(entry.cutter)):
        report.unchanged += 1
        if entry.state is FileState.SKIPPED:
            report.skips.append((entry.attachment, entry.reason))
        return None
    attachment = reading.store.attachment(entry.attachment)
    if attachment is None:
        return None
    if attachment.text is None:
        verdict(reading.store, entry, FileState.SKIPPED, "missing", attachment.missing or "has no file", report)
        return None
    blank = replace(entry, size=len(attachment.text), extractor=INLINE, extractor_version=0, made_with="", hash="")
    return Work(blank, attachment, None)


def _unseen(store: Store, root: Path, entry: FileEntry, error: OSError | ValueError, report: Report) -> None:
    """A file that cannot be looked at. Gone where its folder is there and it is not, or the library that holds it is; else it is left
    alone: a drive may be away."""
    gone = isinstance(error, FileNotFoundError) and (
        os.path.isdir(os.path.dirname(entry.path))
        or (entry.path.startswith(str(root) + os.sep) and _holds_something(root))
    )
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
    entry = replace(
        entry, size=-1, mtime_ns=-1, passing=True, hash="", extractor="", extractor_version=0, made_with="", attempts=0
    )
    verdict(store, entry, FileState.FAILED, "missing", reason, report)


def _holds_something(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except OSError:
        return False


def verdict(store: Store, entry: FileEntry, state: FileState, name: str, reason: str, report: Report) -> None:
    """Records that a file is skipped or failed; what was made of it goes."""
    store.note_file(replace(entry, state=state, verdict=name, reason=reason, cutter="", pages={}, letters=0, found={}))
    (report.skips if state is FileState.SKIPPED else report.failures).append((entry.path or entry.attachment, reason))


def reader_of(reading: Reading, entry: FileEntry, attachment: Attachment | None) -> Reader | None:
    """The extractor of a file by its suffix, else by the content type that its source gives it."""
    suffix = Path(entry.path).suffix.lower()
    for reader in reading.readers:
        if suffix in reader.entry.facts.get("suffixes", ()):
            return reader
    attachment = attachment or reading.store.attachment(entry.attachment)
    for reader in reading.readers:
        if attachment is not None and attachment.content_type in reader.entry.facts.get("content_types", ()):
            return reader
    return None


def content_hash(path: str) -> str:
    """BLAKE2b-128 of a file's bytes, hexadecimal. Raises OSError."""
    digest = hashlib.blake2b(digest_size=16)
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _hash_is(entry: FileEntry) -> bool:
    try:
        return content_hash(entry.path) == entry.hash
    except OSError:
        return False
