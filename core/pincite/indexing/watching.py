"""What changes on the disk below a library, and when it has settled."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

STEP = 20
"""Milliseconds for which events are gathered before they are told."""

BRIEF = 0.1
"""Seconds of quiet after a single change: one transaction of a database, one small file."""

POLL = 1000
"""Milliseconds between two looks where the system tells of no events."""


@dataclass(frozen=True)
class WatchedPlaces:
    """Where to look. `trees`: folders with all that is in them; `files`: single files (which need not exist) and their folders;
    `folders`: folders without what is below them. `own` is left out: the index itself."""

    trees: tuple[Path, ...]
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    own: Path


def places_of(watched: Iterable[Path], attachments: Iterable[str], own: Path) -> WatchedPlaces:
    """The places of a source, and the folders of attachments that lie elsewhere."""
    trees: list[Path] = []
    files: list[Path] = []
    for path in watched:
        (trees if path.is_dir() else files).append(path.absolute())
    folders = {Path(os.path.dirname(path)) for path in attachments if path}
    below = tuple(str(tree) + os.sep for tree in trees)
    outside = sorted(
        folder for folder in folders if folder.is_dir() and not (str(folder) + os.sep).startswith(below or ("\0",))
    )
    return WatchedPlaces(tuple(trees), tuple(files), tuple(outside), own.absolute())


class Watcher:
    """Notes when something last changed. `changing` and `settled` are asked by the loop that indexes; threads of its own listen.

    `now`: the clock, in seconds.
    """

    def __init__(self, places: WatchedPlaces, now: Callable[[], float] = time.monotonic) -> None:
        self.places = places
        self._now = now
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._changed: float | None = None
        self._began = 0.0
        self._woken = threading.Event()
        self._own = str(places.own) + os.sep
        self._names = {str(file) for file in places.files}
        self._threads: list[threading.Thread] = []
        self._up: list[threading.Event] = []
        trees = [tree for tree in places.trees if tree.is_dir()]
        flat = {file.parent for file in places.files} | set(places.folders)
        for paths, recursive in ((trees, True), (sorted(path for path in flat if path.is_dir()), False)):
            if paths:
                self._up.append(threading.Event())
                thread = threading.Thread(
                    target=self._listen, args=(paths, recursive, self._up[-1]), name="pincite-watch", daemon=True
                )
                thread.start()
                self._threads.append(thread)

    def listening(self, seconds: float = 0.0) -> bool:
        """Whether it hears of every change from now on, after up to `seconds`; of what changed before it may have heard nothing."""
        end = time.monotonic() + seconds
        return all(up.wait(max(0.0, end - time.monotonic())) for up in self._up)

    def tell(self) -> None:
        """Something has changed."""
        with self._lock:
            now = self._now()
            if self._changed is None:
                self._began = now
            self._changed = now
        self._woken.set()

    def settled(self, quiet: float) -> bool:
        """Whether something has changed and nothing more for as long as the changes lasted, `quiet` seconds at most (a file that is being
        written goes on for a while, an edit is over at once); asked again, it is about what changed since."""
        with self._lock:
            if self._changed is None:
                return False
            lasted = self._changed - self._began
            if self._now() - self._changed < min(quiet, max(BRIEF, lasted)):
                return False
            self._changed = None
            return True

    def changing(self) -> bool:
        """Whether something has changed that was not asked about yet."""
        return self._changed is not None

    def wait(self, seconds: float) -> None:
        """Returns when something changes, or after `seconds`."""
        self._woken.wait(seconds)
        self._woken.clear()

    def close(self) -> None:
        """Stops listening."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=2.0)

    def _listen(self, paths: list[Path], recursive: bool, up: threading.Event) -> None:
        polling = False
        while not self._stop.is_set():
            try:
                self._follow(paths, recursive, polling, up)
            except Exception:  # too many folders for the system to tell of, or a network drive: look for ourselves
                if polling and self._stop.wait(POLL / 1000):
                    return
                polling = True
                self.tell()

    def _follow(self, paths: list[Path], recursive: bool, polling: bool, up: threading.Event) -> None:
        from watchfiles import watch

        for changes in watch(
            *[path for path in paths if path.is_dir()], recursive=recursive, debounce=STEP, step=STEP, rust_timeout=500,
            yield_on_timeout=True, stop_event=self._stop, watch_filter=None, force_polling=polling, poll_delay_ms=POLL,
            raise_interrupt=False, ignore_permission_denied=True,
        ):  # fmt: skip
            up.set()  # it comes here at the first change, or once `rust_timeout` has passed
            if any(self._counts(path, recursive) for _, path in changes):
                self.tell()

    def _counts(self, path: str, recursive: bool) -> bool:
        if path.startswith(self._own):
            return False
        parent = Path(path).parent
        return recursive or path in self._names or parent in self.places.folders
