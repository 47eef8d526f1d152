"""``pincite index --watch``: a run whenever the library has changed and come to rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite.errors import Cancelled, Locked, PinciteError
from pincite.indexing.pause import paused
from pincite.indexing.preloading import let_go
from pincite.indexing.report import Report, Tell
from pincite.indexing.resources import low_priority
from pincite.indexing.watching import Watcher, places_of
from pincite.spec import Cancel

if TYPE_CHECKING:
    from pincite.library import Library

ANYWAY = 3600.0
"""Seconds after which a run is made though nothing was told: some drives tell of nothing."""

IDLE = 60.0
"""Seconds without work after which the engine and the process that workers are forked from give their memory back."""

AGAIN = (5.0, 15.0, 60.0)
"""Seconds until the next try after one, two, more failures in a row."""

LISTEN = 2.0
"""Seconds that the first run waits until changes are heard of; a tree of many folders takes longer, and is looked at once more."""

LONGEST = 10.0
"""Seconds after which a library that never comes to rest is looked at all the same."""


def watch(
    library: Library,
    progress: Tell,
    told: Callable[[Report | PinciteError], None],
    cancelled: Cancel = lambda: False,
    *,
    embed: bool = True,
) -> None:
    """Runs until `cancelled`. `told` is given each run's report, or why there was none. Other programs may write the index between
    two runs; while it is paused nothing is done."""
    low_priority()
    settle = library.config.settings.index.settle
    watcher = _watcher(library)
    listening = watcher.listening(LISTEN)
    due, failures, idle_since = True, 0, 0.0
    last = time.monotonic()
    first_change = None

    def kicked() -> bool:
        return watcher.settled(settle)

    try:
        while not cancelled():
            if paused(library.folder):
                due = True
                time.sleep(0.25)
                continue
            now = time.monotonic()
            if not listening and watcher.listening():
                listening = due = True  # what changed before was not told
            if watcher.changing():
                first_change = first_change or now
                due = due or watcher.settled(settle if now - first_change < LONGEST else 0.0)
            if due or now - last > ANYWAY:
                due, first_change = False, None
                try:
                    report = library.index(progress, embed=embed, cancelled=cancelled, kicked=kicked)
                    told(report)
                    failures = 0
                    due = report.again
                    moved = _moved(library, watcher)
                    listening = listening and moved is watcher
                    watcher = moved
                except Cancelled:
                    return
                except PinciteError as error:
                    told(error)
                    failures += 1
                    due = True
                    _wait(
                        AGAIN[min(failures, len(AGAIN)) - 1] if not isinstance(error, Locked) else AGAIN[0], cancelled
                    )
                last = idle_since = time.monotonic()
            elif idle_since and now - idle_since > IDLE:
                idle_since = 0.0
                library.rest()
                let_go()
            watcher.wait(0.02 if watcher.changing() else 0.5)
    finally:
        watcher.close()


def _watcher(library: Library) -> Watcher:
    source = library.source()
    try:
        watched = list(source.watched())
    finally:
        source.close()
    paths = [entry.path for entry in library.store.files()] if library.indexed else []
    return Watcher(places_of(watched, paths, library.folder))


def _moved(library: Library, watcher: Watcher) -> Watcher:
    """The same watcher, or another where attachments now lie in other folders."""
    source = library.source()
    try:
        watched = list(source.watched())
    finally:
        source.close()
    places = places_of(watched, [entry.path for entry in library.store.files()], library.folder)
    if places == watcher.places:
        return watcher
    made = Watcher(places)
    watcher.close()
    if watcher.changing():
        made.tell()
    return made


def _wait(seconds: float, cancelled: Cancel) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not cancelled():
        time.sleep(0.1)
