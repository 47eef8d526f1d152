"""What answers a question (planners, rankers, fusers, rerankers, pickers), and what it is asked through (commands, services)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from pincite.spec import Cancel
    from pincite.values.query import Query
    from pincite.values.search import Evidence, Fused, Ranked, RankerStatus, RowSet, Sought


@runtime_checkable
class Ranker(Protocol):
    """Owns an index derived from the store and scores its passages.

    It records the last change that it applied and catches up in `catch_up`; it can be thrown away at any time. Reading is
    safe while another process catches up.
    """

    name: str

    def catch_up(
        self, progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = lambda: False
    ) -> None:
        """Takes in every change of the store since the last. Needs the writer's lock, which the caller holds."""
        ...

    def status(self) -> RankerStatus:
        """How complete the index is. Cheap."""
        ...

    def rank(self, query: Query, rows: RowSet | None, limit: int, cancelled: Cancel = lambda: False) -> list[Evidence]:
        """The best `limit` passages among `rows` (None: all), best first, equal scores by row. Every passage that matches is
        considered: filters come before any cut. Raises `NotReady` where it cannot answer yet."""
        ...

    def explain(self, query: Query, row: int) -> Mapping[str, Any]:
        """Why a passage has its score: plain data for `pincite explain`."""
        ...

    def close(self) -> None:
        """Closes its files."""
        ...


@runtime_checkable
class Lexicon(Protocol):
    """What a ranker that goes by words may offer besides: none of it is needed to rank."""

    def sought(self, query: Query) -> Sequence[Sought]:
        """The query's words that the index has in any form, with their forms and weights."""
        ...

    def suggest(self, query: Query) -> Mapping[str, Sequence[str]]:
        """Word of the query that the index has in no form → up to three that it has, nearest first."""
        ...

    def ubiquitous(self, query: Query) -> frozenset[str]:
        """The query's words that more than half of the passages hold."""
        ...

    # A ranker may also have `rows_holding(terms) -> Rows`: the chunk rows that hold any of these terms, which are to be left out; and
    # `met(query, rows: Rows) -> Mapping[int, tuple[str, ...]]`: chunk row → the terms that it meets, where it costs something to know them.
    # `rank` may then leave `Evidence.terms` empty: it is asked of the passages for which it matters.


@runtime_checkable
class Fuser(Protocol):
    """Makes one ranking of several: of the same lists over the same store always the same."""

    name: str

    def fuse(self, query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        """`lists` holds each ranker's items, best first, after the margin cut. The result is their union, best first, equal
        scores by item. One list alone keeps its order."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Reorders the top of a ranking, in bounded time."""

    name: str

    def rerank(
        self, query: Query, candidates: Sequence[tuple[int, str]], cancelled: Cancel = lambda: False
    ) -> list[tuple[int, float]]:
        """`candidates`: (item row, its best passage's text), best first. Returns the same items with new scores, best first."""
        ...


@runtime_checkable
class Picker(Protocol):
    """Picks the sentence worth reading."""

    name: str

    def pick(self, query: Query, text: str, sentences: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """One of `sentences` (spans of `text`), or None to leave the choice to the next picker."""
        ...

    # A picker may also have `pick_all(query, passages: Sequence[Quotable]) -> list[tuple[int, int] | None]`, which is called in place of
    # `pick` with all the passages of an answer at once, the best first; and `order(query, passages: Sequence[Quotable]) -> list[int]`,
    # which is given the first passages of one work, the one of most worth first, and gives their numbers in the order to show them in.


class Planner(Protocol):
    """Turns a question into up to 8 probes, the original always first."""

    name: str

    def plan(self, query: str, samples: Sequence[tuple[str, str]]) -> list[str]:
        """`samples`: up to 3 (title, first passage). Any failure gives the original query alone."""
        ...


class Command(Protocol):
    """A command of the command line. The factory returns a Typer application or a function that Typer can take."""


class Service(Protocol):
    """A long-running server over a library (MCP, HTTP)."""

    name: str

    def serve(self, library: Any) -> None:
        """Runs until stopped."""
        ...
