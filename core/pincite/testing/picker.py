"""The contract kit of pickers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from pincite.testing.kit import Kit
from pincite.testing.samples import HOSTILE, TEXTS, ask, numbered
from pincite.values.search import Quotable

PASSAGE = "Storms thin the canopy. The holdfast grips the rock while urchins graze. Nothing else was seen that day. 潮水退去之后。"
SENTENCES = [(0, 23), (24, 72), (73, 105), (106, 113)]


class PickerKit(Kit):
    """Subclass it and name the picker.

    `finds`: whether it picks the sentence that holds the query's words; one that goes by something else registers the fact
    ``finds=False``.
    """

    kind = "picker"
    finds: ClassVar[bool] = True

    @pytest.fixture
    def picker(self, folder: Path) -> Any:
        """The picker under test."""
        return self.made(self.context(folder))

    def test_has_the_name_that_it_is_registered_by(self, picker: Any) -> None:
        self.must(picker.name == self.name, f"calls itself {picker.name!r}")

    @pytest.mark.parametrize("text", [*TEXTS, *HOSTILE], ids=numbered)
    def test_picks_one_of_the_sentences_or_none_for_any_query(self, picker: Any, text: str) -> None:
        chosen = picker.pick(ask(text), PASSAGE, SENTENCES)
        self.must(chosen is None or tuple(chosen) in SENTENCES, f"picks {chosen}, which is none of the sentences")

    @pytest.mark.parametrize("text", HOSTILE, ids=numbered)
    def test_picks_from_any_text(self, picker: Any, text: str) -> None:
        middle = len(text) // 2
        spans = [span for span in ((0, middle), (middle, len(text))) if span[1] > span[0]]
        chosen = picker.pick(ask("holdfast"), text, spans)
        self.must(chosen is None or tuple(chosen) in spans, f"picks {chosen}, which is none of the sentences")

    def test_no_sentences_give_none(self, picker: Any) -> None:
        self.must(picker.pick(ask("holdfast"), PASSAGE, []) is None, "picks something where there are no sentences")

    def test_a_single_sentence_is_no_trouble(self, picker: Any) -> None:
        self.must(
            picker.pick(ask("holdfast"), PASSAGE, [(24, 72)]) in (None, (24, 72)),
            "picks another span than the only one",
        )

    def test_picks_the_sentence_that_holds_the_words(self, picker: Any) -> None:
        if self.goes_by_words():
            chosen = picker.pick(ask("holdfast grips rock"), PASSAGE, SENTENCES)
            self.must(chosen == (24, 72), f"picks {chosen and PASSAGE[slice(*chosen)]!r} for 'holdfast grips rock'")

    def test_picks_the_sentence_that_holds_more_of_the_words(self, picker: Any) -> None:
        if self.goes_by_words():
            chosen = picker.pick(ask("urchins canopy thin"), PASSAGE, SENTENCES)
            self.must(chosen == (0, 23), f"picks {chosen and PASSAGE[slice(*chosen)]!r} for 'urchins canopy thin'")

    def test_picking_for_many_passages_at_once_gives_one_of_the_sentences_for_each(self, picker: Any) -> None:
        if getattr(picker, "pick_all", None) is None:
            return
        passages = [
            Quotable(PASSAGE, tuple(SENTENCES), 0.5, "en"),
            Quotable(PASSAGE, (), 0.0),
            Quotable(PASSAGE, tuple(SENTENCES[2:]), 0.1),
        ]
        chosen = picker.pick_all(ask("holdfast grips rock"), passages)
        self.must(len(chosen) == len(passages), f"picks {len(chosen)} times for {len(passages)} passages")
        for one, passage in zip(chosen, passages, strict=True):
            self.must(
                one is None or tuple(one) in passage.sentences, f"picks {one}, which is none of {passage.sentences}"
            )
        self.must(
            not self.goes_by_words() or chosen[0] == (24, 72), f"picks {chosen[0]} for 'holdfast grips rock' among many"
        )
        self.must(list(picker.pick_all(ask("holdfast"), [])) == [], "picks something where there are no passages")

    def test_asking_again_gives_the_same_and_changes_nothing_it_was_given(self, picker: Any, folder: Path) -> None:
        sentences = list(SENTENCES)
        first = [picker.pick(ask(text), PASSAGE, sentences) for text in TEXTS]
        self.must(sentences == SENTENCES, "changes the sentences that it is given")
        self.must(
            first == [picker.pick(ask(text), PASSAGE, sentences) for text in TEXTS],
            "picks another sentence when it is asked again",
        )
        other = self.made(self.context(folder))
        self.must(
            first == [other.pick(ask(text), PASSAGE, sentences) for text in TEXTS],
            "picks another sentence when it is made again",
        )

    def test_the_order_of_passages_has_each_of_them_once(self, picker: Any) -> None:
        if getattr(picker, "order", None) is None:
            return
        for count in range(4):
            passages = [Quotable(PASSAGE, tuple(SENTENCES), 0.5, "en", worth=0.5)] * count
            found = list(picker.order(ask("holdfast grips rock"), passages))
            self.must(sorted(found) == list(range(count)), f"orders {count} passages as {found}")
