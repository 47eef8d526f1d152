"""The first pass: what the library holds now against what the index knows."""

from __future__ import annotations

import time

from pincite.errors import Cancelled
from pincite.indexing.cutting import Cutter
from pincite.indexing.report import Report, Tell
from pincite.plugin.use import using
from pincite.spec import Cancel, Source, Store
from pincite.values.library import Problem, fingerprint

TELL_EVERY = 0.1
"""Seconds between two words of progress."""


def reconcile(
    source: Source, name: str, store: Store, cutter: Cutter, report: Report, tell: Tell, cancelled: Cancel
) -> None:
    """Puts every new or changed record, drops every item that is gone. Nothing is dropped where the source fails half-way."""
    started = last = time.monotonic()
    known = store.fingerprints()
    seen: set[str] = set()
    # the same record cut otherwise is another one
    salt = f"{cutter.chunker.name}/{cutter.chunker.version}"
    with using(f"source.{name}"):
        for entry in source.records():
            if cancelled():
                raise Cancelled("stopped; run it again to go on")
            if isinstance(entry, Problem):
                report.problems.append((entry.where, entry.reason))
                continue
            id = entry.item.id
            if id in seen:
                report.problems.append((id, "the library has this id twice; the second was left out"))
                continue
            seen.add(id)
            mark = fingerprint(salt + fingerprint(entry))
            if known.get(id) != mark:
                store.put_record(entry, mark, cutter.record(entry))
                report.changed += 1
            now = time.monotonic()
            if now - last > TELL_EVERY:
                last = now
                tell("read", len(seen), len(known), "")
    report.items = len(seen)
    report.removed = store.drop_items(sorted(known.keys() - seen))
    tell("read", len(seen), len(seen), "")
    report.seconds["read"] = time.monotonic() - started
