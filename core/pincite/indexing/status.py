"""What the index holds, as plain data (specs/11-status-json.md)."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from pincite.errors import PinciteError
from pincite.values.ledger import FileState

if TYPE_CHECKING:
    from pincite.library import Library

LISTED = 1000
"""Files that are listed by name, of each state; `more` says how many others there are."""


def status(library: Library) -> dict[str, Any]:
    """Totals that add up, coverage of each ranker, and each file that is not indexed with its reason."""
    if not library.folder.is_dir():
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
    return {
        "schema": 1,
        "library": {"path": str(library.path), "source": library.source_name, "identity": store.get("identity")},
        "index": {"folder": str(library.folder), "bytes": _size(library.folder)},
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
        "pages": dict(sorted(pages.items())),
        "model": _model(library),
        "rankers": rankers,
        "last_run": _int(store.get("last_run")),
        "failed": _listed(files, FileState.FAILED),
        "skipped": _listed(files, FileState.SKIPPED),
    }


def _never_indexed(library: Library) -> dict[str, Any]:
    keys = ("items", "files", "indexed", "skipped", "failed", "waiting", "notes", "annotations", "passages")
    return {
        "schema": 1,
        "library": {"path": str(library.path), "source": library.source_name, "identity": None},
        "index": {"folder": str(library.folder), "bytes": 0},
        "totals": dict.fromkeys(keys, 0),
        "pages": {},
        "model": _model(library),
        "rankers": {},
        "last_run": None,
        "failed": [],
        "skipped": [],
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
        }
        for entry in files
        if entry.state is state
    ][:LISTED]


def _size(folder: os.PathLike[str]) -> int:
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(root, name)).st_size
            except OSError:
                continue
    return total


def _int(text: str | None) -> int | None:
    return None if text is None else int(text)
