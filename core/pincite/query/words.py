"""The words of a query as the tokeniser sees them, with what a ranker needs to find their other forms."""

from __future__ import annotations

import dataclasses
import re
import unicodedata

from pincite.text.normalise import normalise
from pincite.text.runs import LONGEST, STRETCHES, Kind, Piece, pieces, plain
from pincite.text.scripts import holds_cjk, spaceless
from pincite.values.query import Term, TermKind
from pincite.values.quick import dataclass

_STRETCH = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a compound or a run without spaces. `parts` are its tokens (a run's 2-grams); `spelled` keeps
    its accents; `ends` says that a sentence ends after it."""

    text: str
    parts: tuple[str, ...]
    spelled: str
    spaceless: bool = False
    ends: bool = False
    counted: str = ""

    def term(self, *, prefix: bool = False, exact: bool = False, quoted: bool = False) -> Term:
        """As a term of a query."""
        if self.spaceless:
            counted = (self.counted,) if self.counted else ()
            return Term(TermKind.CJK, self.text, self.parts, quoted=quoted, variants=counted)
        parts = self.parts if len(self.parts) > 1 or self.parts[0] != self.text else ()
        variants = () if exact else variants_of(self.text, self.spelled)
        return Term(TermKind.WORD, self.text, parts, prefix, exact, quoted, variants, "" if parts else self.spelled)


def read_words(text: str) -> list[Word]:
    """The words of a text in order."""
    normalised = normalise(text)
    as_spelled = normalised.text == text.lower()
    words: list[Word] = []
    for stretch in _STRETCH.finditer(normalised.text.translate(STRETCHES)):
        if plain(stretch[0]):
            word = stretch[0][:LONGEST]
            spelled = stretch[0] if as_spelled else _spelled(text, normalised.source_span(*stretch.span()))
            words.append(Word(word, (word,), spelled))
            continue
        found = [piece for piece in pieces(stretch[0]) if not _beside(piece)]
        before: Piece | None = None
        while found:
            piece = found[0]
            if piece.kind is Kind.STOP:
                if words:
                    words[-1] = _ended(words[-1])
                taken = 1
            elif spaceless(piece.text):
                taken = _run_length(found)
                counted = before is not None and before.end == piece.start and before.text.isdecimal()
                words.append(_run(stretch[0], found[:taken], before.text if before and counted else ""))
            else:
                taken, whole, parts = _word(found)
                low = stretch.start() + piece.start
                high = stretch.start() + found[taken - 1].end
                spelled = _spelled(text, normalised.source_span(low, high))
                words.append(Word(whole, parts, spelled))
            before = found[taken - 1]
            found = found[taken:]
    return words


def _beside(piece: Piece) -> bool:
    """Single characters and counted ones of a run without spaces: the run itself leads to them."""
    return piece.kind is Kind.WHOLE and spaceless(piece.text[-1])


def _ended(word: Word) -> Word:
    return dataclasses.replace(word, ends=True)


def _run_length(found: list[Piece]) -> int:
    """How many pieces at the head of `found` make up one run: the 2-grams and the last unit."""
    end = found[0].end
    count = 1
    for piece in found[1:]:
        if piece.start >= end or not spaceless(piece.text):
            break
        end = max(end, piece.end)
        count += 1
    return count


def _run(stretch: str, found: list[Piece], number: str) -> Word:
    text = stretch[found[0].start : found[-1].end]
    grams = tuple(piece.text for piece in found[:-1])
    # Thai and its like have no counted forms in the index
    counted = number + text[0] if number and holds_cjk(text[0]) else ""
    return Word(text, grams, "", spaceless=True, counted=counted)


def _word(found: list[Piece]) -> tuple[int, str, tuple[str, ...]]:
    """How many pieces a compound, whose whole comes after its parts, or a single word takes; its text; and its parts."""
    for index, piece in enumerate(found):
        if piece.kind is Kind.WHOLE and piece.parts == index and piece.start <= found[0].start:
            return index + 1, piece.text, tuple(part.text for part in found[:index])
        if piece.kind is Kind.STOP:
            break
    return 1, found[0].text, (found[0].text,)


def _spelled(text: str, span: tuple[int, int]) -> str:
    return unicodedata.normalize("NFC", text[span[0] : span[1]]).lower()


_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}


def variants_of(word: str, spelled: str) -> tuple[str, ...]:
    """Other foldings of a word: Müller is written Mueller, and Mueller stands for Müller, which folds to muller."""
    found = []
    if not spelled.isascii():
        if any(letter in spelled for letter in _UMLAUTS):
            found.append("".join(_UMLAUTS.get(letter, letter) for letter in spelled))
    elif len(word) > 4 and "e" in word:
        for pair, letter in (("ae", "a"), ("oe", "o"), ("ue", "u")):
            if pair in word and not re.search(f"[aeiouq]{pair}|{pair}$", word):
                found.append(word.replace(pair, letter))
    return () if not found else tuple(dict.fromkeys(variant for variant in found if variant != word))
