"""Giving room back: the store's database, the packs that nothing names, and the rankers' own files."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from pincite.errors import Locked, PinciteError
from pincite.indexing.lock import writer_lock
from pincite.indexing.rankers import Rankers
from pincite.indexing.report import Report
from pincite.indexing.status import size_of
from pincite.plugin.use import using

if TYPE_CHECKING:
    from pincite.library import Library

DUE_SHARE = 0.10
"""Share of free pages from which compaction is due."""

DUE_AFTER = 14 * 24 * 3600
"""Seconds since the last compaction before which none is due."""

KEY = "compacted"


def compact(library: Library) -> tuple[int, int]:
    """Compacts everything; (bytes before, after) of the index folder. Raises `Locked` where the index is in use.

    Rankers catch up first, as the sequence of changes is cut; one with a method `compact` gives room back in its own way.
    """
    with writer_lock(library.folder):
        return _compact(library)


def _compact(library: Library) -> tuple[int, int]:
    before = size_of(library.folder)
    rankers = Rankers(library, Report(), lambda: False)
    rankers.catch_up()
    library.store.tidy(0)
    for name in rankers.names:
        with contextlib.suppress(PinciteError), using(f"ranker.{name}", 0):
            own = getattr(library.ranker(name), "compact", None)
            if own is not None:
                own()
        library.forget_ranker(name)  # no ranker may hold the database open
    library.store.compact()
    library.store.set(KEY, str(int(time.time())))
    return before, size_of(library.folder)


def compact_if_due(library: Library) -> str:
    """Compacts after a run where a tenth of the database is free and the last time is two weeks ago; a line for the person, or ""."""
    store = library.store
    found = store.statistics()
    if found["free"] < DUE_SHARE * found["bytes"] or found["bytes"] < 1 << 20:
        return ""
    since = float(store.get(KEY) or 0)
    if time.time() - since < DUE_AFTER:
        return ""
    try:
        before, after = _compact(library)
    except Locked:
        return ""  # in use: another day
    return f"{library.folder}: compacted from {before / 1e6:,.1f} to {after / 1e6:,.1f} MB"
