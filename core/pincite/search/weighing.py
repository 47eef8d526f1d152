"""Weighs the passages of some works; those that cannot be shown, whatever they say, are not read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pincite.item_text import BREAK
from pincite.search.labels import EXACT, Label, gain, labels_in
from pincite.search.own import carried, carried_at_most, without_title
from pincite.search.worth import Candidate, Spread, least_worth, worth, worth_at_most
from pincite.spec import Store
from pincite.text.wording import compounds_of
from pincite.values.library import Item, Record
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.search import Chunk, ChunkKind, Evidence, Sought

FIRST = 3
"""Passages of a work that are read to know what its best one is worth: one that may be the best seldom is not."""


@dataclass(frozen=True)
class Weighing:
    """What the passages of `records` are weighed by. `evidence`: item → chunk row → ranker → what it says; `spreads`: of the scores of each
    ranker but `lexical`, the one that goes by words ("" where none took part)."""

    query: Query
    sought: Sequence[Sought]
    lexical: str
    records: Mapping[int, Record]
    evidence: Mapping[int, Mapping[int, Mapping[str, Evidence]]]
    spreads: Mapping[int, Mapping[str, Spread]]

    @cached_property
    def labels(self) -> list[Label]:
        """The labels that are asked for."""
        return labels_in(self.query.words or self.query.text)

    @cached_property
    def _compounds(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return compounds_of(self.query)

    def candidates(
        self, store: Store, item_of: Mapping[int, int], whole: Collection[int], unread: set[int]
    ) -> dict[int, list[Candidate]]:
        """Item → its passages among the chunk rows of `item_of` that may be worth showing: of the works in `whole` all of them, of the
        others those that can be worth half of the best one. `unread` takes the works of which a text could not be read."""
        found: dict[int, list[Candidate]] = {}
        # what a passage gains by a label that is asked for is in its text
        others = [] if self.labels else [row for row, item in item_of.items() if item not in whole]
        most = {row: self._at_most(row, item_of[row]) for row in others}
        best_first: dict[int, list[int]] = {}
        for row in sorted(most, key=lambda row: (-most[row], row)):
            best_first.setdefault(item_of[row], []).append(row)
        later = {row for rows in best_first.values() for row in rows[FIRST:]}
        self._read(store, [row for row in item_of if row not in later], found, unread)
        least = {item: least_worth(some) for item, some in found.items()}
        self._read(store, [row for row in later if most[row] >= least.get(item_of[row], 0.0)], found, unread)
        return found

    def _at_most(self, row: int, item: int) -> float:
        said = self.evidence[item].get(row, {})
        terms = said[self.lexical].terms if self.lexical in said else ()
        own = carried_at_most(self.sought, self._compounds, terms)
        return worth_at_most(said, own, self.lexical, self.spreads.get(item, {}))

    def _read(self, store: Store, rows: Sequence[int], found: dict[int, list[Candidate]], unread: set[int]) -> None:
        if not rows:
            return
        chunks = store.chunks(rows)
        texts = store.texts(chunks)
        unread.update(chunk.item for row, chunk in chunks.items() if row not in texts)
        for row, chunk in chunks.items():
            if (one := self._candidate(row, chunk, texts.get(row, ""))) is not None:
                found.setdefault(chunk.item, []).append(one)

    def _candidate(self, row: int, chunk: Chunk, text: str) -> Candidate | None:
        item = self.records[chunk.item].item
        shown = _shown(chunk, text, item)
        if shown is None:
            return None
        text, section = shown
        own = carried(self.sought, self._compounds, without_title(text, item.title))
        said = self.evidence.get(chunk.item, {}).get(row, {})
        one = Candidate(chunk, text, section, said, own.share, own.words, gain(self.labels, text, chunk.kind))
        if not said and one.gained < EXACT:
            return None
        return replace(one, worth=worth(one, self.lexical, self.spreads.get(chunk.item, {})))


def _shown(chunk: Chunk, text: str, item: Item) -> tuple[str, tuple[str, ...]] | None:
    """What is quoted of a chunk and its section path; an item's own text is quoted by its abstract, its title stands above anyway."""
    if not text.strip():
        return None
    if chunk.kind is not ChunkKind.ITEM:
        return text, chunk.section
    if not item.abstract:
        return None
    title = f"{item.title}{BREAK}" if item.title else ""
    return text.removeprefix(title), ("Abstract",)
