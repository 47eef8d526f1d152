"""The contract kit of embedders."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from pincite.errors import Cancelled
from pincite.plugin.checks import wrong_vectors
from pincite.testing.kit import Kit
from pincite.testing.samples import HOSTILE, TEXTS

SAME = 0.999
"""Cosine of two vectors that are to be the same (specs/01-contract.md)."""


class EmbedderKit(Kit):
    """Subclass it and name the embedder.

    `home`: override the method where the model's files are in a data folder of your own. `distinct`: the highest cosine that two
    ordinary texts of different meaning may have.
    """

    kind = "embedder"
    distinct: ClassVar[float] = 0.999

    def home(self, folder: Path) -> Path:
        """The data folder that the embedder is given; it may hold the model."""
        return folder

    @pytest.fixture
    def embedder(self, folder: Path) -> Any:
        """The embedder under test."""
        made = self.fresh(folder)
        yield made
        made.close()

    def fresh(self, folder: Path) -> Any:
        """Another one."""
        from pincite.spec import Context

        return self.made(Context(home=self.home(folder)))

    # ------------------------------------------------------------------------------------------ facts

    def test_facts_say_what_the_vectors_are(self, embedder: Any, folder: Path) -> None:
        facts = embedder.facts
        self.must(isinstance(facts.id, str) and facts.id and facts.name, "has facts without an id or a name")
        self.must(facts.width > 0 and facts.window > 0, f"says a width of {facts.width} and a window of {facts.window}")
        self.must(
            -1 <= facts.floor < facts.ceiling <= 1,
            f"says floor {facts.floor} and ceiling {facts.ceiling}; -1 ≤ floor < ceiling ≤ 1",
        )
        for mean in (facts.mean, facts.query_mean):
            self.must(
                mean is None or (mean.shape == (facts.width,) and np.isfinite(mean).all()),
                "says a mean that is no vector of its width",
            )
        self.must(self.fresh(folder).facts.id == facts.id, "has another id each time it is made")

    # ------------------------------------------------------------------------------------------ vectors

    @pytest.mark.parametrize("kind", ["passage", "query"])
    def test_gives_one_unit_vector_a_text(self, embedder: Any, kind: str) -> None:
        wrong = wrong_vectors(embedder.embed(list(TEXTS), kind), len(TEXTS), embedder.facts.width)
        self.must(not wrong, f"gives {wrong}")

    def test_no_texts_give_no_vectors(self, embedder: Any) -> None:
        vectors = embedder.embed([], "passage")
        self.must(
            getattr(vectors, "shape", None) == (0, embedder.facts.width),
            f"gives {vectors!r:.60} for no texts; it must be of shape (0, width)",
        )

    @pytest.mark.parametrize("number", range(len(HOSTILE)))
    def test_any_text_has_a_vector(self, embedder: Any, number: int) -> None:
        text = HOSTILE[number]
        wrong = wrong_vectors(embedder.embed([text], "passage"), 1, embedder.facts.width)
        self.must(not wrong, f"gives {wrong} for {text[:20]!r} ({len(text)} characters)")

    def test_the_same_text_has_the_same_vector_whatever_else_is_in_the_call(self, embedder: Any) -> None:
        alone = np.concatenate([embedder.embed([text], "passage") for text in TEXTS])
        company = [*TEXTS, "a short one", "a long one " * 200]
        together = embedder.embed(company, "passage")[: len(TEXTS)]
        turned = embedder.embed(company[::-1], "passage")[::-1][: len(TEXTS)]
        for what, vectors in (("in company", together), ("in another order", turned)):
            cosines = np.einsum("ij,ij->i", alone, vectors)
            worst = int(np.argmin(cosines))
            self.must(
                cosines[worst] >= SAME,
                f"gives {TEXTS[worst][:20]!r} another vector {what} (cosine {cosines[worst]:.4f} to the one alone)",
            )

    def test_vectors_come_in_the_order_of_the_texts(self, embedder: Any) -> None:
        forth, back = embedder.embed(list(TEXTS), "passage"), embedder.embed(list(TEXTS)[::-1], "passage")[::-1]
        nearest = np.argmax(forth @ back.T, axis=1)
        self.must((nearest == np.arange(len(TEXTS))).all(), "gives vectors in another order than the texts")

    def test_different_texts_have_different_vectors(self, embedder: Any) -> None:
        vectors = embedder.embed([TEXTS[0], TEXTS[1], "The committee postponed the vote on pensions."], "passage")
        cosines = (vectors @ vectors.T)[np.triu_indices(3, 1)]
        self.must(
            cosines.max() < self.distinct,
            f"gives texts of different meaning the same vector (cosine {cosines.max():.4f})",
        )

    def test_the_end_of_a_text_within_the_window_counts(self, embedder: Any) -> None:
        head = "The holdfast grips the rock. " * 3
        vectors = embedder.embed(
            [f"{head}The committee postponed the vote on pensions until winter.", f"{head}Urchins graze there."],
            "passage",
        )
        self.must(
            float(vectors[0] @ vectors[1]) < 0.99999, "pays no attention to the end of a text that fits its window"
        )

    def test_asking_again_gives_the_same_and_changes_nothing_it_was_given(self, embedder: Any, folder: Path) -> None:
        texts = list(TEXTS)
        first = embedder.embed(texts, "passage")
        kept = first.copy()
        self.must(texts == list(TEXTS), "changes the list of texts that it is given")
        second = embedder.embed(texts, "passage")
        self.must(np.array_equal(first, kept), "writes over an array that it gave before")
        self.must(_same(first, second), "gives other vectors when it is asked again")
        embedder.close()
        self.must(_same(first, embedder.embed(texts, "passage")), "gives other vectors after it was closed")
        embedder.close()
        embedder.close()
        self.must(_same(first, self.fresh(folder).embed(texts, "passage")), "gives other vectors when it is made again")

    def test_works_in_any_thread(self, embedder: Any) -> None:
        here = embedder.embed(list(TEXTS[:3]), "query")
        there: list[Any] = []
        thread = threading.Thread(target=lambda: there.append(embedder.embed(list(TEXTS[:3]), "query")))
        thread.start()
        thread.join(self.seconds)
        self.must(there and _same(here, there[0]), "gives no vectors, or others, in another thread")

    def test_stops_when_it_is_told_to(self, embedder: Any) -> None:
        with self.raises(Cancelled, message="must raise Cancelled when it is told to stop"):
            embedder.embed([f"{text} {number}" for number in range(8) for text in TEXTS], "passage", lambda: True)
        self.must(
            not wrong_vectors(embedder.embed(["again"], "query"), 1, embedder.facts.width),
            "gives no vectors after it was stopped",
        )

    # ------------------------------------------------------------------------------------------ counts

    def test_counts_tokens_of_each_text(self, embedder: Any) -> None:
        counts = embedder.count(list(TEXTS))
        self.must(len(counts) == len(TEXTS), f"gives {len(counts)} counts for {len(TEXTS)} texts")
        self.must(
            all(isinstance(one, int) and one > 0 for one in counts),
            f"gives counts that are no positive integers: {counts}",
        )
        self.must(counts == [embedder.count([text])[0] for text in TEXTS], "counts a text otherwise in company")
        self.must(list(embedder.count([])) == [], "counts something in no texts")
        self.must(
            list(embedder.count([""])) == [0],
            "counts something in the empty text: special tokens and prefix are not to be counted",
        )

    def test_counts_grow_with_the_text(self, embedder: Any) -> None:
        words = [f"word{number} amber basalt" for number in range(300)]
        counts = embedder.count([" ".join(words[:size]) for size in (1, 10, 100, 300)])
        self.must(
            all(before * 2 < after for before, after in itertools.pairwise(counts)),
            f"counts {counts} tokens in 3, 30, 300 and 900 words",
        )
        self.must(counts[-1] >= 900 // 2, f"counts {counts[-1]} tokens in 900 words")

    @pytest.mark.parametrize("number", range(len(HOSTILE)))
    def test_counts_any_text(self, embedder: Any, number: int) -> None:
        (count,) = embedder.count([HOSTILE[number]])
        self.must(count >= 0, f"counts {count} tokens in {HOSTILE[number][:20]!r}")

    def test_everything_is_given_back(self, embedder: Any, folder: Path) -> None:
        embedder.embed(["once"], "query")
        with self.gives_back():
            for _ in range(2):
                other = self.fresh(folder)
                other.embed(["again"], "query")
                other.close()
                del other


def _same(one: Any, other: Any) -> bool:
    return bool(np.einsum("ij,ij->i", one, other).min() >= SAME)
