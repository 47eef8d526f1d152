"""The contract kit of chunkers."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pincite.chunks import chunk_text, embedded_text
from pincite.testing.kit import Kit
from pincite.testing.packs import same_packs, sample_packs
from pincite.values.pack import BlockKind, Flow
from pincite.values.search import ChunkKind, Draft

PACKS = sample_packs()


def by_characters(texts: Sequence[str]) -> list[int]:
    """A tokenizer: four characters a token."""
    return [(len(text) + 3) // 4 for text in texts]


def by_words(texts: Sequence[str]) -> list[int]:
    """A tokenizer: words, long ones in pieces of six."""
    return [sum((len(word) + 5) // 6 for word in text.split()) for text in texts]


COUNTERS = {"characters": by_characters, "words": by_words}


class ChunkerKit(Kit):
    """Subclass it and name the chunker.

    `loses`: the share of the letters of body text that may be in no chunk (a chunker that summarises or filters says how much).
    """

    kind = "chunker"
    loses: ClassVar[float] = 0.0

    @pytest.fixture
    def chunker(self, folder: Path) -> Any:
        """The chunker under test."""
        return self.made(self.context(folder))

    @pytest.fixture(params=list(PACKS))
    def pack(self, request: pytest.FixtureRequest) -> Any:
        """Each sample in turn."""
        return PACKS[request.param]

    def test_has_its_name_and_a_version(self, chunker: Any) -> None:
        self.must(chunker.name == self.name, f"calls itself {chunker.name!r}")
        self.must(
            isinstance(chunker.version, int) and chunker.version > 0,
            f"has the version {chunker.version!r}; it must be 1 or more",
        )

    def test_spans_are_rising_slices_of_the_text_in_reading_order(self, chunker: Any, pack: Any) -> None:
        drafts = chunker.cut(pack, by_words, 128)
        self.must(all(isinstance(draft, Draft) for draft in drafts), "gives something else than drafts")
        for draft in drafts:
            at = 0
            self.must(draft.spans, "gives a chunk without a span")
            for start, end in draft.spans:
                self.must(
                    at <= start < end <= len(pack.text),
                    f"gives the span {start}–{end} after {at} in a text of {len(pack.text)}",
                )
                self.must(pack.text[start:end].strip(), f"gives a blank span {start}–{end}")
                at = end
        starts = [draft.spans[0][0] for draft in drafts]
        self.must(starts == sorted(starts), f"does not give the chunks in reading order: {starts[:20]}")

    @pytest.mark.parametrize("window", [24, 64, 128, 510])
    @pytest.mark.parametrize("counter", list(COUNTERS))
    def test_no_chunk_exceeds_the_window(self, chunker: Any, pack: Any, window: int, counter: str) -> None:
        count = COUNTERS[counter]
        for draft in chunker.cut(pack, count, window):
            (tokens,) = count([embedded_text(draft.section, chunk_text(pack.text, draft.spans), draft.path_embedded)])
            if draft.embed:
                self.must(
                    tokens <= window,
                    f"gives a chunk of {tokens} tokens (counted by {counter}) for a window of {window}",
                )
                self.must(draft.tokens == tokens, f"says {draft.tokens} tokens of a chunk of {tokens}")

    def test_every_letter_of_the_text_is_in_a_chunk(self, chunker: Any, pack: Any) -> None:
        covered = _covered(chunker.cut(pack, by_words, 128), len(pack.text))
        wanted = [
            block for block in pack.blocks if block.flow is not Flow.EXCLUDED and block.kind is not BlockKind.HEADING
        ]
        letters = [at for block in wanted for at in range(block.start, block.end) if pack.text[at].isalpha()]
        lost = [at for at in letters if not covered[at]]
        share = len(lost) / max(1, len(letters))
        self.must(
            share <= self.loses,
            f"loses {share:.1%} of the letters, the first at {lost[:1]}: {pack.text[lost[0] : lost[0] + 40]!r}"
            if lost
            else "",
        )

    def test_nothing_that_is_excluded_is_in_a_chunk(self, chunker: Any, pack: Any) -> None:
        covered = _covered(chunker.cut(pack, by_words, 128), len(pack.text))
        for block in pack.blocks:
            if block.flow is Flow.EXCLUDED:
                self.must(
                    not any(covered[block.start : block.end]),
                    f"takes in excluded text: {pack.text[block.start : block.end]!r}",
                )

    def test_references_are_kept_apart_and_never_embedded(self, chunker: Any) -> None:
        pack = PACKS["sections"]
        spans = [(block.start, block.end) for block in pack.blocks if block.reference]
        for draft in chunker.cut(pack, by_words, 128):
            inside = [any(start <= one < end for start, end in spans) for one, _ in draft.spans]
            self.must(all(inside) == any(inside), "mixes references with other text")
            self.must((draft.kind is ChunkKind.REFERENCE) == any(inside), f"calls {draft.spans} {draft.kind}")
            self.must(not (any(inside) and draft.embed), "wants a vector for references")

    def test_sections_and_pages_are_those_of_the_text(self, chunker: Any) -> None:
        for name in ("sections", "pages", "long path"):
            pack = PACKS[name]
            paths = {pack.section_path(number) for number in range(-1, len(pack.sections))}
            for draft in chunker.cut(pack, by_words, 128):
                start = draft.spans[0][0]
                block = next(one for one in pack.blocks if one.start <= start < one.end)
                self.must(tuple(draft.section) in paths, f"gives the section path {draft.section}, which there is not")
                self.must(
                    draft.page == block.page, f"puts a chunk that begins on page {block.page} on page {draft.page}"
                )

    def test_cutting_again_gives_the_same_and_changes_nothing_it_was_given(
        self, chunker: Any, pack: Any, folder: Path
    ) -> None:
        before = copy.deepcopy(pack)
        first = chunker.cut(pack, by_words, 128)
        self.must(same_packs(before, pack), "changes the pack that it is given")
        self.must(first == chunker.cut(pack, by_words, 128), "cuts otherwise when it is asked again")
        self.must(
            first == self.made(self.context(folder)).cut(pack, by_words, 128), "cuts otherwise when it is made again"
        )

    def test_does_not_count_the_same_text_over_and_over(self, chunker: Any) -> None:
        for name in ("one word without end", "one sentence without end", "sections"):
            counted = 0

            def count(texts: Sequence[str]) -> list[int]:
                nonlocal counted
                counted += sum(map(len, texts))
                return by_characters(texts)

            chunker.cut(PACKS[name], count, 128)
            times = counted / len(PACKS[name].text)
            self.must(times <= 60, f"has each character counted {times:.0f} times ({name})")


def _covered(drafts: Sequence[Draft], length: int) -> list[bool]:
    covered = [False] * length
    for draft in drafts:
        for start, end in draft.spans:
            covered[start:end] = [True] * (end - start)
    return covered
