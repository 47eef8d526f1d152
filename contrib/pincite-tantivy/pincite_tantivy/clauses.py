"""From a query's terms to tantivy's: one clause a word, flat, so that tantivy can skip what cannot matter (block-max WAND)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence

import tantivy

from pincite.text.stems import stem
from pincite.values.query import Query, Term, TermKind
from pincite.values.quick import dataclass
from pincite_tantivy.often import Formula, Often

WEIGHTS = {"words": 1.0, "reference": 0.25}
"""What a mention counts in each field, times its rarity there."""

EXACT, STEM = 0.2, 0.8
"""Of what a word counts, what an exact mention adds to one in any form: a word without other forms counts as much as one that has them."""

RARER = 0.25
"""To this power of its rarity a word counts besides: to 1.25 in all."""

VARIANT = 0.7
LONGER = 0.5
COMPOUND = 0.5
CHARACTER = 0.4
AMONG_RUNS = 2.0
LONGER_WORDS = 50
QUOTED = 1.0
"""As in the built-in ranker (specs/17-lexical-ranking.md)."""

PAIR = 0.05
RAREST_PAIRS = 8
MOST_FREQUENT = 2_000

KEPT_WORDS, KEPT_TERMS = 20_000, 2_000
"""Words whose row counts, and terms whose clauses, are remembered between queries: who types asks for the same ones again and again."""

SHOULD = tantivy.Occur.Should
Scored = tuple[tantivy.Query, float]


@dataclass(frozen=True, slots=True)
class Clause:
    """What one word of the query is looked for by: `searched` by tantivy's postings alone, `often` by the column as well. `top`: its rarity
    times its weight, of which mentions add at most 2.2 times."""

    word: str
    scored: tuple[Scored, ...]
    searched: tuple[Scored, ...]
    often: tuple[Formula, ...]
    top: float
    forms: tuple[str, ...]
    df: int


class Clauses:
    """Makes clauses for one state of the index. `languages`: those whose stems are looked for."""

    def __init__(
        self, schema: tantivy.Schema, searcher: tantivy.Searcher, languages: Sequence[str], often: Often
    ) -> None:
        self._schema = schema
        self._searcher = searcher
        self._languages = languages
        self.often = often
        self._df: Callable[[str, str], int] = functools.lru_cache(KEPT_WORDS)(searcher.doc_freq)
        self._kept: Callable[[Term, float], tuple[Clause, ...]] = functools.lru_cache(KEPT_TERMS)(
            lambda term, weight: tuple(self._of_term(term, weight))
        )
        self._last: tuple[Query, list[Clause]] | None = None

    def of(self, query: Query) -> Sequence[Clause]:
        """A clause for each word, part of a compound, pair and character; one that the index does not have has nothing to score by."""
        if self._last is None or self._last[0] is not query:  # who searches asks several things of one query
            self._last = query, self._of(query)
        return self._last[1]

    def _of(self, query: Query) -> list[Clause]:
        found: dict[str, Clause] = {}
        share = AMONG_RUNS if any(term.kind is TermKind.CJK for term in query.terms) else 1.0
        for term in query.terms:
            for clause in self._kept(term, share * term.count):
                if clause.word not in found or found[clause.word].top < clause.top:
                    found[clause.word] = clause
        return list(found.values())

    def _of_term(self, term: Term, weight: float) -> Iterable[Clause]:
        """`weight`: of a word."""
        if term.kind is TermKind.WORD and not term.parts:
            yield self._word(term.text, weight, term)
        elif term.kind is TermKind.WORD:
            for text in (term.text, *term.parts):
                yield self._word(text, COMPOUND * weight, None)
        elif term.kind is TermKind.CJK and not (term.quoted and len(term.parts) > 1):
            for text in term.parts or (term.text,):
                yield self._clause(text, [(text, 1.0)], (), 1.0)
            for text in term.variants:
                yield self._clause(text, [(text, 1.0)], (), 1.0)
            for text in dict.fromkeys(term.text) if term.parts else ():
                yield self._clause(text, [(text, 1.0)], (), CHARACTER)

    def _word(self, text: str, weight: float, term: Term | None) -> Clause:
        forms = [(text, 1.0)]
        if term is not None and term.exact:
            return self._clause(text, forms, (), weight)
        if term is not None:
            forms += [(variant, VARIANT) for variant in term.variants]
            if term.prefix:
                longer = self._searcher.terms_with_prefix("words", text)
                longer = sorted(longer, key=lambda pair: (-pair[1], pair[0]))[:LONGER_WORDS]
                forms += [(other, LONGER) for other, _ in longer if other != text]
        stemmed = () if any(map(str.isdigit, text)) else {stem(text, language) for language in self._languages}
        return self._clause(text, forms, sorted(stemmed), weight)

    def _clause(self, word: str, forms: Sequence[tuple[str, float]], stemmed: Sequence[str], weight: float) -> Clause:
        """`forms`: the word itself first, each with what it counts."""
        held = [
            (name, text, factor * WEIGHTS[name]) for text, factor in forms for name in WEIGHTS if self._df(name, text)
        ]
        most = max((self._df(name, text) for name, text, _ in held), default=0)
        # as many rows: no other form of it is there
        stems = [text for text in stemmed if self._df("stem", text) > (most if len(stemmed) == 1 else 0)]
        scored: list[Scored] = []
        searched: list[Scored] = []
        often: list[Formula] = []
        top, stem_top = 0.0, 0.0
        for name, text, counts in held:
            exact = EXACT if stems and text == word else 1.0
            one, adds = self._scored(name, text, weight * counts * exact)
            formula = self.often.formula(text, *one) if name == "words" and text in self.often else None
            scored.append(one)
            if formula is None:
                searched.append(one)
            else:
                often.append(formula)
            top = max(top, adds)
        for text in stems:
            one, adds = self._scored("stem", text, weight * STEM)
            scored.append(one)
            searched.append(one)
            stem_top = max(stem_top, adds)
            most = max(most, self._df("stem", text))
        written = tuple(text for text, _ in forms)
        return Clause(word, tuple(scored), tuple(searched), tuple(often), top + stem_top, written, most)

    def _scored(self, name: str, text: str, weight: float) -> tuple[Scored, float]:
        """A term that counts so much, and what a mention adds: tantivy's own score goes by the rarity to the power of 1."""
        idf = self.idf(self._df(name, text))
        weight *= idf**RARER
        return (self._term(name, text), weight), weight * idf

    def idf(self, df: int) -> float:
        """As tantivy has it: ln(1 + (N − df + 0.5)/(df + 0.5))."""
        count = max(self._searcher.num_docs, df)
        return math.log1p((count - df + 0.5) / (df + 0.5))

    def quoted(self, query: Query) -> list[Scored]:
        """What quoted phrases add, besides the rarity of each of their words."""
        return [
            (self.exactly(term), QUOTED * sum(self._rarity(self._df("words", part)) for part in term.parts))
            for term in query.terms
            if term.quoted and len(term.parts) > 1
        ]

    def pairs(self, query: Query) -> list[Scored]:
        """What neighbouring words add that stand together: little, and the rarest alone."""
        found = []
        for term in query.terms:
            if term.kind is TermKind.PHRASE and not term.quoted:
                counts = [self._df("words", part) for part in (term.parts[:1] if term.prefix else term.parts)]
                if 0 < min(counts) <= MOST_FREQUENT and max(counts) <= max(
                    MOST_FREQUENT, self._searcher.num_docs // 10
                ):
                    found.append((min(counts), max(counts), term))
        return [
            (self.exactly(term), PAIR * self._rarity(commoner))
            for _, commoner, term in sorted(found, key=lambda pair: (pair[0], pair[2].text))[:RAREST_PAIRS]
        ]

    def exactly(self, term: Term) -> tantivy.Query:
        """The rows that hold a term as it is: a word or compound, a phrase in order, a run's characters."""
        names = ["title" if term.column == "title" else "words"] if term.column else WEIGHTS
        return any_of([one for name in names for one in self._exactly(term, name)])

    def _exactly(self, term: Term, name: str) -> list[tantivy.Query]:
        found = []
        if len(term.parts) > 1:
            words = list(term.parts)
            prefix = term.prefix and term.kind is TermKind.PHRASE
            found.append(
                (tantivy.Query.phrase_prefix_query if prefix else tantivy.Query.phrase_query)(self._schema, name, words)
            )
        elif term.parts:
            found.append(self._term(name, term.parts[0]))
        if term.kind is TermKind.WORD or not term.parts:
            found.append(self._term(name, term.text))
            if term.prefix:
                longer = [text for text, _ in self._searcher.terms_with_prefix(name, term.text)]
                if longer:
                    found.append(tantivy.Query.term_set_query(self._schema, name, longer))
        return found

    def _term(self, name: str, text: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, name, text, index_option="freq")

    def _rarity(self, df: int) -> float:
        return self.idf(df) ** (1 + RARER)


def any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    """What any of the queries finds; their scores are added up."""
    return queries[0] if len(queries) == 1 else tantivy.Query.boolean_query([(SHOULD, query) for query in queries])
