"""A unigram tokenizer (SentencePiece, Kudo 2018) over a vocabulary that is read only as far as a text needs it.

The text is normalised character by character, runs of spaces become one, each space becomes ▁ and one is put in front; the best
segmentation is the one with the highest sum of scores (Viterbi). No piece has a ▁ but at its start, so words are segmented
one by one and remembered. An unknown character costs the lowest score − 10 and is one token.

Why not the package `tokenizers`: with 250,002 pieces it takes 1.1 s and 290 MB to load, it joins neighbouring unknown characters,
and its normaliser works on grapheme clusters. This one opens in milliseconds, so that a search as a whole process is quick.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

MARK = "▁"
PENALTY = 10.0
"""What an unknown character costs below the lowest score (SentencePiece's kUnkPenalty)."""
MEMORY = 100_000
"""Words remembered before the memory is emptied."""
LONGEST_REMEMBERED = 32
HEAD = 4
"""Characters of a text by which it is known which pieces can begin there."""
HEADS = 100_000
"""Such beginnings remembered before the memory is emptied."""
LAST = chr(sys.maxunicode)
_SPACES = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces in the order of their ids with their scores, and the normalisation of single code points (others stay)."""

    pieces: list[str]
    scores: npt.NDArray[np.float32]
    mapping: dict[int, str]
    bos: int
    eos: int
    pad: int
    unknown: int


def write(vocabulary: Vocabulary, path: Path) -> None:
    """Writes the vocabulary as an .npz: pieces sorted and grouped by their first two characters."""
    order = sorted((piece, number) for number, piece in enumerate(vocabulary.pieces) if number != vocabulary.unknown)
    if any("\n" in piece for piece, _ in order) or any("\0" in out for out in vocabulary.mapping.values()):
        raise ValueError("a line break or NUL within the vocabulary")
    groups: dict[str, list[str]] = {}
    for piece, _ in order:
        groups.setdefault(piece[:2], []).append(piece)
    ordered = [(key, "\n".join(groups[key])) for key in sorted(groups)]
    rows = np.cumsum([0] + [len(groups[key]) for key, _ in ordered])
    blobs = [text.encode("utf-8") for _, text in ordered]
    ids = dict(order)
    numbers = np.array([ids[piece] for key, _ in ordered for piece in groups[key]], np.int32)
    specials = [vocabulary.bos, vocabulary.eos, vocabulary.pad, vocabulary.unknown]
    np.savez(
        path,
        keys=_bytes("\n".join(key for key, _ in ordered)),
        pieces=np.frombuffer(b"".join(blobs), np.uint8),
        starts=np.cumsum([0] + [len(blob) for blob in blobs]).astype(np.int64),
        rows=rows.astype(np.int64),
        ids=numbers,
        scores=vocabulary.scores[numbers],
        lowest=np.float32(vocabulary.scores.min()),
        specials=np.array(specials, np.int32),
        points=np.array(list(vocabulary.mapping), np.uint32),
        outputs=_bytes("\0".join(vocabulary.mapping.values())),
    )


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8"), np.uint8)


class _Sizes(dict[str, int]):
    """Words with their numbers of tokens, counted when they are first asked for."""

    def __init__(self, unigram: Unigram) -> None:
        self._unigram = unigram

    def __missing__(self, word: str) -> int:
        size = len(self._unigram.segmented(word))
        if len(word) <= LONGEST_REMEMBERED:
            self[word] = size
        return size


Piece = tuple[int, int, float]
"""Length, id and score. What is remembered of words is held in tuples of numbers, which the garbage collector soon leaves alone: a pass of
it over lists of all words takes a tenth of a second."""


class _Heads(dict[str, tuple[Piece, ...]]):
    """The first `HEAD` characters of a text (or all, of a shorter one) → the pieces of these characters that it can begin with, sought when
    they are first asked for. `longer` then holds the longer ones of those heads that have any, and the length of the longest."""

    def __init__(self, unigram: Unigram) -> None:
        self._unigram = unigram
        self.longer: dict[str, tuple[dict[str, tuple[int, float]], int]] = {}

    def __missing__(self, head: str) -> tuple[Piece, ...]:
        if len(self) >= HEADS:
            self.clear()
            self.longer.clear()
        found = self[head[:-1]] if len(head) > 1 else ()
        piece, longer = self._unigram.beginning(head)
        if piece is not None:
            found = (*found, piece)
        if longer:
            self.longer[head] = longer, max(map(len, longer))
        self[head] = found
        return found


class Unigram:
    """Tokenizes texts. One thread at a time."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            keys = file["keys"].tobytes().decode("utf-8").split("\n")
            self._pieces = file["pieces"].tobytes()
            self._starts = file["starts"]
            self._rows = file["rows"]
            self._ids = memoryview(file["ids"])  # a single value comes out of it faster than of an array
            self._scores = memoryview(file["scores"])
            self._unknown_score = float(file["lowest"]) - PENALTY
            self.bos, self.eos, self.pad, self.unknown = (int(one) for one in file["specials"])
            outputs = file["outputs"].tobytes().decode("utf-8").split("\0")
            self._mapping = dict(zip(file["points"].tolist(), outputs, strict=True))
        self._mapping[0] = ""  # as the other control characters
        self._numbers = dict(zip(keys, range(len(keys)), strict=True))
        self._groups: dict[str, tuple[list[str], int]] = {}
        self._heads = _Heads(self)
        self._words: dict[str, tuple[int, ...]] = {}
        self._sizes = _Sizes(self)

    def encode(self, text: str) -> list[int]:
        """Ids of a text, without special tokens. A text without characters is one ▁."""
        text = _SPACES.sub(" ", text.translate(self._mapping))
        ids: list[int] = []
        words = self._words
        for word in text.removeprefix(" ").split(" "):
            ids += words.get(word) or self.segmented(word)
        return ids

    def segmented(self, word: str) -> tuple[int, ...]:
        """The ids of one word, without its space; remembered."""
        found = self._words.get(word)
        if found is None:
            found = tuple(self._segment(MARK + word))
            if len(word) <= LONGEST_REMEMBERED:
                if len(self._words) >= MEMORY:
                    self._words.clear()
                self._words[word] = found
        return found

    def count(self, text: str) -> int:
        """How many ids `encode` gives."""
        text = _SPACES.sub(" ", text.translate(self._mapping))
        if len(self._sizes) >= MEMORY:
            self._sizes.clear()
        return sum(map(self._sizes.__getitem__, text.removeprefix(" ").split(" ")))

    def beginning(self, head: str) -> tuple[Piece | None, dict[str, tuple[int, float]]]:
        """The piece that is `head`, if there is one; and, where `head` is as long as it may be, the longer ones that begin with it, with
        ids and scores."""
        pieces, row = self._group(head[:2])
        first = bisect_left(pieces, head)
        piece = None
        if first < len(pieces) and pieces[first] == head:
            piece = len(head), self._ids[row + first], self._scores[row + first]
            first += 1
        if len(head) < HEAD or first == len(pieces) or not pieces[first].startswith(head):
            return piece, {}
        last = bisect_left(pieces, head + LAST, first)
        values = zip(self._ids[row + first : row + last], self._scores[row + first : row + last], strict=True)
        return piece, dict(zip(pieces[first:last], values, strict=True))

    def _group(self, key: str) -> tuple[list[str], int]:
        """The pieces that begin with two characters, or are this one; and the row of the first."""
        group = self._groups.get(key)
        if group is None:
            number = self._numbers.get(key)
            if number is None:
                return [], 0
            pieces = self._pieces[self._starts[number] : self._starts[number + 1]].decode("utf-8").split("\n")
            self._groups[key] = group = pieces, int(self._rows[number])
        return group

    def _segment(self, word: str) -> list[int]:
        """The best segmentation of one word. Of equal sums the one whose last piece is longest wins."""
        size = len(word)
        best = [float("-inf")] * (size + 1)
        best[0] = 0.0
        piece_at = [self.unknown] * (size + 1)
        start_at = [0] * (size + 1)
        heads, longer, unknown = self._heads, self._heads.longer, self._unknown_score
        for start in range(size):
            here = best[start]
            head = word[start : start + HEAD]
            for length, number, score in heads[head]:
                end = start + length
                if here + score > best[end]:
                    best[end] = here + score
                    piece_at[end], start_at[end] = number, start
            if head in longer:
                pieces, longest = longer[head]
                for end in range(start + HEAD + 1, min(start + longest, size) + 1):
                    hit = pieces.get(word[start:end])
                    if hit is not None and here + hit[1] > best[end]:
                        best[end] = here + hit[1]
                        piece_at[end], start_at[end] = hit[0], start
            if here + unknown > best[start + 1]:
                best[start + 1] = here + unknown
                piece_at[start + 1], start_at[start + 1] = self.unknown, start
        ids = []
        end = size
        while end:
            ids.append(piece_at[end])
            end = start_at[end]
        return ids[::-1]
