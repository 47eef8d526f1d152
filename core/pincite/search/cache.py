"""The evidence of recent questions, in memory: the second identical one is free, and never stale."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from pincite.values.query import Query

T = TypeVar("T")

MOST = 64
"""Questions that are kept."""


class RecentAnswers(Generic[T]):
    """The least recently used goes first. A key names everything that an answer depends on (`key_of`)."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """What is held under a key, or None."""
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def put(self, key: Hashable, value: T) -> None:
        """Holds a value; the oldest goes where there are too many."""
        self._held[key] = value
        self._held.move_to_end(key)
        while len(self._held) > self._most:
            self._held.popitem(last=False)

    def __len__(self) -> int:
        return len(self._held)


def key_of(query: Query, *state: Hashable) -> Hashable:
    """A key: the query as it was read, its texts by NFKC (all letters of all scripts are kept), and the state it was answered in:
    rankers with the last change that each took in, the store's last change, depth, margin."""
    plain = dataclasses.replace(
        query,
        text=_nfkc(query.text),
        words=_nfkc(query.words),
        semantic=_nfkc(query.semantic),
        terms=tuple(dataclasses.replace(term, spelled=_nfkc(term.spelled)) for term in query.terms),
    )
    return (plain, *state)


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
