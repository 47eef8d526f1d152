"""Words on their way into the index, by numbers: a stretch of text is looked at once, however often it comes."""

from __future__ import annotations

from array import array

import apsw
import numpy as np
import numpy.typing as npt

from pincite.text.stems import ALGORITHMS, stems
from pincite.text.tokens import INDEXED, STOP

LARGEST = 200_000
"""Stretches, or pairs of characters, that are remembered: some 80 MB."""

FALLBACK_LANGUAGE = "en"
"""Whose stems the ASCII words of a text in no known language get: titles are often too short to tell."""

Numbers = npt.NDArray[np.int32]
Keys = npt.NDArray[np.int64]


class Stretches(dict[str, int]):
    """Stretch of one language → its number in the lexicon."""

    def __init__(self, lexicon: Lexicon, language: str) -> None:
        super().__init__()
        self._lexicon = lexicon
        self._words: dict[str, int] = {STOP: 0}
        self.language = language
        self.fresh: list[str] = []  # words whose stems are not yet written

    def __missing__(self, stretch: str) -> int:
        lexicon = self._lexicon
        number = self[stretch] = len(lexicon.parts)
        parts, wholes = INDEXED[stretch]
        lexicon.parts.append(parts)
        get = self._words.get
        for word in f"{parts} {wholes}".split() if wholes else parts.split():
            at = get(word)
            if at is None:
                at = self._words[word] = len(lexicon.words)
                lexicon.words.append(word)
                self.fresh.append(word)
            lexicon.tokens.append(at)
        lexicon.ends.append(len(lexicon.tokens))
        if wholes:
            lexicon.wholes[number] = wholes
        return number


class Lexicon:
    """What has been met so far. `parts` and `wholes`: the tokens of each stretch, as FTS5 is given them. `words`: number 0 is `STOP`; a
    word has a number in each language, for its stem's sake."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.parts: list[str] = []
        self.wholes: dict[int, str] = {}
        self.words: list[str] = [STOP]
        self.tokens = array("i")  # word numbers, stretch after stretch
        self.ends = array("i")  # where the tokens of each stretch end
        self._languages: dict[str, Stretches] = {}
        self._characters: dict[int, int] = {}  # key of one or two characters → word number
        self._terms = np.zeros(1, np.int32)  # of each word; 0: not yet known
        self._ids: dict[str, int] = {}
        self._last = int(connection.execute("SELECT coalesce(max(id), 0) FROM (SELECT id FROM term)").get)
        self._knows_all = not self._last

    @property
    def full(self) -> bool:
        """Whether it is time for another."""
        return len(self.parts) >= LARGEST or len(self._characters) >= LARGEST

    def of(self, language: str) -> Stretches:
        """The numbers of a language's stretches."""
        found = self._languages.get(language)
        if found is None:
            found = self._languages[language] = Stretches(self, language)
        return found

    def spelled(self, numbers: Numbers) -> tuple[Numbers, Keys]:
        """The word numbers of stretches, one after another, and where each stretch's end among them."""
        ends = np.frombuffer(self.ends, np.int32).astype(np.int64)
        starts = np.concatenate([[0], ends[:-1]])
        counts = (ends - starts)[numbers]
        until = np.cumsum(counts)
        total = int(until[-1]) if len(until) else 0
        at = np.repeat(starts[numbers] - until + counts, counts) + np.arange(total)
        return np.frombuffer(self.tokens, np.int32)[at], until

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
        for stretches in self._languages.values():
            self._write_stems(connection, stretches.language, stretches.fresh)
            stretches.fresh = []

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
