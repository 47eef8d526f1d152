"""`VectorRanker`: catches up with the store's vectors, and ranks passages by cosine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.calibration.calibration import Calibration, of_card
from pincite.errors import Cancelled, Damaged, NotReady
from pincite.spec import Cancel, Embedder, ModelFacts, Store, Vectors
from pincite.values.query import Query
from pincite.values.search import Evidence, Op, RankerStatus, Rows, RowSet
from pincite_plugins.rankers.vector.codes import Codes, encode, scores
from pincite_plugins.rankers.vector.file import CodesFile, Head, mean_mark
from pincite_plugins.rankers.vector.sketch import Sketches

BATCH = 4096
"""Rows whose vectors are taken from the store at a time."""

EAGER = 100_000
"""Rows up to which every code is checked before the first answer (about 0.1 s); beyond, those of the answer, and all once a week."""

COMPACT_AT = 0.25
"""Share of rows that are gone above which the codes are written anew."""


class VectorRanker:
    """Implements `pincite.spec.Ranker`."""

    name = "vector"

    def __init__(
        self,
        folder: Path,
        store: Store,
        embedder: Callable[[], Embedder],
        note: Callable[[str], None],
        calibration: Callable[[ModelFacts], Calibration] = of_card,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._note = note
        self._folder = folder
        self._calibration = calibration
        self._calibrated: tuple[str, Calibration] | None = None
        self._file: CodesFile | None = None
        self._seen = (-1, 0)

    # ------------------------------------------------------------------------------------------ catching up

    def catch_up(
        self, progress: Callable[[int, int], None] = lambda done, total: None, cancelled: Cancel = lambda: False
    ) -> None:
        """Takes in what the store has gained and lost since the last time."""
        facts, file = self._facts(), self._open()
        head = file.head()
        last = self._store.last_change()
        if head is None or not head.fits(facts) or not self._store.first_change() <= head.applied <= last:
            head = self._rebuild(file, facts, last, progress, cancelled)
        else:
            while head.applied < last:
                head = self._apply(file, head, facts, cancelled)
                progress(head.applied, last)
        if head.gone > COMPACT_AT * head.count and head.gone > 1000:
            head = self._without_gone(file, head)
        expected = self._store.coverage(facts.id)[1]
        if expected != head.expected or file.head() != head:
            head = replace(head, expected=expected)
            file.write_head(head)
        self._settle(file, head)

    def compact(self) -> None:
        """Gives the room of what is gone back."""
        file = self._open()
        head = file.head()
        if head is not None and head.gone:
            self._settle(file, self._without_gone(file, head))

    def _settle(self, file: CodesFile, head: Head) -> None:
        file.sweep(head)
        codes, entries = file.read(head)
        self._sketches.catch_up(head.generation, codes, entries["scale"])

    def _apply(self, file: CodesFile, head: Head, facts: ModelFacts, cancelled: Cancel) -> Head:
        changes = self._store.changes(head.applied, BATCH)
        if not changes:
            return replace(head, applied=self._store.last_change())
        ops = {change.row: change.op for change in changes}
        gone = np.array([row for row, op in ops.items() if op is Op.GONE], np.int64)
        wanted = np.array(sorted(row for row, op in ops.items() if op is not Op.GONE), np.int64)
        head = file.remove(head, gone)
        head = self._add(file, head, facts, wanted)
        if cancelled():
            raise Cancelled("stopped")
        head = replace(head, applied=changes[-1].seq)
        file.write_head(head)
        return head

    def _add(self, file: CodesFile, head: Head, facts: ModelFacts, wanted: Rows) -> Head:
        if not len(wanted):
            return head
        _, entries = file.read(head)
        wanted = wanted[~np.isin(wanted, entries["row"])]
        rows, vectors = self._store.vectors(facts.id, wanted)
        if not len(rows):
            return head
        codes, scale = encode(vectors, facts.mean)
        return file.append(head, rows, codes, scale)

    def _rebuild(
        self, file: CodesFile, facts: ModelFacts, last: int, progress: Callable[[int, int], None], cancelled: Cancel
    ) -> Head:
        head = file.begin(Head(facts.id, facts.width, mean_mark(facts)))
        rows = self._store.all_rows()
        for at in range(0, len(rows), BATCH):
            head = self._add(file, head, facts, rows[at : at + BATCH])
            progress(at, len(rows))
            if cancelled():
                raise Cancelled("stopped")
        head = replace(head, applied=last)
        file.write_head(head)
        return head

    def _without_gone(self, file: CodesFile, head: Head) -> Head:
        codes, entries = file.read(head)
        live = np.flatnonzero(entries["row"] >= 0)
        new = file.begin(head)
        for at in range(0, len(live), BATCH):
            part = live[at : at + BATCH]
            new = file.append(new, entries["row"][part], codes[part], entries["scale"][part])
        file.write_head(new)
        return new

    # ------------------------------------------------------------------------------------------ asking

    def status(self) -> RankerStatus:
        """From the head alone."""
        facts = self._facts()
        head = self._open().head()
        last = self._store.last_change()
        if head is None or not head.fits(facts):
            return RankerStatus(0, self._store.coverage(facts.id)[1], 0, f"no vectors of {facts.name} yet")
        rows = head.live
        expected = head.expected if head.applied == last else self._store.coverage(facts.id)[1]
        degraded = None
        if rows < expected:
            degraded = f"{rows:,} of {expected:,} passages have vectors"
        return RankerStatus(rows, expected, head.applied, degraded)

    def rank(self, query: Query, rows: RowSet | None, limit: int, cancelled: Cancel = lambda: False) -> list[Evidence]:
        """The nearest passages among `rows`, by cosine less a share of what the mean query has. Fraction: 0 at the model's floor, 1 at its
        ceiling (specs/28-calibration.md)."""
        facts, file, head = self._ready()
        if not query.semantic.strip() or not head.live:
            return []
        vector = self._embedder().embed([query.semantic], "query", cancelled)[0]
        codes, entries = self._verified(file, head)
        calibration = self._calibration_of(facts)
        at, found = self._nearest(calibration.aimed(vector), rows, limit, facts, file, head)
        if not len(at):
            return []
        prepared = calibration.prepared(vector)
        meant = scores(prepared, codes[at], entries["scale"][at], facts.mean)
        fractions = calibration.fractions(prepared, meant, head.live)
        return [
            Evidence(row, float(score), float(fraction))
            for row, score, fraction in zip(entries["row"][at].tolist(), found, fractions, strict=True)
        ]

    def near(
        self, vectors: Vectors, rows: RowSet | None, limit: int, cancelled: Cancel = lambda: False
    ) -> list[list[tuple[int, float]]]:
        """For each of `vectors` (n, width) the nearest passages among `rows`: (chunk row, cosine), best first."""
        facts, file, head = self._ready()
        if not head.live:
            return [[] for _ in vectors]
        _, entries = self._verified(file, head)
        nearest = []
        for vector in vectors:
            if cancelled():
                raise Cancelled("stopped")
            at, found = self._nearest(vector, rows, limit, facts, file, head)
            nearest.append(list(zip(entries["row"][at].tolist(), found.tolist(), strict=True)))
        return nearest

    def _ready(self) -> tuple[ModelFacts, CodesFile, Head]:
        facts, file = self._facts(), self._open()
        head = file.head()
        if head is None or not head.fits(facts) or not (head.live or self.status().degraded is None):
            raise NotReady(f"no vectors of {facts.name} yet; run `pincite index`")
        return facts, file, head

    def _nearest(
        self,
        vector: npt.NDArray[np.float32],
        rows: RowSet | None,
        limit: int,
        facts: ModelFacts,
        file: CodesFile,
        head: Head,
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]:
        """Places in the file and cosines of the `limit` nearest, best first, equal ones by row. The filter comes before the cut."""
        codes, entries = file.read(head)
        chosen = self._places(vector, rows, limit, entries, head)
        if not len(chosen) or limit <= 0:
            return np.zeros(0, np.intp), np.zeros(0, np.float32)
        if len(chosen) < head.count // 4:
            found = scores(vector, codes[chosen], entries["scale"][chosen], facts.mean)
        else:
            found = scores(vector, codes, entries["scale"], facts.mean)
            found = found if len(chosen) == head.count else found[chosen]
        if len(found) > limit:
            worst = np.partition(found, len(found) - limit)[len(found) - limit]
            keep = found >= worst
            found, chosen = found[keep], chosen[keep]
        order = np.lexsort((entries["row"][chosen], -found))[:limit]
        if head.count > EAGER:
            self._look(file, head, chosen[order])
        return chosen[order], found[order]

    def _places(
        self,
        vector: npt.NDArray[np.float32],
        rows: RowSet | None,
        limit: int,
        entries: npt.NDArray[np.void],
        head: Head,
    ) -> npt.NDArray[np.intp]:
        """Places of the rows that are scored: all that the filter admits; in a large library without one, those whose sketches are nearest.
        (What a filter admits may lie all on one side, so that none of it would survive.)"""
        if rows is not None:
            return np.flatnonzero(rows.mask(entries["row"]))
        kept = self._sketches.survivors(head.generation, head.count, vector, limit)
        return np.flatnonzero(entries["row"] >= 0) if kept is None else kept[entries["row"][kept] >= 0]

    def check(self) -> None:
        """Looks at every code; raises `Damaged`. Once a week, by the run."""
        file = self._open()
        head = file.head()
        self._sketches.check()
        if head is not None:
            file.verify(head, range(head.count))

    def _verified(self, file: CodesFile, head: Head) -> tuple[Codes, npt.NDArray[np.void]]:
        """Codes and entries, each looked at once in the life of this process where they are few: reading them costs more than adding up."""
        if head.count <= EAGER:
            first = self._seen[1] if self._seen[0] == head.generation else 0
            self._look(file, head, range(first, head.count))
            self._seen = (head.generation, head.count)
        return file.read(head)

    def _look(self, file: CodesFile, head: Head, places: Iterable[int]) -> None:
        try:
            file.verify(head, places)
        except Damaged as error:
            self._seen = (-1, 0)
            raise NotReady(str(error)) from None

    def explain(self, query: Query, row: int) -> Mapping[str, Any]:
        """The cosine, and what it means: 0 at the floor, 1 at the ceiling, above the query's own level."""
        facts = self._facts()
        found = self.rank(query, RowSet.of([row]), 1)
        vector = self._embedder().embed([query.semantic], "query")[0] if found else None
        cosine = self.near(vector[None, :], RowSet.of([row]), 1)[0][0][1] if vector is not None else None
        calibration = self._calibration_of(facts)
        return {
            "model": facts.id,
            "cosine": cosine,
            "fraction": found[0].fraction if found else None,
            "floor": calibration.floor_among(self.status().rows),
            "ceiling": calibration.ceiling,
        }

    def close(self) -> None:
        """Lets go of the files."""
        if self._file is not None:
            self._file.close()
            self._sketches.close()

    # ------------------------------------------------------------------------------------------ parts

    def _calibration_of(self, facts: ModelFacts) -> Calibration:
        if self._calibrated is None or self._calibrated[0] != facts.id:
            self._calibrated = facts.id, self._calibration(facts)
        return self._calibrated[1]

    def _facts(self) -> ModelFacts:
        return self._embedder().facts

    def _open(self) -> CodesFile:
        if self._file is None:
            self._file = CodesFile(self._folder / re.sub(r"[^\w.-]+", "_", self._facts().id))
            self._sketches = Sketches(self._file.folder / "sketch")
        return self._file
