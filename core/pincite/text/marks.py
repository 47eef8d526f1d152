"""Highlight marks: where a query's words stand in a sentence, in its own spelling. specs/19-sentences.md."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import field
from functools import lru_cache

from pincite.text.scripts import spaceless
from pincite.text.stems import stem
from pincite.text.tokens import tokens
from pincite.values.query import Query, Term, TermKind
from pincite.values.quick import dataclass

DEFAULT_LANGUAGE = "en"
"""Whose stems are taken where the sentence's language is not given: most scholarly prose is English, and on other
languages its rules seldom touch a word."""


@dataclass(frozen=True)
class Wanted:
    """What a query looks for in a sentence. Each entry leads to the query's own words."""

    words: dict[str, str] = field(default_factory=dict)
    prefixes: tuple[tuple[str, str], ...] = ()
    stems: dict[str, str] = field(default_factory=dict)
    sequences: tuple[tuple[tuple[str, ...], str], ...] = ()
    grams: dict[str, str] = field(default_factory=dict)

    def met(self, text: str, language: str) -> str:
        """The query's word that a token's text stands for, or ""."""
        if found := self.words.get(text) or self.grams.get(text):
            return found
        for prefix, word in self.prefixes:
            if text.startswith(prefix):
                return word
        return self.stems.get(stem(text, language), "") if self.stems else ""


@lru_cache(maxsize=256)
def wanted(query: Query, language: str = DEFAULT_LANGUAGE) -> Wanted:
    """What to look for. Words of a quoted phrase count only in a row; all else counts alone."""
    found = Wanted()
    prefixes: list[tuple[str, str]] = []
    sequences: list[tuple[tuple[str, ...], str]] = []
    for term in query.terms:
        if term.kind is TermKind.WORD:
            _take_word(term, language, found, prefixes, sequences)
        elif term.kind is TermKind.CJK:
            found.grams.update(dict.fromkeys(term.parts or (term.text,), term.text))
            found.grams.update(dict.fromkeys(term.variants, term.text))
        elif term.quoted:
            sequences.append((term.parts, term.text))
    return Wanted(found.words, tuple(prefixes), found.stems, tuple(sequences), found.grams)


def _take_word(
    term: Term,
    language: str,
    found: Wanted,
    prefixes: list[tuple[str, str]],
    sequences: list[tuple[tuple[str, ...], str]],
) -> None:
    found.words[term.text] = term.text
    if term.prefix:
        prefixes.append((term.text, term.text))
    if term.parts:
        sequences.append((term.parts, term.text))
        for part in term.parts:
            if len(part) > 1 and not part.isdigit():
                found.words.setdefault(part, term.text)
                found.stems.setdefault(stem(part, language), term.text)
    elif not term.exact:
        found.words.update(dict.fromkeys(term.variants, term.text))
        found.stems.setdefault(stem(term.text, language), term.text)


def matches(query: Query, text: str, language: str = "") -> list[tuple[int, int, str]]:
    """Each place of `text` that a query's word stands at: (start, end, the query's word), by start; places may overlap."""
    language = language or DEFAULT_LANGUAGE
    looked_for = wanted(query, language)
    found: list[tuple[int, int, str]] = []
    read = tokens(text)
    for token in read:
        if word := looked_for.met(token.text, language):
            found.append((token.start, token.end, word))
    if looked_for.sequences:
        parts = [token for token in read if not token.whole]
        texts = [token.text for token in parts]
        for sequence, word in looked_for.sequences:
            for at in range(len(texts) - len(sequence) + 1):
                if tuple(texts[at : at + len(sequence)]) == sequence:
                    found.append((parts[at].start, parts[at + len(sequence) - 1].end, word))
    return sorted(found)


def marks(
    query: Query, sentence: str, ubiquitous: Set[str] = frozenset(), language: str = ""
) -> tuple[tuple[int, int], ...]:
    """The spans [start, end) of `sentence` that say the query's words, rising, without overlap.

    A prefix marks the whole word that it begins. `ubiquitous` are words that most passages hold: they stay unmarked, unless
    the query has no others. `language` (ISO 639-1) is the sentence's.
    """
    found = matches(query, sentence, language)
    if ubiquitous and any(term.text not in ubiquitous for term in query.terms if term.kind is not TermKind.PHRASE):
        found = [match for match in found if match[2] not in ubiquitous]
    spans: list[tuple[int, int]] = []
    for start, end, _ in found:
        if spans and (start < spans[-1][1] or (start == spans[-1][1] and _spaceless(sentence[start - 1 : start + 1]))):
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif end > start:
            spans.append((start, end))
    return tuple(spans)


def _spaceless(pair: str) -> bool:
    return all(_is_spaceless(char) for char in pair)


@lru_cache(maxsize=4096)
def _is_spaceless(char: str) -> bool:
    return spaceless(char)
