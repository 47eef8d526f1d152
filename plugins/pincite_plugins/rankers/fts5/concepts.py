"""From a query's terms to concepts: for each, the terms of the index that say it and what each of them counts."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import apsw
import numpy as np

from pincite.text.stems import stems
from pincite.values.query import Query, Term, TermKind
from pincite.values.quick import dataclass
from pincite_plugins.rankers.fts5.documents import Documents
from pincite_plugins.rankers.fts5.postings import Ordinals, Postings

STEM = 0.6
"""What a mention of another form of the word counts (an exact one: 1)."""

VARIANT = 0.7
"""What another spelling counts (Mueller, Muller)."""

LONGER = 0.5
"""What a longer word counts for a prefix that is still being typed."""

COMPOUND = 0.5
"""The weight of a compound's whole, and of each of its parts."""

CHARACTER = 0.4
"""The weight of each single character of a run without spaces, beside its pairs (1): pairs alone cut many words in two."""

PAIR_NORM = 0.375
"""A pair's share of the length norm, which is a k1 of 0.6: to say a pair again says little more."""

AMONG_RUNS = 2.0
"""What a word or a number counts in a query with runs: it says as much as a run of three characters, which counts by its two pairs."""

LONGER_WORDS = 200
"""Longer words taken in for a prefix, the most frequent first."""

POWER = 1.1
"""Exponent of the inverse document frequency: a little over 1, for there is no stop-word list."""

LEAST_SHARE = 0.05
"""A word in more than half of the rows keeps this share of ln(1 + (N − df + 0.5)/(df + 0.5)), so that it still ranks."""


@dataclass(frozen=True, slots=True)
class Form:
    """A term of the index that says a concept."""

    term: int
    text: str
    factor: float
    df: int


@dataclass(frozen=True)
class Concept:
    """What one word of the query is looked for by. `idf` is of all its forms together; `weight` multiplies it;
    `norm` multiplies the documents' length norm."""

    word: str
    forms: tuple[Form, ...]
    weight: float
    idf: float
    norm: float = 1.0

    @property
    def top(self) -> float:
        """weight × idf^`POWER`: times k1 + 1, the most that it can add to a score."""
        return float(self.weight * self.idf**POWER)


KEPT_WORDS = 20_000
"""Words whose row counts and other forms are remembered between queries."""

FEWEST_WORDS = 0.02
"""A language counts whose stems are at least this share of the best represented one's: the rest is misread titles."""


class Vocabulary:
    """Looks up the index's words. The kind of row (items or the rest) that there is more of gives document frequencies."""

    def __init__(self, connection: apsw.Connection, documents: Documents, postings: Postings, use_stems: bool) -> None:
        self.connection = connection
        self.use_stems = use_stems
        self.languages = _languages(connection) if use_stems else ()
        self._documents = documents
        self._postings = postings
        self._total = max(documents.items, documents.texts)
        self._found: dict[str, tuple[int, int] | None] = {}
        self._same: dict[str, list[str]] = {}

    def df(self, text: str) -> int:
        """In how many rows of the larger kind a word stands."""
        found = self._look_up(text)
        return 0 if found is None else found[1]

    def idf(self, df: float) -> float:
        """ln((N − df + 0.5)/(df + 0.5)) (Robertson and Spärck Jones 1976), always over 0."""
        df = min(df, self._total)
        odds = (self._total - df + 0.5) / (df + 0.5)
        return max(math.log(odds), LEAST_SHARE * math.log1p(odds))

    def form(self, text: str, factor: float) -> Form | None:
        """A word as a form, or None where the index does not have it."""
        found = self._look_up(text)
        return None if found is None else Form(found[0], text, factor, found[1])

    def longer(self, prefix: str) -> list[Form]:
        """The words that begin with `prefix`, itself aside, most frequent first."""
        found = self.connection.execute(
            "SELECT text FROM term WHERE text > ? AND text < ? ORDER BY df + items DESC, text LIMIT ?",
            (prefix, prefix + "\U0010ffff", LONGER_WORDS),
        ).fetchall()
        self.know([text for (text,) in found])
        return [form for (text,) in found if (form := self.form(text, LONGER)) is not None]

    def same_stem(self, word: str) -> list[str]:
        """Other words of the library with the stem of `word`, in any of its languages."""
        if word not in self._same:
            found: dict[str, None] = {}
            for language in self.languages:
                (stem,) = stems([word], language)
                for (other,) in self.connection.execute(
                    "SELECT word FROM stem WHERE language = ? AND stem = ? AND word <> ?", (language, stem, word)
                ):
                    found.setdefault(other)
                if stem != word:
                    found.setdefault(stem)
            if len(self._same) >= KEPT_WORDS:
                self._same.clear()
            self._same[word] = list(found)
        return self._same[word]

    def know(self, texts: Sequence[str]) -> None:
        """Looks up several words in one."""
        unknown = [text for text in texts if text not in self._found]
        if len(unknown) < 2:
            return
        if len(self._found) + len(unknown) > KEPT_WORDS:
            self._found.clear()
        self._found.update(dict.fromkeys(unknown))
        for text, *counted in self.connection.execute(
            "SELECT text, id, df, items FROM term WHERE text IN (SELECT value FROM json_each(?))",
            (json.dumps(unknown),),
        ).fetchall():
            self._found[text] = self._alive(*counted)

    def _look_up(self, text: str) -> tuple[int, int] | None:
        """Term id and row count of a word, or None where no row holds it (any more)."""
        if text not in self._found:
            if len(self._found) >= KEPT_WORDS:
                self._found.clear()
            self._found[text] = self._counted(text)
        return self._found[text]

    def _counted(self, text: str) -> tuple[int, int] | None:
        row = self.connection.execute("SELECT id, df, items FROM term WHERE text = ?", (text,)).fetchone()
        return None if row is None else self._alive(*row)

    def _alive(self, term: int, texts: int, items: int) -> tuple[int, int] | None:
        """The term and its row count without the rows that are gone."""
        dead_items, dead_texts = self._documents.dead
        if len(dead_items) or len(dead_texts):
            ordinals = self._postings.of(term)[0]
            items -= _held(ordinals, dead_items)
            texts -= _held(ordinals, dead_texts)
        if not texts and not items:
            return None
        return term, texts if self._documents.texts >= self._documents.items else items


def _held(ordinals: Ordinals, wanted: Ordinals) -> int:
    """How many of `wanted` are among `ordinals`, which rise. (np.isin loads a module of masked arrays, which takes longer than this.)"""
    if not len(ordinals) or not len(wanted):
        return 0
    at = np.minimum(np.searchsorted(ordinals, wanted), len(ordinals) - 1)
    return int(np.count_nonzero(ordinals[at] == wanted))


def _languages(connection: apsw.Connection) -> tuple[str, ...]:
    counts = dict(connection.execute("SELECT language, words FROM language").fetchall())
    least = FEWEST_WORDS * max(counts.values(), default=0)
    return tuple(sorted(language for language, words in counts.items() if words >= least))


def concepts_of(query: Query, vocabulary: Vocabulary) -> list[Concept]:
    """A concept for each word, part of a compound and pair of characters; one that the index does not have has no forms."""
    found: dict[str, Concept] = {}
    share = AMONG_RUNS if any(term.kind is TermKind.CJK for term in query.terms) else 1.0
    vocabulary.know([text for term in query.terms if term.kind is TermKind.WORD for text in _texts(term, vocabulary)])
    for term in query.terms:
        if term.kind is TermKind.WORD:
            new = _of_word(term, share * term.count, vocabulary)
        elif term.kind is TermKind.CJK:
            new = _of_run(term, vocabulary)
        else:
            continue
        for concept in new:
            held = found.get(concept.word)
            if held is None or held.weight < concept.weight:
                found[concept.word] = concept
    return list(found.values())


def _of_word(term: Term, weight: float, vocabulary: Vocabulary) -> list[Concept]:
    if not term.parts:
        forms = _forms(term.text, term, vocabulary)
        return [_concept(term.text, forms, weight, vocabulary)]
    weight *= COMPOUND
    whole = [vocabulary.form(term.text, 1.0), *(vocabulary.longer(term.text) if term.prefix else ())]
    concepts = [_concept(term.text, whole, weight, vocabulary)]
    for part in term.parts:
        concepts.append(_concept(part, _forms(part, None, vocabulary), weight, vocabulary))
    return concepts


def _of_run(term: Term, vocabulary: Vocabulary) -> list[Concept]:
    """Each pair once, however often the query says it, and each character a little."""
    if not term.parts:
        return [_concept(term.text, [vocabulary.form(term.text, 1.0)], 1.0, vocabulary, PAIR_NORM)]
    vocabulary.know([*term.parts, *term.variants, *term.text])
    found = [
        _concept(text, [vocabulary.form(text, 1.0)], 1.0, vocabulary, PAIR_NORM)
        for text in (*term.parts, *term.variants)
    ]
    for character in dict.fromkeys(term.text):
        form = vocabulary.form(character, 1.0)
        if form is not None:
            found.append(_concept(character, [form], CHARACTER, vocabulary, PAIR_NORM))
    return found


def _forms(text: str, term: Term | None, vocabulary: Vocabulary) -> list[Form | None]:
    if term is not None and term.exact:
        return [vocabulary.form(text, 1.0)]
    forms = [vocabulary.form(text, 1.0)]
    forms += [vocabulary.form(variant, VARIANT) for variant in (term.variants if term is not None else ())]
    forms += [vocabulary.form(other, STEM) for other in _stemmed(text, vocabulary)]
    if term is not None and term.prefix:
        forms += vocabulary.longer(text)
    return forms


def _texts(term: Term, vocabulary: Vocabulary) -> list[str]:
    """What a word or compound is looked for by, its longer words aside."""
    words = term.parts or (() if term.exact else (term.text,))
    return [term.text, *term.parts, *term.variants, *(other for text in words for other in _stemmed(text, vocabulary))]


def _stemmed(text: str, vocabulary: Vocabulary) -> Sequence[str]:
    return vocabulary.same_stem(text) if vocabulary.use_stems and not any(map(str.isdigit, text)) else ()


def _concept(
    word: str, forms: Sequence[Form | None], weight: float, vocabulary: Vocabulary, norm: float = 1.0
) -> Concept:
    best: dict[int, Form] = {}
    for form in forms:
        if form is not None and (form.term not in best or best[form.term].factor < form.factor):
            best[form.term] = form
    idf = vocabulary.idf(_rows_of_any([form.df for form in best.values()])) if best else 0.0
    return Concept(word, tuple(best.values()), weight, idf, norm)


def _rows_of_any(dfs: list[int]) -> float:
    """An estimate of how many rows hold any form: between the most frequent form's rows and all of them together. Forms of one
    word share rows, and to count these would be to read every posting of every form first."""
    return (max(dfs) + sum(dfs)) / 2
