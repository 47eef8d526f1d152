"""A session scores a query once and owns the passages of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.item_text import BREAK
from pincite.plugin.use import using
from pincite.search.engine import Ranking
from pincite.spec import Cancel, Picker, Ranker, Store
from pincite.text.marks import marks
from pincite.text.sentences import sentences
from pincite.values.library import Attachment, Item, Record
from pincite.values.query import Query
from pincite.values.results import Hit, Passage, Shown
from pincite.values.search import Chunk, ChunkKind, Evidence, Fused, RowSet

PASSAGES = 3
"""Quoted passages of one item."""

LONGEST = 300
"""Characters of a sentence that is shown; a longer one is windowed."""

DEPTH = 12
"""Passages of one item that each ranker is asked for before the best are taken."""


@dataclass(frozen=True)
class Session:
    """One query's passages. `rankers` are those that took part."""

    query: Query
    store: Store
    rankers: Mapping[str, Ranker]
    ranking: Ranking
    picker: Picker
    cancelled: Cancel = lambda: False

    def hits(self, start: int, count: int) -> list[Hit]:
        """The hits from rank `start` + 1 on, with their passages."""
        wanted = self.ranking.fused[start : start + count]
        records = self.store.records(one.item for one in wanted)
        wanted = [one for one in wanted if one.item in records]
        by_item = self._passages_of([one.item for one in wanted])
        return [
            self._hit(start + number, one, records[one.item], by_item.get(one.item, {}))
            for number, one in enumerate(wanted, 1)
        ]

    # ------------------------------------------------------------------------------------------ which passages

    def _passages_of(self, items: Sequence[int]) -> dict[int, dict[int, dict[str, Evidence]]]:
        """Item → chunk row → ranker → evidence, from one more question to each ranker within these items alone."""
        rows_of = {item: self.store.rows_of_item(item) for item in items}
        if not rows_of:
            return {}
        item_of = {int(row): item for item, rows in rows_of.items() for row in rows}
        admitted = RowSet.of(np.concatenate(list(rows_of.values())))
        if self.ranking.rows is not None:
            admitted = RowSet(admitted.rows[self.ranking.rows.mask(admitted.rows)])
        found: dict[int, dict[int, dict[str, Evidence]]] = {}
        for name, ranker in self.rankers.items():
            with using(f"ranker.{name}"):
                evidence = ranker.rank(self.query, admitted, len(admitted), self.cancelled)
            taken: dict[int, int] = {}
            for one in evidence:
                item = item_of[one.row]
                taken[item] = taken.get(item, 0) + 1
                if one.fraction > 0 and taken[item] <= DEPTH:
                    found.setdefault(item, {}).setdefault(one.row, {})[name] = one
        return found

    def _hit(self, rank: int, fused: Fused, record: Record, rows: Mapping[int, Mapping[str, Evidence]]) -> Hit:
        evidence = {
            name: Shown(entry.score, entry.fraction, entry.rank)
            for name, entries in self.ranking.lists.items()
            for entry in entries
            if entry.item == fused.item
        }
        order = sorted(rows, key=lambda row: (-self._blend(rows[row]), row))
        best = max((self._blend(rows[row]) for row in order), default=0.0)
        order = [row for row in order if self._blend(rows[row]) >= best / 2]
        chunks = self.store.chunks(order)
        texts = self.store.texts(order)
        passages: list[Passage] = []
        shown: list[str] = []
        more = 0
        for row in order:
            if row not in texts or row not in chunks:
                continue
            place = _shown_text(chunks[row], texts[row], record.item)
            if place is None or _seen(place[0], shown):
                continue
            if len(passages) == PASSAGES:
                more += 1
                continue
            shown.append(place[0])
            passages.append(self._passage(chunks[row], place[0], place[1], record, rows[row]))
        return Hit(rank, fused.relevance, record.item, evidence, tuple(passages), more)

    def _blend(self, evidence: Mapping[str, Evidence]) -> float:
        """The mean over the rankers that took part: what the model says and the share of the query that the words carry."""
        return sum(one.fraction for one in evidence.values()) / max(1, len(self.rankers))

    # ------------------------------------------------------------------------------------------ one passage

    def _passage(
        self, chunk: Chunk, text: str, section: tuple[str, ...], record: Record, evidence: Mapping[str, Evidence]
    ) -> Passage:
        start, end = self._sentence(text)
        sentence = text[start:end]
        attachment = next((one for one in record.attachments if one.id == chunk.attachment), None)
        return Passage(
            id=chunk.id,
            text=text,
            sentence=sentence,
            at=(start, end),
            marks=tuple(marks(self.query, sentence)),
            section=section,
            page=chunk.page,
            page_label=chunk.page_label,
            anchor=chunk.anchor,
            attachment=chunk.attachment or None,
            link=_link(record, chunk, attachment),
            evidence={name: Shown(one.score, one.fraction) for name, one in evidence.items()},
        )

    def _sentence(self, text: str) -> tuple[int, int]:
        spans = [span for span in sentences(text) if span[1] > span[0]] or [(0, len(text))]
        with using(f"picker.{self.picker.name}"):
            chosen = self.picker.pick(self.query, text, spans)
        start, end = chosen or spans[0]
        if end - start <= LONGEST:
            return start, end
        return _window(text, start, end, marks(self.query, text[start:end]))


def _window(text: str, start: int, end: int, marked: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """At most `LONGEST` characters of a long sentence around its first mark, never half a word."""
    at = start + (marked[0][0] if marked else 0)
    low = max(start, min(at - LONGEST // 4, end - LONGEST))
    high = min(end, low + LONGEST)
    if low > start:
        space = text.find(" ", low, at)
        low = low if space < 0 else space + 1
    if high < end:
        space = text.rfind(" ", low + 1, high + 1)
        high = high if space < 0 else space
    return low, high


def _shown_text(chunk: Chunk, text: str, item: Item) -> tuple[str, tuple[str, ...]] | None:
    """What is quoted of a chunk and its section path; an item's own text is quoted by its abstract, its title stands above anyway."""
    if chunk.kind is not ChunkKind.ITEM:
        return text, chunk.section
    if not item.abstract:
        return None
    title = f"{item.title}{BREAK}" if item.title else ""
    return text.removeprefix(title), ("Abstract",)


def _seen(text: str, shown: Sequence[str]) -> bool:
    """Whether a passage says what one already shown says: nine tenths of its words."""
    words = set(text.split())
    return any(len(words & set(other.split())) >= 0.9 * max(1, len(words)) for other in shown)


def _link(record: Record, chunk: Chunk, attachment: Attachment | None) -> str:
    if chunk.kind is ChunkKind.ANNOTATION:
        for annotation in record.annotations:
            if annotation.id == chunk.child and annotation.link:
                return annotation.link
    for note in record.notes:
        if note.id == chunk.child and note.link:
            return note.link
    if attachment is not None:
        if attachment.link:
            if "{page}" in attachment.link:
                return (
                    attachment.link.replace("{page}", str(chunk.page)) if chunk.page else attachment.link.split("?")[0]
                )
            return attachment.link
        if attachment.path:
            return file_link(attachment.path, chunk.page)
    return record.item.link


def file_link(path: str, page: int | None) -> str:
    """A file URL that viewers open at a page (RFC 8118: ``#page=N``)."""
    from pathlib import Path

    try:
        url = Path(path).as_uri()
    except ValueError:
        return ""
    return f"{url}#page={page}" if page and path.lower().endswith(".pdf") else url
