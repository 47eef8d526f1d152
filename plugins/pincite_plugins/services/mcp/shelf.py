"""The libraries that assistants may ask: the one that is served, and those of the configuration by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.errors import NotReady, PinciteError, UsageError
from pincite.library import Library
from pincite.opening import open_with
from pincite.spec import Cancel
from pincite_plugins.services.mcp.desk import Desk
from pincite_plugins.services.mcp.indexing import Indexing, Tell


@dataclass
class Place:
    """A library with its desk and the run that indexes it. `complete`: nothing was waiting when last looked at. `tried`: an unfinished
    index was gone on with; what is still missing then stays so."""

    name: str
    desk: Desk
    indexing: Indexing
    complete: bool = False
    tried: bool = False


@dataclass
class Shelf:
    """Opened libraries. `index`: whether one that was never indexed is indexed at the first question, and an unfinished index gone on
    with."""

    main: Library
    index: bool = True
    note: Callable[[str], None] = lambda line: None
    _places: dict[str, Place] = field(default_factory=dict, init=False)

    @property
    def names(self) -> list[str]:
        """Names of the configuration."""
        return sorted(self.main.config.settings.libraries)

    def place(self, name: str | None = None) -> Place:
        """A library by its name; None is the one that is served. Only names of the configuration are taken, never a path: what an
        assistant may read is for the person to say. Raises `UsageError`."""
        if name is None or name in ("", self.main.name):
            return self._kept(self.main.name, lambda: self.main)
        if name not in self.names:
            there = ", ".join(self.names) or "none: leave `library` out"
            raise UsageError(f"no library is called '{name}'; there is: {there}")
        return self._kept(name, lambda: open_with(self.main.config, name, self.note, self.main.plugins))

    def _kept(self, name: str, make: Callable[[], Library]) -> Place:
        if name not in self._places:
            library = make()
            self._places[name] = Place(name, Desk(library), Indexing(library, self.note))
        return self._places[name]

    async def ready(self, place: Place, tell: Tell) -> str | None:
        """Sees to it that a library can be asked; what is to be said of an index that is not complete. Raises `NotReady`."""
        if not place.complete:
            indexed, place.complete = await place.desk.ask(_state)
            if not indexed:
                await self._first(place, tell)
            elif not place.complete and self.index and not place.tried:
                place.tried = True
                place.indexing.start()
        return f"indexing is under way, {place.indexing.step.text}" if place.indexing.running else None

    async def _first(self, place: Place, tell: Tell) -> None:
        library = place.desk.library
        if not self.index:
            raise NotReady(f"this library has no index yet; run `pincite index --library {library.path}`")
        place.tried = True
        place.indexing.start()
        await place.indexing.wait(tell, library.config.settings.index.patience)
        indexed, place.complete = await place.desk.ask(_state)
        if not indexed:
            why = place.indexing.error or f"{place.indexing.step.text}; ask again in a minute"
            raise NotReady(f"this library has no index yet: {why}")

    async def holding(self, name: str, has: Callable[[Library], bool], tell: Tell) -> tuple[Place, str | None]:
        """The opened library that `has` something, the one that is served first; it, where none has, so that it says so."""
        main = self.place()
        said = await self.ready(main, tell)
        for place in (main, *(other for other in self._places.values() if other is not main)):
            if await place.desk.ask(lambda library, _: library.indexed and has(library)):
                return place, said if place is main else await self.ready(place, tell)
        return main, said

    def close(self) -> None:
        """Ends runs and closes every library but the served one, which is the caller's."""
        for place in self._places.values():
            place.indexing.close()
        for place in self._places.values():
            if place.desk.library is not self.main:
                place.desk.library.close()


def _state(library: Library, cancelled: Cancel) -> tuple[bool, bool]:
    """(indexed, complete)."""
    if not library.indexed:
        return False, False
    if library.store.totals().waiting:
        return True, False
    for name in library.rankers_of(library.config.settings.engine):
        try:
            status = library.ranker(name).status()
        except PinciteError:
            return True, False
        if status.rows < status.expected:
            return True, False
    return True, True


async def untold(progress: float, total: float, message: str) -> None:
    """For a client that wants no progress."""
