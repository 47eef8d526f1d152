"""What a tool is, and a call of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.errors import UsageError
from pincite.library import Library
from pincite.search import anywhere
from pincite.search.found import item_row
from pincite_plugins.services.mcp import budget
from pincite_plugins.services.mcp.desk import Desk
from pincite_plugins.services.mcp.indexing import Tell
from pincite_plugins.services.mcp.shapes import Answer
from pincite_plugins.services.mcp.shelf import Place, Shelf, untold

LONGEST = 2000
"""Characters of a question or an id."""

Id = Field(min_length=1, max_length=LONGEST)


class Asks(BaseModel):
    """Arguments of a tool. `budget` is everybody's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    budget: int = Field(
        budget.DEFAULT,
        ge=budget.LEAST,
        le=budget.MOST,
        description="Most characters of the answer; the rest is summed up.",
    )


@dataclass
class Call:
    """One call: where it finds libraries, and how it tells its progress. `degraded`: why the answer will be incomplete."""

    shelf: Shelf
    tell: Tell = untold
    degraded: list[str] = field(default_factory=list)

    async def place(self, name: str | None = None) -> Place:
        """A library by name, ready to be asked. Raises `NotReady`, `UsageError`."""
        place = self.shelf.place(name)
        self._say(await self.shelf.ready(place, self.tell))
        return place

    async def desk_of_item(self, item: str) -> Desk:
        """The opened library that has a work, by id or citation key."""
        return await self._holding(item, lambda library: _has_item(library, item))

    async def desk_of_passage(self, passage: str) -> Desk:
        """The opened library that has a passage."""
        return await self._holding(passage, lambda library: anywhere.has(library, passage))

    async def _holding(self, name: str, has: Callable[[Library], bool]) -> Desk:
        place, said = await self.shelf.holding(name, has, self.tell)
        self._say(said)
        return place.desk

    def _say(self, why: str | None) -> None:
        if why:
            self.degraded.append(why)

    @property
    def said(self) -> str | None:
        """Why the answer is incomplete."""
        return "; ".join(dict.fromkeys(self.degraded)) or None


@dataclass(frozen=True)
class Tool:
    """A tool: its arguments, its answer, and what makes one of the other."""

    name: str
    title: str
    description: str
    asks: type[Asks]
    answers: type[Answer]
    run: Callable[[Call, Any], Awaitable[Answer]]


def _has_item(library: Library, name: str) -> bool:
    try:
        item_row(library.store, name)
    except UsageError:
        return False
    return True
