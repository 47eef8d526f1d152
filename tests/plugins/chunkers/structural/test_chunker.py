"""The chunker as a whole (specs/15-chunks.md)."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite.chunks import chunk_text, embedded_text
from pincite.values.pack import Block, BlockKind, Flow, Pack, Places, Section
from pincite_plugins.chunkers.structural.chunker import StructuralChunker, words_reach


def by_words(texts):
    return [len(text.split()) for text in texts]


def greedy(texts):
    """A tokenizer whose parts count less than the whole: every run of letters costs its length / 4, and one for each text."""
    return [1 + sum(-(-len(word) // 4) for word in text.split()) + text.count(" ") // 9 for text in texts]


BLOCKS = st.lists(
    st.tuples(
        st.text(alphabet="ab潮ا. \n1é", max_size=120),
        st.sampled_from(list(BlockKind)),
        st.sampled_from(list(Flow)),
        st.integers(-1, 3),
        st.booleans(),
    ),
    max_size=12,
)


@given(BLOCKS, st.integers(1, 60), st.sampled_from([by_words, greedy, lambda texts: [len(text) for text in texts]]))
def test_any_pack_is_cut_within_its_laws(blocks, window, count):
    text, made = "", []
    for content, kind, flow, section, reference in blocks:
        start = len(text)
        text += content
        made.append(Block(start, len(text), kind, flow, section, None, reference and flow is Flow.BODY))
        text += "\n\n"
    sections = (Section("A"), Section("B b", 2, 0), Section("C", 1), Section("", 2, 2))
    pack = Pack("text", text, tuple(made), sections)
    drafts = StructuralChunker().cut(pack, count, window)
    assert [draft.spans for draft in drafts] == sorted(draft.spans for draft in drafts)
    for draft in drafts:
        piece = chunk_text(text, draft.spans)
        assert any(map(str.isalpha, piece))
        size = count([embedded_text(draft.section, piece, draft.path_embedded)])[0]
        assert size == draft.tokens
        assert size <= window or len(piece) == 1 or (count is greedy and window < 3)


def test_the_page_of_a_piece_is_that_of_its_first_word():
    text = " ".join(f"Crab {n} waited under the stone for seven long tides." for n in range(40))
    words = [(at, at + len(word)) for word, at in _words(text)]
    half = len(words) // 2
    places = Places(
        np.array([start for start, _ in words], np.int32),
        np.array([end for _, end in words], np.int32),
        np.array([1 if n < half else 2 for n in range(len(words))], np.int32),
        np.arange(len(words), dtype=np.int32),
        np.zeros((len(words), 4), np.float32),
    )
    pack = Pack("pdf", text, (Block(0, len(text), page=1),), places=places)
    pages = [draft.page for draft in StructuralChunker().cut(pack, by_words, 100)]
    assert pages[0] == 1
    assert pages[-1] == 2
    assert pages == sorted(pages)


def _words(text):
    at = 0
    for word in text.split(" "):
        yield word, at
        at += len(word) + 1


def test_counting_is_done_in_few_calls():
    calls = []

    def count(texts):
        calls.append(len(texts))
        return by_words(texts)

    blocks, text = [], ""
    for n in range(400):
        start = len(text)
        text += f"Crab {n} waited under the stone for seven long tides. " * 4
        blocks.append(Block(start, len(text) - 1))
        text += "\n\n"
    StructuralChunker().cut(Pack("text", text, tuple(blocks)), count, 508)
    assert len(calls) < 6


def test_a_loop_in_the_outline_does_no_harm():
    pack = Pack(
        "text", "Crabs wait for the tide.", (Block(0, 24, section=0),), (Section("A", 1, 1), Section("B", 1, 0))
    )
    assert len(StructuralChunker().cut(pack, by_words, 100)) == 1


def test_words_are_counted_in_every_script():
    assert words_reach("three small words", 3)
    assert not words_reach("two words 3 4 5", 3)
    assert words_reach("潮汐と蟹の時計", 3)
    assert not words_reach("潮汐", 3)
    assert words_reach("조석과 게의 시계", 3)


def test_a_small_window_keeps_the_proportions():
    """Half of it is enough for a chunk: none is begun that takes in all paragraphs, only to be cut evenly again."""
    paragraphs = [" ".join(["crab"] * size) + "." for size in (8, 14) * 4]
    text = "\n\n".join(paragraphs)
    ends = np.cumsum([len(one) + 2 for one in paragraphs]) - 2
    blocks = tuple(Block(end - len(one), end) for end, one in zip(ends.tolist(), paragraphs, strict=True))
    drafts = StructuralChunker().cut(Pack("text", text, blocks), by_words, 40)
    assert [draft.tokens for draft in drafts] == [22, 22, 22, 22]
