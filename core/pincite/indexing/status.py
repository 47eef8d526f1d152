"""What the index holds, as plain data (specs/11-status-json.md)."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from pincite.errors import PinciteError
from pincite.indexing.diagnostics import last
from pincite.indexing.lock import holder
from pincite.indexing.look import ATTEMPTS
from pincite.indexing.pause import paused
from pincite.indexing.reconcile import PROBLEMS
from pincite.values.ledger import FileState

if TYPE_CHECKING:
    from pincite.library import Library

LISTED = 1000
"""Files that are listed by name, of each state; `more` says how many others there are."""


def status(library: Library, diagnostics: bool = False) -> dict[str, Any]:
    """Totals that add up, coverage of each ranker, and each file that is not indexed with its reason; with `diagnostics` how the last
    run went and how large the chunks are."""
    if not library.indexed:
        return _never_indexed(library)
    store = library.store
    totals = store.totals()
    files = store.files()
    pages: Counter[str] = Counter()
    for entry in files:
        pages.update(entry.pages)
    rankers = {}
    for name in dict.fromkeys(name for names in library.config.settings.engines.values() for name in names):
        try:
            state = library.ranker(name).status()
            rankers[name] = {"rows": state.rows, "expected": state.expected, "degraded": state.degraded}
        except PinciteError as error:
            rankers[name] = {"rows": 0, "expected": 0, "degraded": str(error)}
    statistics = store.statistics()
    found = {
        "schema": 1,
        "library": {"path": str(library.path), "source": _source_name(library), "identity": store.get("identity")},
        "index": {
            "folder": str(library.folder),
            "bytes": size_of(library.folder),
            "database": statistics["bytes"],
            "free": statistics["free"],
        },
        "paused": paused(library.folder) or None,
        "running": holder(library.folder) or None,
        "totals": {
            "items": totals.items,
            "files": totals.files,
            "indexed": totals.indexed,
            "skipped": totals.skipped,
            "failed": totals.failed,
            "waiting": totals.waiting,
            "notes": totals.notes,
            "annotations": totals.annotations,
            "passages": totals.chunks,
        },
        "verdicts": dict(sorted(Counter(entry.verdict for entry in files if entry.verdict).items())),
        "pages": dict(sorted(pages.items())),
        "languages": statistics["languages"],
        "model": _model(library),
        "rankers": rankers,
        "last_run": _int(store.get("last_run")),
        "last_check": _int(store.get("checked")),
        "failed": _listed(files, FileState.FAILED),
        "skipped": _listed(files, FileState.SKIPPED),
        "waiting": _listed(files, FileState.WAITING),
        "problems": [{"where": where, "reason": reason} for where, reason in json.loads(store.get(PROBLEMS) or "[]")],
    }
    if diagnostics:
        found["diagnostics"] = {"run": last(store), "chunk_tokens": statistics["sizes"]}
    return found


def _source_name(library: Library) -> str:
    """What reads the library; what read it, where it is away."""
    try:
        return library.source_name
    except PinciteError:
        return (library.store.get("identity") or "").partition(":")[0]


def _never_indexed(library: Library) -> dict[str, Any]:
    keys = ("items", "files", "indexed", "skipped", "failed", "waiting", "notes", "annotations", "passages")
    return {
        "schema": 1,
        "library": {"path": str(library.path), "source": library.source_name, "identity": None},
        "index": {"folder": str(library.folder), "bytes": 0, "database": 0, "free": 0},
        "paused": paused(library.folder) or None,
        "running": None,
        "totals": dict.fromkeys(keys, 0),
        "verdicts": {},
        "pages": {},
        "languages": {},
        "model": _model(library),
        "rankers": {},
        "last_run": None,
        "last_check": None,
        "failed": [],
        "skipped": [],
        "waiting": [],
        "problems": [],
    }


def _model(library: Library) -> dict[str, Any]:
    try:
        facts = library.embedder.facts
    except PinciteError as error:
        return {"name": None, "error": str(error)}
    found = {"name": facts.name, "id": facts.id, "width": facts.width, "window": facts.window}
    report = getattr(library.embedder, "report", None)
    return found if report is None else {**found, **report()}


def _listed(files: list[Any], state: FileState) -> list[dict[str, Any]]:
    return [
        {
            "path": entry.path or entry.attachment,
            "verdict": entry.verdict,
            "reason": entry.reason,
            "attempts": entry.attempts,
            "parked": entry.state is FileState.FAILED and not (entry.passing and entry.attempts < ATTEMPTS),
        }
        for entry in files
        if entry.state is state
    ][:LISTED]


def size_of(folder: os.PathLike[str]) -> int:
    """Bytes of all files in a folder, without SQLite's shared memory, which is gone when the index is closed."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            if name.endswith("-shm"):
                continue
            try:
                total += os.stat(os.path.join(root, name)).st_size
            except OSError:
                continue
    return total


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)
