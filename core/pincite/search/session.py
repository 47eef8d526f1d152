"""A session scores a query once and owns the passages of its results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.errors import Cancelled, NotReady
from pincite.item_text import metadata_text, titles_text
from pincite.search import listed
from pincite.search.alike import distinct
from pincite.search.confidence import weak
from pincite.search.engine import Ranking
from pincite.search.labels import CAPTIONED
from pincite.search.met import with_terms
from pincite.search.own import carried, plainly_sought
from pincite.search.places import link_of
from pincite.search.quote import ordered, quoted
from pincite.search.unindexed import Unindexed, reasons_of, unread
from pincite.search.weighing import Weighing
from pincite.search.worth import Candidate, Spread, worth_showing
from pincite.spec import Cancel, Picker, Ranker, Store
from pincite.text.marks import marks
from pincite.text.wording import compounds_of
from pincite.values.library import Item, Record
from pincite.values.query import Query
from pincite.values.results import Hit, Passage, Shown
from pincite.values.search import Evidence, Filter, Fused, RowSet, Sought

PASSAGES = 3
"""Quoted passages of one work."""

DEPTH = 8
"""Passages of one work that each ranker puts forward before the best are taken."""

IN_ORDER = 2 * DEPTH
"""Passages of one work that a picker puts in order: as many as two rankers put forward."""

BATCH = 10
"""Works whose passages are derived at a time."""


@dataclass(frozen=True)
class Session:
    """One query's passages. `rankers` are those that took part; `lexicon` the one that goes by words, "" where none does; `sought` and
    `ubiquitous` are what it knows of the query (`pincite.spec.Lexicon`). `pickers`: the first that picks a sentence is heard."""

    query: Query
    store: Store
    rankers: Mapping[str, Ranker]
    ranking: Ranking
    pickers: Sequence[Picker]
    lexicon: str = ""
    sought: tuple[Sought, ...] = ()
    ubiquitous: frozenset[str] = frozenset()
    cancelled: Cancel = lambda: False
    unindexed: Unindexed | None = None
    unread: set[int] = field(default_factory=set, init=False)
    """Works that were to be quoted and could not be: the text of a file of theirs is damaged, or is being read again."""
    waiting: set[int] = field(default_factory=set, init=False)
    """Works of which a file is not indexed yet: their passages may be others the next time."""
    pending: set[int] = field(default_factory=set, init=False)
    """Those of them whose file was not read in the time that there was."""
    _lists: dict[int, dict[str, Shown]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, entries in self.ranking.lists.items():
            for one in entries:
                self._lists.setdefault(one.item, {})[name] = Shown(one.score, one.fraction, one.rank)

    def hits(self, start: int, count: int, previews: bool = True) -> list[Hit]:
        """The hits from rank `start` + 1 on, with their passages. Raises `Cancelled` between batches when told to stop.

        `previews`: files of the first batch that are not indexed yet are read now, within the time that there is for it."""
        found: list[Hit] = []
        for at in range(start, min(start + count, len(self.ranking.fused)), BATCH):
            if self.cancelled():
                raise Cancelled("stopped")
            found += self._batch(self.ranking.fused[at : min(at + BATCH, start + count)], at, previews and at == 0)
        return found

    def all_passages(self, item: int, seconds: float = 0.0) -> list[Passage]:
        """Every passage of a work that matches, best first; with those of its files that are not indexed yet, as far as they are read in
        `seconds`."""
        record = self.store.records([item]).get(item)
        if record is None:
            return []
        candidates = self._candidates({item: record}, None, [item])
        self._with_unindexed({item: record}, [item], candidates, seconds)
        return self._passages([(record, one) for one in self._best(candidates.get(item, []))])

    # ------------------------------------------------------------------------------------------ a batch of works

    def _batch(self, fused: Sequence[Fused], start: int, previews: bool) -> list[Hit]:
        records = self.store.records(one.item for one in fused)
        order = [one.item for one in fused if one.item in records]
        # the first thing that a person reads is chosen by reading; to choose so in every work would take too long
        closely = order[:1] if start == 0 else []
        candidates = self._candidates(records, DEPTH, closely)
        told = self._with_unindexed(records, order, candidates, None if previews else 0.0)
        candidates = {at: self._best(some) if at in closely else distinct(some) for at, some in candidates.items()}
        chosen = {item: found[:PASSAGES] for item, found in candidates.items()}
        quotes = [(records[item], one) for item in self._in_order(fused, chosen) for one in chosen[item]]
        made = iter(self._passages(quotes))
        hits = []
        for number, one in enumerate(fused, start + 1):
            if one.item not in records:
                continue  # gone since
            found = candidates.get(one.item, [])
            passages = tuple(next(made) for _ in chosen.get(one.item, []))
            more = len(found) - len(passages)
            lists = self._lists.get(one.item, {})
            low = self._low(one, found, records[one.item].item, lists)
            unread = {} if any(passage.attachment for passage in passages) else told.get(one.item, {})
            hits.append(Hit(number, one.relevance, records[one.item].item, lists, passages, more, low, unread))
        return hits

    def _low(self, one: Fused, found: Sequence[Candidate], item: Item, lists: Mapping[str, Shown]) -> bool:
        if "exact" in one.parts or listed.PART in one.parts:
            return False
        if self.ranking.weak or (self.query.identifier is not None and self.query.identifier[0] != "key"):
            return True  # no work has the identifier that was asked for
        about = carried(self.sought, compounds_of(self.query), f"{titles_text(item)}\n{metadata_text(item)}").words
        said = [candidate.words | about for candidate in found] or [about]
        return weak(said, lists, self.lexicon, self.sought, self.ubiquitous)

    def _in_order(self, fused: Sequence[Fused], chosen: Mapping[int, object]) -> list[int]:
        return [one.item for one in fused if one.item in chosen]

    # ------------------------------------------------------------------------------------------ which passages

    def _best(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """As `distinct`, but in the order that the pickers give a work's passages by their sentences."""
        found = distinct(candidates, IN_ORDER)
        return worth_showing(ordered(self.query, found, self.pickers, IN_ORDER, self.sought))

    def _candidates(
        self, records: Mapping[int, Record], depth: int | None, whole: Collection[int]
    ) -> dict[int, list[Candidate]]:
        """Item → its passages that may be worth showing. `depth`: what each ranker puts forward (None: all); `whole`: works of which those
        that are far below the best are wanted, too."""
        item_of = self._rows(records)
        evidence, spreads = self._evidence(item_of, depth)
        lexical = self.lexicon if self.lexicon in self.rankers else ""
        sought = self.sought or plainly_sought(self.query)
        weighing = Weighing(self.query, sought, lexical, records, evidence, spreads)
        rows = {row: item for item, found in evidence.items() for row in found}
        if weighing.labels:
            rows.update((row, item_of[row]) for row in self._captions(item_of))
        return weighing.candidates(self.store, rows, whole, self.unread)

    def _with_unindexed(
        self,
        records: Mapping[int, Record],
        order: Sequence[int],
        candidates: dict[int, list[Candidate]],
        seconds: float | None,
    ) -> dict[int, dict[str, str]]:
        """Adds the passages of files that are not indexed yet; gives item → attachment → why it has none, as far as a file is at fault."""
        entries = self.store.files(records)
        told = reasons_of(entries)
        self.waiting.update(entry.item for entry in unread(entries))
        if self.unindexed is None or not unread(entries):
            return told
        # a work that has nothing to show comes before one that has
        entries.sort(key=lambda entry: (entry.item in candidates, order.index(entry.item)))
        lexical = self.lexicon if self.lexicon in self.rankers else ""
        looked = self.unindexed.of(self.query, self.sought, lexical, records, entries, self.cancelled, seconds)
        self.pending.clear()
        self.pending.update(looked.pending)
        for item, found in looked.candidates.items():
            candidates[item] = [*candidates.get(item, []), *found]
        for item, reasons in looked.reasons.items():
            told.setdefault(item, {}).update(reasons)
        return told

    def _rows(self, records: Mapping[int, Record]) -> dict[int, int]:
        """Chunk row → work, of every passage of these works that may answer."""
        if not records:
            return {}
        found = self.store.resolve(Filter(items=frozenset(record.item.id for record in records.values())))
        rows = self.store.all_rows() if found is None else found.rows
        if self.ranking.rows is not None:
            rows = rows[self.ranking.rows.mask(rows)]
        items = self.store.items_of(rows).tolist()
        return {row: item for row, item in zip(rows.tolist(), items, strict=True) if item in records}

    def _evidence(
        self, item_of: Mapping[int, int], depth: int | None
    ) -> tuple[dict[int, dict[int, dict[str, Evidence]]], dict[int, dict[str, Spread]]]:
        """Item → chunk row → ranker → evidence, from one more question to each ranker among these passages alone; and the spread of the
        scores of each ranker but the one by words."""
        if not item_of:
            return {}, {}
        admitted = RowSet.of(list(item_of))
        put_forward: dict[int, set[int]] = {}
        everything: dict[str, dict[int, Evidence]] = {}
        spreads: dict[int, dict[str, Spread]] = {}
        for name, ranker in self.rankers.items():
            try:
                evidence = ranker.rank(self.query, admitted, max(1, len(admitted)), self.cancelled)
            except NotReady:  # went away since the ranking was made
                continue
            everything[name] = {one.row: one for one in evidence}
            scores: dict[int, list[float]] = {}
            for one in evidence:
                item = item_of[one.row]
                of_item = scores.setdefault(item, [])
                of_item.append(one.score)
                if depth is None or len(of_item) <= depth:
                    put_forward.setdefault(item, set()).add(one.row)
            if name != self.lexicon:
                for item, found in scores.items():
                    spreads.setdefault(item, {})[name] = (found[len(found) // 2], found[0])
        if by_words := everything.get(self.lexicon):
            forward = [by_words[row] for rows in put_forward.values() for row in rows if row in by_words]
            told = with_terms(self.query, self.rankers[self.lexicon], forward)
            by_words.update((one.row, one) for one in told)
        evidence_of = {
            item: {row: {name: found[row] for name, found in everything.items() if row in found} for row in rows}
            for item, rows in put_forward.items()
        }
        return evidence_of, spreads

    def _captions(self, rows: Iterable[int]) -> list[int]:
        """Those of captions and tables: a label that is asked for is looked for in all of them."""
        return [row for row, chunk in self.store.chunks(rows).items() if chunk.kind in CAPTIONED]

    # ------------------------------------------------------------------------------------------ as shown

    def _spans(self, candidates: Sequence[Candidate]) -> list[tuple[int, int]]:
        """The line of each. Pickers hear of the best passage of each work first: a limit of time goes to what is read first."""
        order = _offered_first(candidates)
        picked = quoted(self.query, [candidates[at] for at in order], self.pickers, self.sought)
        spans = dict(zip(order, picked, strict=True))
        return [spans[at] for at in range(len(candidates))]

    def _passages(self, quotes: Sequence[tuple[Record, Candidate]]) -> list[Passage]:
        spans = self._spans([one for _, one in quotes])
        passages = []
        for (record, one), (start, end) in zip(quotes, spans, strict=True):
            chunk, sentence = one.chunk, one.text[start:end]
            passages.append(
                Passage(
                    id=chunk.id,
                    text=one.text,
                    sentence=sentence,
                    at=(start, end),
                    marks=marks(self.query, sentence, self.ubiquitous, chunk.language),
                    section=one.section,
                    page=chunk.page,
                    page_label=chunk.page_label,
                    anchor=chunk.anchor,
                    attachment=chunk.attachment or None,
                    link=link_of(record, chunk),
                    evidence={name: Shown(said.score, said.fraction) for name, said in one.evidence.items()},
                    kind=str(chunk.kind),
                    worth=one.worth,
                    indexed=chunk.indexed,
                )
            )
        return passages


def _offered_first(candidates: Sequence[Candidate]) -> list[int]:
    """The best passage of each work, then the second of each, …"""
    count: dict[int, int] = {}
    place = []
    for at, one in enumerate(candidates):
        count[one.chunk.item] = count.get(one.chunk.item, 0) + 1
        place.append((count[one.chunk.item], at))
    return [at for _, at in sorted(place)]
