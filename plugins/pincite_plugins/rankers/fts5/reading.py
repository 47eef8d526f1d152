"""Texts to words, many at a time: the numbers of their words for the postings, and their tokens as FTS5 is given them.

Most words are in a text as the index takes them. Those are never cut out of it: FTS5 is given the text with the others exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pincite.text.runs import Kind, cjk_parts
from pincite.text.segments import MIXED, RUN, WORD, Codes, Places, Segments, codes_of, segments, within
from pincite.text.tokens import STOP, mixed
from pincite_plugins.rankers.fts5.lexicon import Keys, Language, Lexicon, Numbers
from pincite_plugins.rankers.fts5.spelling import BESIDE, OTHERWISE, spelled

_CODE_BITS = 21

Row = list[object]
"""A row on its way to FTS5; a text's tokens are put at a place in it."""


@dataclass(frozen=True, slots=True)
class _Text:
    folded: str
    language: Language
    row: Row
    place: int
    halves: Sequence[str]


class Reader:
    """Takes texts, reads those taken when told to, and gives all their words at the end."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._taken: list[_Text] = []
        self._read = 0  # texts
        # pairs of arrays: a number or key, and the text it is of
        self._stretches: list[tuple[Numbers, Numbers]] = []
        self._characters: list[tuple[Keys, Numbers]] = []

    def add(self, folded: str, language: str, row: Row, place: int, halves: Sequence[str]) -> None:
        """Takes a folded text and the halves of its broken words (`tokens.folded`). Its tokens go to a place of the row, if not 0."""
        self._taken.append(_Text(folded, self._lexicon.of(language), row, place, halves))

    def read(self) -> None:
        """Reads what was taken, and puts its tokens into the rows."""
        if not self._taken:
            return
        part = _Part(self._taken, self._lexicon)
        part.read_stretches()
        part.read_runs()
        part.read_odd()
        part.spell()
        part.stretches.append(tuple(np.array(part.loose, np.int64).reshape(-1, 2).T))
        for held, found in ((self._stretches, part.stretches), (self._characters, part.characters)):
            held += [(one, (of + self._read).astype(np.int32)) for one, of in found]
        self._read += len(self._taken)
        self._taken = []

    def mentions(self) -> tuple[Numbers, Numbers]:
        """The word number of each mention, and the text that it stands in."""
        none = [(np.empty(0, np.int64), np.empty(0, np.int32))]
        numbers, texts = map(np.concatenate, zip(*none, *self._stretches, strict=True))
        words, counts = self._lexicon.spelled(numbers)
        keys, besides = map(np.concatenate, zip(*none, *self._characters, strict=True))
        return (
            np.concatenate([words, self._lexicon.characters(keys)]),
            np.concatenate([np.repeat(texts, counts), besides]),
        )


class _Part:
    """Texts that are read as one."""

    def __init__(self, texts: list[_Text], lexicon: Lexicon) -> None:
        self._texts = texts
        self._lexicon = lexicon
        self._text = "\n".join([*(text.folded for text in texts), ""])
        self._until = np.cumsum([len(text.folded) + 1 for text in texts])
        self._codes: Codes = codes_of(self._text)
        self._found: Segments = segments(self._codes)
        bounds = np.searchsorted(self._found.starts, self._until)
        self._of = np.repeat(np.arange(len(texts)), np.diff(bounds, prepend=0))
        self._changes = np.where(self._found.kinds == MIXED, OTHERWISE, 0).astype(np.int8)  # what becomes of a segment
        self._exchanged: dict[int, str] = {}  # what it is given for one of `OTHERWISE`
        self._besides: dict[int, list[str]] = defaultdict(list)  # tokens beside the others, by text
        self.stretches: list[tuple[Places, Places]] = []
        self.loose: list[tuple[int, int]] = []  # as `stretches`, one by one
        self.characters: list[tuple[Keys, Places]] = []

    def read_stretches(self) -> None:
        """Finds the numbers of stretches, and of halves."""
        found, languages = self._found, [text.language for text in self._texts]
        words = np.flatnonzero(found.kinds == WORD)
        of = self._of[words]
        salts = np.array([language.salt for language in languages], np.uint64)

        def spelled_at(places: Places) -> Iterator[tuple[str, Language]]:
            at, texts = words[places], of[places].tolist()
            for start, end, text in zip(found.starts[at].tolist(), found.ends[at].tolist(), texts, strict=True):
                yield self._text[start:end], languages[text]

        numbers = self._lexicon.numbers(found.hashes[words] + salts[of], spelled_at)
        changes = self._changes[words] = self._lexicon.changes(numbers)
        for at in np.flatnonzero(changes & OTHERWISE).tolist():
            self._exchanged[int(words[at])] = self._lexicon.parts[numbers[at]]
        for at in np.flatnonzero(changes & BESIDE).tolist():
            self._besides[int(of[at])].append(self._lexicon.wholes[numbers[at]])
        self.stretches.append((numbers, of))
        for at, text in enumerate(self._texts):
            for half in text.halves:
                self._beside(at, half)

    def read_runs(self) -> None:
        """Finds the characters and pairs of runs, and numbers that stand before one ("3月")."""
        found = self._found
        runs = np.flatnonzero(found.kinds == RUN)
        if not len(runs):
            return
        lengths = (found.ends - found.starts)[runs]
        inside = within(found.starts[runs], found.ends[runs])
        codes = self._codes[inside].astype(np.int64)
        paired = np.ones(len(codes), np.bool_)
        paired[np.cumsum(lengths) - 1] = False
        first = np.flatnonzero(paired)
        of = np.repeat(self._of[runs], lengths)
        self.characters += [(codes, of), (codes[first] << _CODE_BITS | codes[first + 1], of[first])]
        before = runs[(runs > 0) & (found.kinds[runs - 1] == WORD) & (found.ends[runs - 1] == found.starts[runs])] - 1
        for at in before.tolist():
            number = self._spelled(at)
            if number.isdecimal():
                self._beside(int(self._of[at]), number + self._text[found.ends[at]])

    def read_odd(self) -> None:
        """Stretches with CJK characters that are read one by one."""
        found = self._found
        for at in np.flatnonzero(found.kinds == MIXED).tolist():
            of = int(self._of[at])
            spelled = []
            for kind, token in mixed(self._spelled(at)):
                if kind is Kind.WHOLE:
                    self._beside(of, token)
                    continue
                spelled.append(cjk_parts(token) if kind is Kind.CJK else token)
                if kind is Kind.CJK:
                    codes = [*map(ord, token)]
                    codes += [one << _CODE_BITS | other for one, other in pairwise(codes)]
                    self.characters.append((np.array(codes), np.full(len(codes), of)))
                elif kind is Kind.PART:
                    self._token(of, token)
            self._exchanged[at] = " ".join(spelled)

    def spell(self) -> None:
        """Puts each text's tokens into its row."""
        found = self._found
        tokens, until = spelled(self._codes, found, self._changes)
        odd = np.flatnonzero(self._changes & OTHERWISE)
        ends = until[found.ends[odd] - 1]
        starts = ends - found.ends[odd] + found.starts[odd]
        exchanged = list(zip(starts.tolist(), ends.tolist(), odd.tolist(), strict=True))
        low = begin = 0
        of_text = np.searchsorted(found.starts[odd], self._until).tolist()
        for at, (text, high, end) in enumerate(zip(self._texts, of_text, until[self._until - 1].tolist(), strict=True)):
            if text.place:
                pieces = []
                for start, stop, segment in exchanged[low:high]:
                    pieces += (tokens[begin:start], self._exchanged[segment])
                    begin = stop
                pieces.append(tokens[begin : end - 1])
                if at in self._besides:
                    pieces += (STOP, *self._besides[at])
                text.row[text.place] = " ".join(pieces)
            low, begin = high, end

    def _spelled(self, segment: int) -> str:
        return self._text[self._found.starts[segment] : self._found.ends[segment]]

    def _beside(self, of: int, token: str) -> None:
        """A token of a text that FTS5 is given after all others: no phrase goes through it."""
        self._besides[of].append(token)
        self._token(of, token)

    def _token(self, of: int, token: str) -> None:
        number = self._lexicon.token(token, self._texts[of].language)
        self.loose.append((number, of))
