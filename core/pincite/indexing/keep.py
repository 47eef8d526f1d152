"""What was made of a file goes into the store, with its verdict: one transaction."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.errors import Unreadable
from pincite.indexing.cutting import page_healths
from pincite.indexing.look import Reading, Work, verdict
from pincite.indexing.report import Report
from pincite.indexing.worker import Made
from pincite.values.ledger import FileState, NewChunk
from pincite.values.library import Attachment
from pincite.values.pack import Pack

LASTING_SKIPS = ("empty", "no-text", "not-a-document", "unsupported")
"""Verdicts by which a file is no failure: there is nothing in it to index (specs/07-verdicts.md)."""


def keep(reading: Reading, work: Work, made: Made, report: Report) -> None:
    """Stores the pack and its chunks."""
    pack = made.pack
    if made.chunks is None:
        # never a stand-in that would stay for good: it is cut by a later run
        failed(reading, work, Unreadable("not-cut", f"could not be cut: {made.reason}", passing=True), report)
        return
    chunks = reading.cutter.told(made.chunks, declared(pack, work.attachment))
    entry = replace(
        work.entry,
        state=FileState.INDEXED,
        verdict=pack.metadata.get("verdict", ""),
        reason=pack.metadata.get("note", ""),
        attempts=0,
        passing=False,
        cutter=reading.cutter.id,
        pages=page_healths(pack),
        letters=pack.letters,
        found=what_it_says(pack, chunks) if work.reader is not None else {},
    )
    if not chunks:
        reasons = sorted({page.reason for page in pack.pages if page.reason})
        entry = replace(
            entry, state=FileState.SKIPPED, verdict="no-text", reason=reasons[0] if reasons else "has no text"
        )
        report.skips.append((entry.path or entry.attachment, entry.reason))
    reading.store.put_file(entry, None if work.reader is None else pack, chunks)
    report.workers_memory = max(report.workers_memory, made.memory)
    report.extracted += 1
    report.cut += len(chunks)


def declared(pack: Pack, attachment: Attachment) -> str:
    """The language that a file, else its record, says it is in: ISO 639-1 or ""."""
    return (pack.metadata.get("language") or attachment.language)[:2].lower()


def failed(reading: Reading, work: Work, error: Unreadable, report: Report) -> None:
    """Records a failure: one that may pass is tried again, three times in all; a lasting one waits until the file changes."""
    entry = replace(work.entry, attempts=work.entry.attempts + 1, passing=error.passing)
    state = FileState.SKIPPED if error.verdict in LASTING_SKIPS else FileState.FAILED
    reading.tried.add(entry.attachment)
    verdict(reading.store, entry, state, error.verdict, without_path(error.reason, entry.path), report)


def without_path(reason: str, path: str) -> str:
    """A reason without the file that it begins with: the ledger and the report name it beside."""
    if not path:
        return reason
    for name in (path, str(Path(path)), os.path.basename(path)):
        for mark in (": ", " "):
            if reason.startswith(name + mark):
                return reason[len(name + mark) :].lstrip() or reason
    return reason


def what_it_says(pack: Pack, chunks: Sequence[NewChunk] = ()) -> dict[str, Any]:
    """Fields of `Item` that a file knows, in JSON form. A file that declares no language is in that of most of its chunks."""
    found: dict[str, Any] = {
        name: pack.metadata[name]
        for name in ("title", "language", "doi", "abstract", "kind")
        if pack.metadata.get(name)
    }
    languages = Counter(chunk.language for chunk in chunks if chunk.language)
    if languages:
        found.setdefault("language", min(languages, key=lambda code: (-languages[code], code)))
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
