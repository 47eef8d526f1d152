"""Words on their way into the index, by numbers: a stretch of text is looked at once, however often it comes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

import apsw
import numpy as np
import numpy.typing as npt

from pincite.text.runs import LONGEST, plain
from pincite.text.segments import Hashes, Indices
from pincite.text.stems import ALGORITHMS, stems
from pincite.text.tokens import STOP, indexed
from pincite_plugins.rankers.fts5.spelling import BESIDE, OTHERWISE, change
from pincite_plugins.rankers.fts5.table import Numbers, Table

LARGEST = 200_000
"""Stretches, or pairs of characters, that are remembered: some 80 MB."""

FALLBACK_LANGUAGE = "en"
"""Whose stems the ASCII words of a text in no known language get: titles are often too short to tell."""

_SALT = 0xC2B2AE3D27D4EB4F
"""Times the number of a language: tells the same stretch of two languages apart (a prime of XXH64)."""

_MASK = (1 << 64) - 1

CODE_BITS = 21
"""Of a code point."""

Keys = npt.NDArray[np.int64]


class Language:
    """The words of one language: `salt` to their hashes, number of each, and those whose stems are not yet written."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.salt = number * _SALT & _MASK
        self.words: dict[str, int] = {STOP: 0}
        self.fresh: list[str] = []


class Lexicon:
    """What has been met so far. `others` and `wholes`: the tokens of some stretches, as FTS5 is given them in their place and beside.
    `words`: number 0 is `STOP`; a word has a number in each language, for its stem's sake."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.others: dict[int, str] = {}
        self.wholes: dict[int, str] = {}
        self.words: list[str] = [STOP]
        self._numbers = Table()  # of stretches, by salted hash
        self._changes = array("b")  # of each stretch: what FTS5 is given
        self._tokens = array("i")  # word numbers, stretch after stretch
        self._ends = array("i")  # where the tokens of each stretch end
        self._languages: dict[str, Language] = {}
        self._characters = Table()  # of words, by key of one or two characters
        self._terms = np.zeros(1, np.int32)  # of each word; 0: not yet known
        self._ids: dict[str, int] = {}
        self._last = int(connection.execute("SELECT coalesce(max(id), 0) FROM (SELECT id FROM term)").get)
        self._knows_all = not self._last

    @property
    def full(self) -> bool:
        """Whether it is time for another."""
        return max(len(self._ends), len(self._characters), len(self.words) // 3) >= LARGEST

    def of(self, language: str) -> Language:
        """A language by its code."""
        found = self._languages.get(language)
        if found is None:
            found = self._languages[language] = Language(language, len(self._languages))
        return found

    def numbers(self, hashes: Hashes, spelled: Callable[[Indices], Iterable[tuple[str, Language]]]) -> Numbers:
        """The numbers of stretches by their salted hashes. `spelled`: the stretches at some places, and their languages."""
        numbers = self._numbers.find(hashes)
        new = np.flatnonzero(numbers < 0)
        if len(new):
            keys, first, inverse = np.unique(hashes[new], return_index=True, return_inverse=True)
            made = np.arange(len(self._ends), len(self._ends) + len(keys), dtype=np.int32)
            for stretch, language in spelled(new[first]):
                self._learn(stretch, language)
            self._numbers.add(keys, made)
            numbers[new] = made[inverse]
        return numbers

    def word(self, word: str, language: Language) -> int:
        """The number of a word."""
        number = language.words.get(word)
        if number is None:
            number = language.words[word] = len(self.words)
            self.words.append(word)
            language.fresh.append(word)
        return number

    def _learn(self, stretch: str, language: Language) -> None:
        if len(stretch) <= LONGEST and plain(stretch):  # as most are
            self._tokens.append(self.word(stretch, language))
            self._changes.append(0)
        else:
            parts, wholes = indexed(stretch)
            changed = change(stretch, parts)
            if changed == OTHERWISE:
                self.others[len(self._ends)] = parts
            if wholes:
                changed |= BESIDE
                self.wholes[len(self._ends)] = wholes
            self._tokens.extend([self.word(word, language) for word in f"{parts} {wholes}".split()])
            self._changes.append(changed)
        self._ends.append(len(self._tokens))

    def changes(self, numbers: Numbers) -> npt.NDArray[np.int8]:
        """What FTS5 is given for each of some stretches."""
        return np.frombuffer(self._changes, np.int8)[numbers] if len(numbers) else np.empty(0, np.int8)

    def spelled(self, numbers: Numbers, of: Indices) -> list[tuple[Numbers, Indices]]:
        """The word numbers of stretches, and of which text each is, as the stretches are of those in `of`."""
        tokens, ends = np.frombuffer(self._tokens, np.int32), np.frombuffer(self._ends, np.int32)
        last = ends[numbers]
        counts = last - np.where(numbers > 0, ends[numbers - 1], 0)
        found = []
        for count in np.flatnonzero(np.bincount(counts)).tolist() if len(counts) else ():
            which = np.flatnonzero(counts == count)
            found += [(tokens[last[which] - back], of[which]) for back in range(1, count + 1)]
        return found

    def characters(self, keys: Keys) -> Numbers:
        """The word numbers of single characters (their code) and pairs (first code · 2²¹ + second)."""
        numbers = self._characters.find(keys.view(np.uint64))
        new = np.flatnonzero(numbers < 0)
        if len(new):
            distinct, inverse = np.unique(keys[new], return_inverse=True)
            made = np.arange(len(self.words), len(self.words) + len(distinct), dtype=np.int32)
            self.words += [
                chr(key) if key < 1 << CODE_BITS else chr(key >> CODE_BITS) + chr(key & (1 << CODE_BITS) - 1)
                for key in distinct.tolist()
            ]
            self._characters.add(distinct.view(np.uint64), made)
            numbers[new] = made[inverse]
        return numbers

    def terms(self, connection: apsw.Connection, used: Numbers) -> Numbers:
        """The term id of each word of the lexicon that is in `used`; new terms get one. 0: `STOP`, or not asked for."""
        grown = np.zeros(len(self.words), np.int32)
        grown[: len(self._terms)] = self._terms
        asked = used[(grown[used] == 0) & (used > 0)]
        found = []
        for number in asked.tolist():
            text = self.words[number]
            held = self._ids.get(text)
            if held is None and not self._knows_all:
                held = connection.execute("SELECT id FROM term WHERE text = ?", (text,)).get
            if held is None:
                held = self._last = self._last + 1
            self._ids[text] = held
            found.append(held)
        grown[asked] = found
        self._terms = grown
        return grown

    def write_stems(self, connection: apsw.Connection) -> None:
        """The stems of words that are new, where they are not the word itself."""
        for language in self._languages.values():
            self._write_stems(connection, language.name, language.fresh)
            language.fresh = []

    def _write_stems(self, connection: apsw.Connection, language: str, words: list[str]) -> None:
        words = [word for word in words if word.isalpha() or not any(map(str.isdigit, word))]
        if not language:
            language, words = FALLBACK_LANGUAGE, [word for word in words if word.isascii()]
        if language not in ALGORITHMS or not words:
            return
        before = connection.total_changes()
        both = zip(stems(words, language, distinct=True), words, strict=True)
        found = sorted((stem, word) for stem, word in both if stem != word)
        connection.executemany("INSERT OR IGNORE INTO stem VALUES (?, ?, ?)", ((language, *pair) for pair in found))
        connection.execute(
            "INSERT INTO language VALUES (?, ?) ON CONFLICT (language) DO UPDATE SET words = words + excluded.words",
            (language, connection.total_changes() - before),
        )
