"""Texts to words, many at a time: the numbers of their words for the postings, and their tokens as FTS5 is given them.

Most words are in a text as the index takes them. Those are never cut out of it: FTS5 is given the text with the others exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite.text.bulk import folded_as_one
from pincite.text.runs import Kind, cjk_parts
from pincite.text.segments import MIXED, RUN, WORD, Codes, Indices, codes_of, segments, text_of, within
from pincite.text.tokens import STOP, mixed
from pincite_plugins.rankers.fts5.lexicon import CODE_BITS, Language, Lexicon, Numbers
from pincite_plugins.rankers.fts5.spelling import BESIDE, OTHERWISE, pairs, spelled

Row = list[object]
"""A row on its way to FTS5; a text's tokens are put at a place in it."""


PART_CHARACTERS = 1 << 18
"""Of texts that are read as one: the arrays of them stay in the processor's cache."""

FEW_CHARACTERS = 1 << 15
"""Below which all are read as one: a part's own cost is more than that of wider characters."""


class _Text(NamedTuple):
    number: int
    text: str
    language: Language
    row: Row
    place: int


class Reader:
    """Takes texts, reads many as one, and gives all their words at the end."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._count = 0  # of texts
        # what is taken and not read, and the characters of it; texts of ASCII alone, whose characters are bytes, apart
        self._taken: tuple[list[_Text], list[_Text]] = ([], [])
        self._characters = [0, 0]
        self._words: list[tuple[Numbers, Numbers]] = []  # numbers of words, and of the texts that they stand in

    def add(self, text: str, language: str, row: Row, place: int) -> None:
        """Takes a text. Its tokens will be put at a place of the row, if not 0."""
        ascii = text.isascii()
        self._taken[ascii].append(_Text(self._count, text, self._lexicon.of(language), row, place))
        self._count += 1
        self._characters[ascii] += len(text)
        if self._characters[ascii] >= PART_CHARACTERS:
            self._read(ascii)

    def read(self) -> None:
        """Reads what was taken, and puts its tokens into the rows."""
        if sum(self._characters) < FEW_CHARACTERS:
            self._taken[False].extend(self._taken[True])
            self._taken[True].clear()
        self._read(False)
        self._read(True)

    def mentions(self) -> tuple[Numbers, Numbers]:
        """The word number of each mention, and the text that it stands in, of all that was read."""
        none = np.empty(0, np.int32)
        words, texts = zip((none, none), *self._words, strict=True)
        return np.concatenate(words), np.concatenate(texts)

    def _read(self, ascii: bool) -> None:
        taken = self._taken[ascii]
        self._characters[ascii] = 0
        if not taken:
            return
        part = _Part(taken, self._lexicon)
        part.read_stretches()
        part.read_runs()
        part.read_odd()
        part.spell()
        numbers = np.array([text.number for text in taken], np.int32)
        loose = np.array(part.loose, np.int32).reshape(-1, 2).T
        self._words += [(words, numbers[of]) for words, of in (*part.words, loose)]
        taken.clear()


class _Part:
    """Texts that are read as one."""

    def __init__(self, texts: list[_Text], lexicon: Lexicon) -> None:
        self._texts = texts
        self._lexicon = lexicon
        self._codes, self._until, self._halves = folded_as_one([text.text for text in texts])
        self._text = text_of(self._codes)
        self._found = segments(self._codes)
        bounds = np.searchsorted(self._found.starts, self._until)
        self._of = np.repeat(np.arange(len(texts)), np.diff(bounds, prepend=0))
        self._changes = np.where(self._found.kinds == MIXED, OTHERWISE, 0).astype(np.int8)  # what becomes of a segment
        self._exchanged: dict[int, str] = {}  # what it is given for one of `OTHERWISE`
        self._besides: dict[int, list[str]] = defaultdict(list)  # tokens beside the others, by text
        self.words: list[tuple[Numbers, Indices]] = []  # word numbers, and the text that each stands in
        self.loose: list[tuple[int, int]] = []  # the same, one by one

    def read_stretches(self) -> None:
        """Finds the numbers of stretches, and of halves."""
        found, languages = self._found, [text.language for text in self._texts]
        words = np.flatnonzero(found.kinds == WORD)
        of = self._of[words]
        salts = np.array([language.salt for language in languages], np.uint64)

        def spelled_at(places: Indices) -> Iterator[tuple[str, Language]]:
            at, texts = words[places], of[places].tolist()
            for start, end, text in zip(found.starts[at].tolist(), found.ends[at].tolist(), texts, strict=True):
                yield self._text[start:end], languages[text]

        numbers = self._lexicon.numbers(found.hashes[words] + salts[of], spelled_at)
        changes = self._changes[words] = self._lexicon.changes(numbers)
        other = np.flatnonzero(changes & OTHERWISE)
        for at, number in zip(words[other].tolist(), numbers[other].tolist(), strict=True):
            self._exchanged[at] = self._lexicon.others[number]
        other = np.flatnonzero(changes & BESIDE)
        for text, number in zip(of[other].tolist(), numbers[other].tolist(), strict=True):
            self._besides[text].append(self._lexicon.wholes[number])
        self.words += self._lexicon.spelled(numbers, of)
        for text, halves in self._halves.items():
            for half in halves:
                self._beside(text, half)

    def read_runs(self) -> None:
        """Finds the characters and pairs of runs, and numbers that stand before one ("3月")."""
        found = self._found
        runs = np.flatnonzero(found.kinds == RUN)
        if not len(runs):
            return
        inside = within(found.starts[runs], found.ends[runs])
        self._characters(self._codes[inside], (found.ends - found.starts)[runs], self._of[runs])
        before = runs[(runs > 0) & (found.kinds[runs - 1] == WORD) & (found.ends[runs - 1] == found.starts[runs])] - 1
        for at in before.tolist():
            number = self._spelled(at)
            if number.isdecimal():
                self._beside(int(self._of[at]), number + self._text[found.ends[at]])

    def read_odd(self) -> None:
        """Stretches with CJK characters that are read one by one."""
        runs: list[str] = []
        of_runs: list[int] = []
        for at in np.flatnonzero(self._found.kinds == MIXED).tolist():
            of = int(self._of[at])
            spelled = []
            for kind, token in mixed(self._spelled(at)):
                if kind is Kind.WHOLE:
                    self._beside(of, token)
                    continue
                spelled.append(cjk_parts(token) if kind is Kind.CJK else token)
                if kind is Kind.CJK:
                    runs.append(token)
                    of_runs.append(of)
                elif kind is Kind.PART:
                    self._token(of, token)
            self._exchanged[at] = " ".join(spelled)
        if runs:
            self._characters(codes_of("".join(runs)), np.array([*map(len, runs)]), np.array(of_runs))

    def _characters(self, codes: Codes, lengths: npt.NDArray[np.int64], of: Indices) -> None:
        """Takes the characters and pairs of runs, one run after another."""
        single, of = codes.astype(np.int64), np.repeat(of, lengths)
        paired = np.ones(len(single), np.bool_)
        paired[np.cumsum(lengths) - 1] = False
        first = np.flatnonzero(paired)
        keys = np.concatenate([single, single[first] << CODE_BITS | single[first + 1]])
        self.words.append((self._lexicon.characters(keys), np.concatenate([of, of[first]])))

    def spell(self) -> None:
        """Puts each text's tokens into its row."""
        found = self._found
        runs = np.flatnonzero(found.kinds == RUN)
        self._changes[runs] = OTHERWISE
        self._exchanged.update(
            zip(runs.tolist(), pairs(self._codes, found.starts[runs], found.ends[runs]), strict=True)
        )
        tokens = spelled(self._codes, self._until, found, self._changes, self._exchanged)
        for at, besides in self._besides.items():
            tokens[at] = " ".join([tokens[at], STOP, *besides])
        for text, its in zip(self._texts, tokens, strict=True):
            if text.place:
                text.row[text.place] = its

    def _spelled(self, segment: int) -> str:
        return self._text[self._found.starts[segment] : self._found.ends[segment]]

    def _beside(self, of: int, token: str) -> None:
        """A token of a text that FTS5 is given after all others: no phrase goes through it."""
        self._besides[of].append(token)
        self._token(of, token)

    def _token(self, of: int, token: str) -> None:
        self.loose.append((self._lexicon.word(token, self._texts[of].language), of))
