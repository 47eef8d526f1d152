"""Words on their way into the index, by numbers: a stretch of text is looked at once, however often it comes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

import apsw
import numpy as np
import numpy.typing as npt

from pincite.text.segments import Hashes, Places, hash_of
from pincite.text.stems import ALGORITHMS, stems
from pincite.text.tokens import STOP, indexed
from pincite_plugins.rankers.fts5.spelling import BESIDE, change
from pincite_plugins.rankers.fts5.table import Numbers, Table

LARGEST = 200_000
"""Stretches, or pairs of characters, that are remembered: some 80 MB."""

FALLBACK_LANGUAGE = "en"
"""Whose stems the ASCII words of a text in no known language get: titles are often too short to tell."""

_SALT = 0xC2B2AE3D27D4EB4F
"""Times the number of a language: tells the same stretch of two languages apart (a prime of XXH64)."""

_FINAL = 0x165667B19E3779F9
"""Tells a token from the stretch of the same spelling, which may be cut further."""

_MASK = (1 << 64) - 1

Keys = npt.NDArray[np.int64]


class Language:
    """The words of one language: `salt` to their hashes, number of each, and those whose stems are not yet written."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.salt = number * _SALT & _MASK
        self.words: dict[str, int] = {STOP: 0}
        self.fresh: list[str] = []


class Lexicon:
    """What has been met so far. `parts` and `wholes`: the tokens of each stretch, as FTS5 is given them. `words`: number 0 is `STOP`; a
    word has a number in each language, for its stem's sake."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.parts: list[str] = []
        self.wholes: dict[int, str] = {}
        self.words: list[str] = [STOP]
        self._numbers = Table()  # of stretches, by salted hash
        self._changes = array("b")  # of each stretch: what FTS5 is given
        self._tokens = array("i")  # word numbers, stretch after stretch
        self._ends = array("i")  # where the tokens of each stretch end
        self._languages: dict[str, Language] = {}
        self._characters: dict[int, int] = {}  # key of one or two characters → word number
        self._terms = np.zeros(1, np.int32)  # of each word; 0: not yet known
        self._ids: dict[str, int] = {}
        self._last = int(connection.execute("SELECT coalesce(max(id), 0) FROM (SELECT id FROM term)").get)
        self._knows_all = not self._last

    @property
    def full(self) -> bool:
        """Whether it is time for another."""
        return len(self.parts) >= LARGEST or len(self._characters) >= LARGEST

    def of(self, language: str) -> Language:
        """A language by its code."""
        found = self._languages.get(language)
        if found is None:
            found = self._languages[language] = Language(language, len(self._languages))
        return found

    def numbers(self, hashes: Hashes, spelled: Callable[[Places], Iterable[tuple[str, Language]]]) -> Numbers:
        """The numbers of stretches by their salted hashes. `spelled`: the stretches at some places, and their languages."""
        numbers = self._numbers.find(hashes)
        new = np.flatnonzero(numbers < 0)
        if len(new):
            keys, first = np.unique(hashes[new], return_index=True)
            for key, (stretch, language) in zip(keys.tolist(), spelled(new[first]), strict=True):
                self._learn(key, stretch, *indexed(stretch), language)
            numbers[new] = self._numbers.find(hashes[new])
        return numbers

    def token(self, text: str, language: Language) -> int:
        """The number of a stretch that is one token."""
        key = (hash_of(text) + language.salt) & _MASK ^ _FINAL
        number = self._numbers.get(key)
        return self._learn(key, text, text, "", language) if number is None else number

    def _learn(self, key: int, stretch: str, parts: str, wholes: str, language: Language) -> int:
        number = len(self.parts)
        self._numbers.add(key, number)
        self.parts.append(parts)
        plain = parts == stretch and not wholes  # as most are
        self._changes.append(0 if plain else change(stretch, parts) | (BESIDE if wholes else 0))
        for word in (parts,) if plain else f"{parts} {wholes}".split():
            at = language.words.get(word)
            if at is None:
                at = language.words[word] = len(self.words)
                self.words.append(word)
                language.fresh.append(word)
            self._tokens.append(at)
        self._ends.append(len(self._tokens))
        if wholes:
            self.wholes[number] = wholes
        return number

    def changes(self, numbers: Numbers) -> npt.NDArray[np.int8]:
        """What FTS5 is given for each of some stretches."""
        return np.frombuffer(self._changes, np.int8)[numbers] if len(numbers) else np.empty(0, np.int8)

    def spelled(self, numbers: Numbers) -> tuple[Numbers, Keys]:
        """The word numbers of stretches, one after another, and how many each has."""
        ends = np.frombuffer(self._ends, np.int32)
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int32)
        counts = (ends - starts)[numbers]
        until = np.cumsum(counts, dtype=np.int64)
        total = int(until[-1]) if len(until) else 0
        at = np.repeat(starts[numbers] - until + counts, counts) + np.arange(total)
        return np.frombuffer(self._tokens, np.int32)[at], counts

    def characters(self, keys: Keys) -> Numbers:
        """The word numbers of single characters (their code) and pairs (first code · 2²¹ + second)."""
        distinct, inverse = np.unique(keys, return_inverse=True)
        numbers = []
        for key in distinct.tolist():
            number = self._characters.get(key)
            if number is None:
                number = self._characters[key] = len(self.words)
                self.words.append(chr(key) if key < 1 << 21 else chr(key >> 21) + chr(key & 0x1FFFFF))
            numbers.append(number)
        return np.array(numbers, np.int32)[inverse]

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
        found = sorted((stem, word) for stem, word in zip(stems(words, language), words, strict=True) if stem != word)
        connection.executemany("INSERT OR IGNORE INTO stem VALUES (?, ?, ?)", ((language, *pair) for pair in found))
        connection.execute(
            "INSERT INTO language VALUES (?, ?) ON CONFLICT (language) DO UPDATE SET words = words + excluded.words",
            (language, connection.total_changes() - before),
        )
