"""The contract kit of rankers."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from pincite.errors import Cancelled, NotReady
from pincite.plugin.checks import wrong_evidence
from pincite.search.met import with_terms
from pincite.spec import Context, Store
from pincite.testing.kit import Kit
from pincite.testing.samples import (
    HOSTILE,
    RECORDS,
    TEXTS,
    TrigramEmbedder,
    ask,
    embed_all,
    many,
    numbered,
    open_store,
    plain,
    put,
)
from pincite.text.wording import said_words
from pincite.values.search import Evidence, RowSet

ALL = 10_000
QUERIES = ("amber basalt survey", "the holdfast grips the rock", "Glocke", "海藻", "plot 7 was measured")


class RankerKit(Kit):
    """Subclass it and name the ranker. It works over the built-in store, filled with invented works, their vectors included.

    `finds`: whether a passage's own words find it; a ranker that goes by something else registers the fact
    ``finds=False``. `count`: works in the store, besides
    three in other languages.
    """

    kind = "ranker"
    finds: ClassVar[bool] = True
    count: ClassVar[int] = 60

    def embedder(self) -> Any:
        """The embedder that the ranker may ask for."""
        return TrigramEmbedder()

    @pytest.fixture
    def index(self, folder: Path) -> Path:
        """The index folder."""
        made = folder / "index"
        made.mkdir()
        return made

    @pytest.fixture
    def store(self, index: Path) -> Iterator[Store]:
        """A store with some works in it."""
        made = open_store(index)
        for record in (*RECORDS, *many(self.count)):
            put(made, record)
        embed_all(made, self.embedder())
        yield made
        made.close()

    @pytest.fixture
    def ranker(self, index: Path, store: Store) -> Iterator[Any]:
        """The ranker under test, up to date."""
        made = self.over(index, store)
        made.catch_up()
        yield made
        made.close()

    def over(self, index: Path, store: Store) -> Any:
        """A ranker over a store."""
        embedder = self.embedder()
        return self.made(
            Context(home=index.parent, folder=index, library=index, store=lambda: store, embedder=lambda: embedder)
        )

    # ------------------------------------------------------------------------------------------ answers

    @pytest.mark.parametrize("text", QUERIES, ids=numbered)
    def test_evidence_is_in_order_with_scores_and_fractions(self, ranker: Any, store: Store, text: str) -> None:
        found = ranker.rank(ask(text), None, ALL)
        self.must(all(isinstance(one, Evidence) for one in found), "gives something else than Evidence")
        wrong = wrong_evidence(found, RowSet(store.all_rows()), ALL)
        self.must(not wrong, f"gives {wrong}")
        self.must(found or not self.goes_by_words(), f"finds nothing for {text!r}")

    def test_a_passage_is_found_by_its_own_words(self, ranker: Any, store: Store) -> None:
        if not self.goes_by_words():
            return
        for id in ("kelp-f#0", "bells-f#0", "m00007-f#1", "m00031-f#0"):
            row = store.find_chunk(id)
            assert row is not None
            found = ranker.rank(ask(store.texts([row])[row]), None, ALL)
            at = [one.row for one in found].index(row) if row in [one.row for one in found] else None
            self.must(
                at is not None and at < 3, f"asked for the very words of {id}, puts it at place {at} of {len(found)}"
            )

    @pytest.mark.parametrize("text", QUERIES, ids=numbered)
    def test_the_terms_of_a_passage_are_all_that_its_text_says(self, ranker: Any, store: Store, text: str) -> None:
        if not callable(getattr(ranker, "sought", None)):
            return
        query = ask(text)
        sought, found = ranker.sought(query), with_terms(query, ranker, ranker.rank(query, None, ALL))
        texts = store.texts(one.row for one in found)
        for one in found:
            missing = said_words(sought, (), texts[one.row]) - set(one.terms)
            self.must(not one.terms or not missing, f"names the terms {one.terms} of a text that says {missing}, too")

    def test_the_terms_that_it_is_asked_for_are_those_of_passages_that_there_are(
        self, ranker: Any, store: Store
    ) -> None:
        if not callable(getattr(ranker, "met", None)):
            return
        query, gone = ask(QUERIES[0]), 999_999_999
        rows = np.array([*store.all_rows().tolist(), gone], np.int64)
        kept = rows.copy()
        every = ranker.met(query, rows)
        self.must((rows == kept).all(), "changes the rows that it is given")
        self.must(gone not in every or not every[gone], "names terms of a passage that there is not")
        self.must(dict(ranker.met(query, rows[:0])) == {}, "names terms of passages that it is not asked about")
        for one in ranker.rank(query, None, ALL):
            told = ranker.met(query, np.array([one.row], np.int64))
            self.must(set(told) == {one.row}, "does not tell the terms of a passage that it found, or tells others'")
            self.must(told[one.row], "found a passage by words, and names none")
            self.must(told[one.row] == every[one.row], "names other terms of a passage when it is asked about it alone")

    @pytest.mark.parametrize("text", QUERIES, ids=numbered)
    def test_the_filter_comes_before_the_cut(self, ranker: Any, store: Store, text: str) -> None:
        everything = ranker.rank(ask(text), None, ALL)
        for admitted in (store.all_rows()[::3], store.all_rows()[-5:], [one.row for one in everything[-4:]]):
            rows = RowSet.of(admitted)
            expected = [one for one in everything if one.row in set(rows.rows.tolist())]
            found = ranker.rank(ask(text), rows, ALL)
            self.must(
                _alike(found, expected),
                f"scores passages otherwise when only some are admitted: {_rows(found)} for {_rows(expected)}",
            )
            found = ranker.rank(ask(text), rows, 2)
            self.must(_alike(found, expected[:2]), f"cuts before it filters: {_rows(found)} for {_rows(expected[:2])}")

    @pytest.mark.parametrize("text", QUERIES, ids=numbered)
    def test_a_smaller_limit_gives_the_same_first_ones(self, ranker: Any, text: str) -> None:
        everything = ranker.rank(ask(text), None, ALL)
        for limit in (1, 2, 5, 17, len(everything)):
            found = ranker.rank(ask(text), None, limit)
            self.must(
                _alike(found, everything[:limit]),
                f"gives other passages for a limit of {limit} than the first {limit} of all",
            )
        self.must(list(ranker.rank(ask(text), None, 0)) == [], "gives something for a limit of 0")
        self.must(list(ranker.rank(ask(text), RowSet.of([]), 5)) == [], "gives something where no passage is admitted")

    def test_rows_that_are_gone_or_never_were_are_not_given(self, ranker: Any, store: Store) -> None:
        found = ranker.rank(ask(QUERIES[0]), RowSet.of([999_999_999]), 5)
        self.must(list(found) == [], "gives a passage that there is not")

    @pytest.mark.parametrize("text", [*TEXTS, *HOSTILE], ids=numbered)
    def test_any_query_is_safe(self, ranker: Any, store: Store, text: str) -> None:
        try:
            query = ask(text)
        except Exception:
            query = replace(ask("holdfast"), text=text, words=text, semantic=text)
        wrong = wrong_evidence(ranker.rank(query, None, 20), RowSet(store.all_rows()), 20)
        self.must(not wrong, f"gives {wrong} for {text[:20]!r}")

    def test_asking_again_gives_the_same_and_changes_nothing_it_was_given(self, ranker: Any, store: Store) -> None:
        for text in QUERIES:
            rows = RowSet(store.all_rows()[::2].copy())
            kept = rows.rows.copy()
            first = list(ranker.rank(ask(text), rows, 20))
            self.must((rows.rows == kept).all(), "changes the set of rows that it is given")
            self.must(first == list(ranker.rank(ask(text), rows, 20)), "gives another answer when it is asked again")

    def test_explains_itself_in_plain_data(self, ranker: Any) -> None:
        query = ask(QUERIES[0])
        for one in ranker.rank(query, None, 3):
            self.must(plain(dict(ranker.explain(query, one.row))), "explains a score by something that is no JSON")

    def test_stops_when_it_is_told_to(self, ranker: Any) -> None:
        asked = 0

        def cancelled() -> bool:
            nonlocal asked
            asked += 1
            return True

        try:
            ranker.rank(ask(QUERIES[0]), None, 10, cancelled)
        except Cancelled:
            return
        self.must(not asked, "asks whether it is cancelled, is told that it is, and goes on")

    # ------------------------------------------------------------------------------------------ its index

    def test_before_it_has_caught_up_it_says_so(self, index: Path, store: Store) -> None:
        made = self.over(index, store)
        status = made.status()
        try:
            found = list(made.rank(ask(QUERIES[0]), None, 5))
        except NotReady as error:
            self.must(str(error).strip(), "is not ready and does not say why")
            self.must(status.degraded, "is not ready, and its status says nothing of it")
        else:
            # a ranker without an index of its own is ready at once
            self.must(
                status.degraded or found or not self.goes_by_words(),
                "gives nothing before it has caught up, and its status says nothing of it",
            )
        made.close()

    def test_afterwards_its_status_says_that_it_is_complete(self, ranker: Any, store: Store) -> None:
        status = ranker.status()
        self.must(status.degraded is None, f"is up to date and says {status.degraded!r}")
        self.must(status.rows == status.expected > 0, f"is up to date and says {status.rows} rows of {status.expected}")
        self.must(
            status.applied == store.last_change(),
            f"says that it applied {status.applied}; the last change is {store.last_change()}",
        )
        self.must(
            status.expected <= len(store.all_rows()), f"expects {status.expected} rows of {len(store.all_rows())}"
        )

    def test_an_index_brought_up_to_date_is_the_same_as_one_made_anew(
        self, ranker: Any, index: Path, store: Store
    ) -> None:
        for record in many(15, start=self.count):
            put(store, record)
        first = many(1)[0]
        put(store, replace(first, item=replace(first.item, title="Zinc and quartz, once more"), attachments=()))
        store.drop_items(["bells", "m00003", "m00004"])
        ranker.catch_up()
        embed_all(store, self.embedder())
        ranker.catch_up()
        ranker.catch_up()
        self._same_as_anew(ranker, index, store)
        self.must(ranker.status().rows == ranker.status().expected, "does not say how many rows it has after changes")

    def test_what_is_gone_is_found_no_more(self, ranker: Any, store: Store) -> None:
        row = store.find_item("kelp")
        assert row is not None
        gone = set(store.rows_of_item(row).tolist())
        store.drop_items(["kelp"])
        ranker.catch_up()
        for text in QUERIES:
            self.must(
                not gone & set(_rows(ranker.rank(ask(text), None, ALL))), "finds a passage that is gone from the store"
            )

    def test_its_index_holds_when_it_is_closed_and_opened(self, ranker: Any, index: Path, store: Store) -> None:
        before = [list(ranker.rank(ask(text), None, 20)) for text in QUERIES]
        ranker.close()
        ranker.close()
        other = self.over(index, store)
        self.must(other.status().degraded is None, f"forgets its index when it is closed: {other.status().degraded}")
        self.must(
            before == [list(other.rank(ask(text), None, 20)) for text in QUERIES],
            "gives another answer after it was closed and opened",
        )
        other.close()

    def test_its_index_can_be_thrown_away(self, ranker: Any, index: Path, store: Store) -> None:
        before = [list(ranker.rank(ask(text), None, 20)) for text in QUERIES]
        ranker.close()
        shutil.rmtree(index / self.name, ignore_errors=True)
        other = self.over(index, store)
        other.catch_up()
        self.must(
            before == [list(other.rank(ask(text), None, 20)) for text in QUERIES],
            "gives another answer after its index was made anew",
        )
        other.close()

    def test_keeps_to_its_own_folder(self, index: Path, store: Store) -> None:
        before = {path.name for path in index.iterdir()}
        ranker = self.over(index, store)
        ranker.catch_up()
        ranker.rank(ask(QUERIES[0]), None, 5)
        strangers = sorted({path.name for path in index.iterdir()} - before - {self.name})
        ranker.close()
        self.must(not strangers, f"writes outside its folder {self.name}/: {', '.join(strangers)}")

    def test_reading_goes_on_while_another_catches_up(self, ranker: Any, index: Path, store: Store) -> None:
        reader_store = open_store(index)
        reader = self.over(index, reader_store)
        before = list(reader.rank(ask(QUERIES[0]), None, 10))
        for record in many(10, start=self.count):
            put(store, record)
            embed_all(store, self.embedder())
            ranker.catch_up()
            known = RowSet(reader_store.all_rows())
            wrong = wrong_evidence(reader.rank(ask(QUERIES[0]), None, 10), known, 10)
            self.must(not wrong, f"gives {wrong} while another process catches up")
        self.must(before or not self.goes_by_words(), "finds nothing as a second reader")
        after = list(reader.rank(ask(QUERIES[0]), None, ALL))
        self.must(
            _alike(after, list(ranker.rank(ask(QUERIES[0]), None, ALL))),
            "does not see what another process has taken in",
        )
        reader.close()
        reader_store.close()

    def test_catching_up_that_is_stopped_goes_on_the_next_time(self, index: Path, store: Store) -> None:
        made = self.over(index, store)
        told = 0

        def cancelled() -> bool:
            nonlocal told
            told += 1
            return True

        stopped = False
        try:
            made.catch_up(cancelled=cancelled)
        except Cancelled:
            stopped = True
        self.must(stopped or not told, "asks whether it is cancelled, is told that it is, and goes on")
        made.catch_up()
        self.must(made.status().degraded is None, "is not complete after it was stopped once and run again")
        self._same_as_anew(made, index, store)
        made.close()

    def test_everything_is_given_back(self, ranker: Any, index: Path, store: Store) -> None:
        def once() -> None:
            other = self.over(index, store)
            other.catch_up()
            other.rank(ask(QUERIES[0]), None, 5)
            other.close()

        once()  # what stays open for the process is open from now on
        with self.gives_back():
            for _ in range(3):
                once()

    def _same_as_anew(self, ranker: Any, index: Path, store: Store) -> None:
        place = index.parent / "anew"
        place.mkdir(exist_ok=True)
        anew = self.over(place, store)
        anew.catch_up()
        for text in QUERIES:
            found, expected = list(ranker.rank(ask(text), None, ALL)), list(anew.rank(ask(text), None, ALL))
            self.must(
                _alike(found, expected),
                f"brought up to date, gives {_rows(found)[:8]} for {text!r}; made anew, {_rows(expected)[:8]}",
            )
        anew.close()


def _rows(found: Sequence[Evidence]) -> list[int]:
    return [one.row for one in found]


def _alike(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    """The same passages with the same scores, to rounding; where scores are equal to rounding, in any order."""
    if len(one) != len(other):
        return False
    scores = {entry.row: entry for entry in other}
    for left, right in zip(one, other, strict=True):
        if not math.isclose(left.score, right.score, rel_tol=1e-5, abs_tol=1e-6):
            return False
        same = scores.get(left.row)
        if same is None:
            continue  # cut off among equals
        if not (
            math.isclose(left.score, same.score, rel_tol=1e-5, abs_tol=1e-6)
            and math.isclose(left.fraction, same.fraction, rel_tol=1e-4, abs_tol=1e-5)
        ):
            return False
    return True
