"""What is checked of a plugin's answers while it is in use: kind → method → a wrapper, itself called under the plugin's name.

Only what is cheap against the call itself (specs/01-contract.md, "In use"); the contract kits look at the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from pincite.errors import Cancelled, PluginError
from pincite.plugin.watch import WATCHDOG
from pincite.spec import Cancel, Vectors
from pincite.values.library import Marked, Problem, Record
from pincite.values.query import Query
from pincite.values.search import Evidence, Fused, Quotable, Ranked, Rows, RowSet

SHORTEST, LONGEST = 0.98, 1.02
"""What the square of a vector's length may be: the length may be a hundredth from 1."""

FLOAT32 = np.dtype(np.float32)

Wrapper = Callable[[str, Callable[..., Any]], Callable[..., Any]]


def _never() -> bool:
    return False


def _stopped(cancelled: Cancel) -> None:
    """A plugin may not swallow that it was told to stop."""
    if cancelled():
        raise Cancelled("stopped")


# ------------------------------------------------------------------------------------------------ sources


def _records(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def records() -> Iterator[Record | Problem]:
        for entry in method():
            if not isinstance(entry, Record | Problem):
                raise PluginError(plugin, f"records() gave a {type(entry).__name__}; it must give Record or Problem")
            if isinstance(entry, Record) and not (isinstance(entry.item.id, str) and entry.item.id):
                raise PluginError(plugin, f"records() gave an item without an id ({entry.item.title!r:.60})")
            yield entry

    return records


def _marked(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def marked() -> Iterator[Marked | Problem]:
        for entry in method():
            if not isinstance(entry, Marked | Problem):
                raise PluginError(plugin, f"marked() gave a {type(entry).__name__}; it must give Marked or Problem")
            if isinstance(entry, Marked) and not (entry.id and entry.mark):
                raise PluginError(plugin, f"marked() gave an item without an id or a mark ({entry.id!r:.60})")
            yield entry

    return marked


# ------------------------------------------------------------------------------------------------ chunkers


def _cut(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def cut(pack: Any, count: Any, window: int) -> list[Any]:
        drafts: list[Any] = list(method(pack, count, window))
        end = len(pack.text)
        for number, draft in enumerate(drafts):
            at = 0
            for start, stop in draft.spans:
                if not at <= start < stop <= end:
                    raise PluginError(
                        plugin,
                        f"chunk {number} has the span {start}–{stop}, which is no rising slice of a text of {end}",
                    )
                at = stop
            if not at:
                raise PluginError(plugin, f"chunk {number} has no span")
        return drafts

    return cut


# ------------------------------------------------------------------------------------------------ embedders


def _embed(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    own = getattr(method, "__self__", None)

    def embed(texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = _never) -> Vectors:
        vectors: Vectors = method(texts, kind, WATCHDOG.here().asking(cancelled))
        _stopped(cancelled)
        wrong = wrong_vectors(vectors, len(texts), _width(own))
        if wrong:
            raise PluginError(plugin, f"embed() gave {wrong}")
        return vectors

    return embed


def _width(embedder: object) -> int | None:
    """The width that an embedder says."""
    facts = getattr(embedder, "facts", None)
    width: int | None = None if facts is None else facts.width
    return width


def wrong_vectors(vectors: Any, count: int, width: int | None = None) -> str:
    """What is wrong with an answer of `embed` for `count` texts, or ""."""
    if not isinstance(vectors, np.ndarray):
        return f"a {type(vectors).__name__}; it must be a numpy array of float32"
    if vectors.ndim != 2 or vectors.shape != (count, vectors.shape[1] if width is None else width):
        return f"an array of shape {vectors.shape} for {count} texts; it must be ({count}, {width or 'width'})"
    if vectors.dtype != FLOAT32:
        return f"an array of {vectors.dtype}; it must be float32"
    squares: list[float] = (vectors * vectors).sum(axis=1).tolist()
    for text, square in enumerate(squares):
        if not SHORTEST <= square <= LONGEST:
            if not math.isfinite(square):
                return f"a vector that is not finite (text {text})"
            return f"a vector of length {math.sqrt(square):.3g} (text {text}); it must be 1"
    return ""


def _count(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def count(texts: Sequence[str]) -> list[int]:
        counts = list(map(int, method(texts)))
        if len(counts) != len(texts):
            raise PluginError(plugin, f"count() gave {len(counts)} counts for {len(texts)} texts")
        return counts

    return count


# ------------------------------------------------------------------------------------------------ rankers


def _rank(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def rank(query: Query, rows: RowSet | None, limit: int, cancelled: Cancel = _never) -> list[Evidence]:
        found: list[Evidence] = list(method(query, rows, limit, WATCHDOG.here().asking(cancelled)))
        _stopped(cancelled)
        wrong = wrong_evidence(found, rows, limit)
        if wrong:
            raise PluginError(plugin, f"rank() gave {wrong}")
        return found

    return rank


def _met(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def met(query: Query, rows: Rows) -> dict[int, tuple[str, ...]]:
        told = {row: tuple(terms) for row, terms in method(query, rows).items()}
        if not told.keys() <= set(rows.tolist()):
            raise PluginError(plugin, "met() told of rows that it was not asked about")
        return told

    return met


def wrong_evidence(found: Sequence[Evidence], rows: RowSet | None, limit: int) -> str:
    """What is wrong with an answer of `rank`, or ""."""
    if len(found) > max(0, limit):
        return f"{len(found)} passages where {limit} were asked for"
    score, before = math.inf, None
    for one in found:
        here = one.score
        if not (here < score and 0.0 <= one.fraction <= 1.0):  # nearly all are below the one before, and asked no more
            wrong = _wrong_after(before, one)
            if wrong:
                return wrong
        score, before = here, one
    if score == -math.inf:
        return _wrong_after(None, found[-1])
    if rows is not None and not rows.holds([one.row for one in found]):
        return "passages that the filter does not admit"
    return ""


def _wrong_after(before: Evidence | None, one: Evidence) -> str:
    if not (-math.inf < one.score < math.inf and 0.0 <= one.fraction <= 1.0):
        return f"a score of {one.score} with the fraction {one.fraction} (row {one.row}); scores are finite, fractions from 0 to 1"
    if before is not None and (one.score > before.score or (one.score == before.score and one.row <= before.row)):
        return f"row {one.row} out of order; best first, equal scores by row, each row once"
    return ""


def _catch_up(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def catch_up(progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = _never) -> None:
        calls = WATCHDOG.here()

        def told(done: int, total: int) -> None:
            calls.alive()
            progress(done, total)

        method(told, calls.asking(cancelled))
        _stopped(cancelled)

    return catch_up


# ------------------------------------------------------------------------------------------------ fusers, rerankers, pickers


def _fuse(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def fuse(query: Query, lists: Mapping[str, Sequence[Ranked]]) -> list[Fused]:
        fused: list[Fused] = list(method(query, {name: tuple(ranked) for name, ranked in lists.items()}))
        there = {one.item for ranked in lists.values() for one in ranked}
        items = set()
        for one in fused:
            if not -math.inf < one.score < math.inf or not 0.0 <= one.relevance <= 1.0:
                raise PluginError(
                    plugin,
                    f"fuse() gave a score of {one.score} with the relevance {one.relevance}; scores are finite, relevance from 0 to 1",
                )
            items.add(one.item)
        if len(fused) != len(there) or items != there:
            raise PluginError(
                plugin,
                f"fuse() gave {len(fused)} items of {len(there)}; it must give each item of the lists once, and no other",
            )
        return fused

    return fuse


def _rerank(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def rerank(
        query: Query, candidates: Sequence[tuple[int, str]], cancelled: Cancel = _never
    ) -> list[tuple[int, float]]:
        given = method(query, tuple(candidates), WATCHDOG.here().asking(cancelled))
        found = [(int(item), float(score)) for item, score in given]
        _stopped(cancelled)
        if sorted(item for item, _ in found) != sorted(item for item, _ in candidates):
            raise PluginError(
                plugin, f"rerank() gave {len(found)} items for {len(candidates)}; it must give back each item once"
            )
        if not all(math.isfinite(score) for _, score in found):
            raise PluginError(plugin, "rerank() gave a score that is not finite")
        return found

    return rerank


def _pick(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def pick(query: Query, text: str, sentences: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        chosen: tuple[int, int] | None = method(query, text, tuple(sentences))
        if chosen is not None and chosen not in sentences:
            raise PluginError(plugin, f"pick() gave {chosen}, which is none of the sentences")
        return chosen

    return pick


def _pick_all(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def pick_all(query: Query, passages: Sequence[Quotable]) -> list[tuple[int, int] | None]:
        chosen: list[tuple[int, int] | None] = list(method(query, tuple(passages)))
        if len(chosen) != len(passages):
            raise PluginError(plugin, f"pick_all() gave {len(chosen)} spans for {len(passages)} passages")
        for span, one in zip(chosen, passages, strict=True):
            if span is not None and span not in one.sentences:
                raise PluginError(plugin, f"pick_all() gave {span}, which is none of the sentences")
        return chosen

    return pick_all


def _order(plugin: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def order(query: Query, passages: Sequence[Quotable]) -> list[int]:
        found: list[int] = list(method(query, tuple(passages)))
        if sorted(found) != list(range(len(passages))):
            raise PluginError(
                plugin, f"order() gave {found} for {len(passages)} passages; it must give each number once"
            )
        return found

    return order


CHECKED: dict[str, dict[str, Wrapper]] = {
    "source": {"records": _records, "marked": _marked},
    "chunker": {"cut": _cut},
    "embedder": {"embed": _embed, "count": _count},
    "ranker": {"rank": _rank, "met": _met, "catch_up": _catch_up},
    "fuser": {"fuse": _fuse},
    "reranker": {"rerank": _rerank},
    "picker": {"pick": _pick, "pick_all": _pick_all, "order": _order},
}
"""Kind → method → wrapper; every other method is called as it is."""
