"""Letting the rankers follow the store. A ranker's index is derived: a damaged one is thrown away and made again."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

from pincite.errors import Damaged, PinciteError, cannot_be
from pincite.indexing.report import Report
from pincite.plugin.use import using
from pincite.spec import Cancel
from pincite.storage.checked import damaged_pages, is_suspect

if TYPE_CHECKING:
    from pincite.library import Library

_DAMAGE = ("CorruptError", "NotADBError", "Damaged")
"""Names of errors by which a ranker says, in its own words or SQLite's, that its index is not what it wrote."""


SHARE = 3.0
"""How many times as long as the rankers took to catch up a run goes on before they catch up again."""

PAUSE = 0.25
"""Seconds between two times that they catch up while the run waits: a few words at a time would cost more than they save."""


class Rankers:
    """The rankers of every engine. One that fails is named, once a run, and the rest goes on."""

    def __init__(self, library: Library, report: Report, cancelled: Cancel) -> None:
        self._library = library
        self._report = report
        self._cancelled = cancelled
        self._failed: set[str] = set()
        self._last = 0.0
        self._took = 0.0
        self._seen = 0
        self.names = list(dict.fromkeys(name for names in library.config.settings.engines.values() for name in names))

    def catch_up(self) -> None:
        """Everything that was committed is brought to the disk first, so that no ranker is ever ahead of the store."""
        began = time.monotonic()
        self._seen = self._library.store.last_change()
        self._library.store.sync()
        for name in self.names:
            if name in self._failed:
                continue
            try:
                self._follow(name)
            except PinciteError as error:
                if self._cancelled():
                    raise
                self._failed.add(name)
                self._report.problems.append((f"ranker {name}", str(error)))
        self._last = time.monotonic()
        self._took = self._last - began

    def now_and_then(self, seconds: float) -> None:
        """The same, no more often than every `seconds`, and so that it takes no more than a quarter of the run's time."""
        if time.monotonic() - self._last >= max(seconds, SHARE * self._took):
            self.catch_up()

    def meanwhile(self) -> None:
        """The same while the run waits for a file anyway, where there is something new."""
        if time.monotonic() - self._last >= PAUSE and self._library.store.last_change() != self._seen:
            self.catch_up()

    def _follow(self, name: str) -> None:
        if is_suspect(self._library.folder / name):
            throw_away(self._library, name)
            self._report.notes.append(f"ranker {name}: a reader found its index damaged; it is made anew")
        try:
            with using(f"ranker.{name}"):
                self._library.ranker(name).catch_up(cancelled=self._cancelled)
        except PinciteError as error:
            if not _damage(error):
                raise
            throw_away(self._library, name)
            self._report.notes.append(f"ranker {name}: its index was damaged and is made anew ({error})")
            with using(f"ranker.{name}"):
                self._library.ranker(name).catch_up(cancelled=self._cancelled)

    def check(self) -> None:
        """Looks at every stored page of the rankers that keep an SQLite database, and has those look that can (`check`); one that is
        damaged is made anew."""
        for name in self.names:
            try:
                own = getattr(self._library.ranker(name), "check", None)
                if own is not None:
                    own()
            except PinciteError as error:
                if _damage(error):
                    throw_away(self._library, name)
                    self._report.notes.append(f"ranker {name}: its index was damaged and is made anew")
                continue
            folder = self._library.folder / name
            for path in sorted(folder.rglob("*.db")):
                if damaged_pages(path, 1):
                    throw_away(self._library, name)
                    self._report.notes.append(f"ranker {name}: its index was damaged and is made anew")
                    break

    def applied(self) -> int:
        """The last change that every ranker has taken in; 0 where one of them cannot say."""
        applied = []
        for name in self.names:
            try:
                applied.append(self._library.ranker(name).status().applied)
            except PinciteError:
                return 0
        return min(applied, default=0)


def throw_away(library: Library, name: str) -> None:
    """Removes a ranker's index; it makes another when it catches up."""
    library.forget_ranker(name)
    folder = library.folder / name
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise cannot_be("removed", folder, error) from None


def _damage(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, Damaged) or type(error).__name__ in _DAMAGE:
            return True
        error = error.__cause__
    return False
