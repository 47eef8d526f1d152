"""What a text says of a query's words, and how much of it each sentence says (specs/19-sentences.md)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.text.marks import DEFAULT_LANGUAGE, matches, wanted
from pincite.text.normalise import normalise
from pincite.text.scripts import spaceless
from pincite.values.query import Query, TermKind
from pincite.values.search import Quotable, Sought

SHORT_WORD = 0.25
"""What a word of up to three letters counts, which is mostly grammar, and in another language another word. Chosen by
tests/benchmarks/sentences.py."""

Compounds = Sequence[tuple[str, tuple[str, ...]]]

_WORD = re.compile(r"[^\W_]+")


def said_words(sought: Sequence[Sought], compounds: Compounds, text: str) -> frozenset[str]:
    """The words among those sought that `text` says in any form. Twenty times as fast as finding their places (`marks.matches`).

    `compounds`: those of the query, with their parts (`compounds_of`).
    """
    flat = normalise(text).text
    said = set(_WORD.findall(flat))
    said.update(whole for whole, parts in compounds if said.issuperset(parts))
    return frozenset(one.word for one in sought if _says(one.forms, said, flat))


def with_forms(sought: Sequence[Sought], query: Query, texts: Iterable[str], language: str) -> tuple[Sought, ...]:
    """The words sought, each also in the forms (by stem, by prefix) that these texts say it in: texts that no index has seen."""
    said = {word for text in texts for word in _WORD.findall(normalise(text).text)}
    looked_for = wanted(query, language or DEFAULT_LANGUAGE)
    forms: dict[str, set[str]] = {}
    for word in said:
        if met := looked_for.met(word, language or DEFAULT_LANGUAGE):
            forms.setdefault(met, set()).add(word)
    return tuple(replace(one, forms=one.forms | forms[one.word]) if one.word in forms else one for one in sought)


def compounds_of(query: Query) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The query's compounds ("gpt-4"): the whole ("gpt4") and its parts."""
    return tuple((term.text, term.parts) for term in query.terms if term.kind is TermKind.WORD and term.parts)


def shares(query: Query, passage: Quotable) -> list[float]:
    """For each sentence the share of the query (0 to 1) that its words carry; a word counts by how few of the sentences say it, and one
    that none says counts the most."""
    parts = [passage.text[start:end] for start, end in passage.sentences]
    if passage.sought:
        compounds = compounds_of(query)
        held = [said_words(passage.sought, compounds, part) for part in parts]
        wanted = {one.word for one in passage.sought}
    else:
        held = [frozenset(word for _, _, word in matches(query, part, passage.language)) for part in parts]
        wanted = {term.text for term in query.terms if term.kind is not TermKind.PHRASE or term.quoted}
    weight = {}
    for word in sorted(wanted):
        rarity = math.log(1 + len(parts) / max(0.5, sum(word in words for words in held)))
        weight[word] = rarity * (SHORT_WORD if len(word) <= 3 and word.isascii() else 1.0)
    whole = sum(weight.values())
    return [sum(weight.get(word, 0.0) for word in sorted(words)) / whole if whole else 0.0 for words in held]


def _says(forms: frozenset[str], said: set[str], flat: str) -> bool:
    if not forms.isdisjoint(said):
        return True
    return not flat.isascii() and any(form in flat for form in forms if spaceless(form))
