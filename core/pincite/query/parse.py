"""Reads a query. Any text is safe: what comes out are tokens, never syntax."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from itertools import pairwise

from pincite.query.fields import take_fields
from pincite.query.identifiers import identifier, isbn10
from pincite.query.words import Word, read_words
from pincite.values.query import Query, Term, TermKind

_QUOTED = re.compile(r"(?P<minus>(?<!\S)-)?[\"“”„«»](?P<inside>[^\"“”„«»]*)[\"“”„«»]")
_EXCLUDED = re.compile(r"(?<!\S)-(?=[^\W\d_])(?P<word>[^\s\"“”„«»]+)")
"""What begins with a digit is a number below zero, as in "stored at -80 °C"."""

_CALLED = {"doi": "DOI", "arxiv": "arXiv", "isbn": "ISBN"}

LONGEST = 10_000
"""Characters of a query that are read: a pasted book would take seconds."""


def parse(text: str, *, plainly: bool = False) -> Query:
    """What `text` asks for. Raises nothing, whatever the text. `plainly`: nothing in it is a field word or leaves a word out."""
    text = text[:LONGEST]
    known = identifier(text)
    number = known is not None and known[0] != "key"
    rest, fields = (text, take_fields("")[1]) if plainly or number else take_fields(text)
    if fields.understood:
        known = None
    excluded: list[Term] = []
    understood = list(fields.understood)
    if known is not None and known[0] in _CALLED:  # a key is a guess
        understood.append(f"{_CALLED[known[0]]} {known[1]}")

    def exclude(inside: str) -> str:
        terms = _quoted(inside)
        excluded.extend(terms)
        if terms:
            understood.append(f"without {inside.strip()}")
        return " "

    def words_of(piece: str) -> str:
        return piece if plainly else _EXCLUDED.sub(lambda match: exclude(match["word"]), piece)

    def left_in(match: re.Match[str]) -> str:
        return exclude(match["inside"]) if match["minus"] and not plainly else match[0]

    quoted_out = _QUOTED.sub(left_in, rest)
    pieces: list[tuple[str, bool]] = []
    done = 0
    for match in _QUOTED.finditer(quoted_out):
        pieces += [(quoted_out[done : match.start()], False), (match["inside"], True)]
        done = match.end()
    pieces.append((quoted_out[done:], False))
    pieces = [(piece if quoted else words_of(piece), quoted) for piece, quoted in pieces]

    terms: list[Term] = []
    typing = bool(rest) and rest[-1].isalnum() and text[-1:] == rest[-1]
    for index, (piece, quoted) in enumerate(pieces):
        last = index == len(pieces) - 1
        terms += _quoted(piece) if quoted else _unquoted(read_words(piece), typing and last)
    if known is not None and known[0] == "isbn":
        terms.append(_book(known[1]))
    for value, _ in fields.titles:
        terms += [_in_title(word) for word in read_words(value)]
    kept = _distinct(terms)
    words = " ".join(f'"{piece.strip()}"' if quoted else piece.strip() for piece, quoted in pieces if piece.strip())
    titles = " ".join(value for value, _ in fields.titles)
    semantic = " ".join(" ".join([*(piece for piece, _ in pieces), titles]).split())
    return Query(
        text=text,
        words=words,
        terms=kept,
        semantic=semantic,
        filter=fields.filter(),
        excluded=tuple(excluded),
        identifier=known,
        understood=tuple(understood),
    )


def _unquoted(words: list[Word], typing: bool) -> list[Term]:
    """Words, then a pair for each two that stood next to each other."""
    terms: list[Term] = []
    for index, word in enumerate(words):
        terms.append(word.term(prefix=typing and index == len(words) - 1))
    for first, second in pairwise(words):
        if not (first.spaceless or second.spaceless or first.ends):
            pair = (first.parts[-1], second.parts[0])
            typed = typing and second is words[-1] and len(second.parts) == 1
            terms.append(Term(TermKind.PHRASE, " ".join(pair), pair, prefix=typed))
    return terms


def _quoted(inside: str) -> list[Term]:
    """One word is exact, several are a phrase; with a script without spaces among them, each run is a term."""
    words = read_words(inside)
    if any(word.spaceless for word in words):
        return [word.term(exact=not word.spaceless, quoted=True) for word in words]
    parts = tuple(part for word in words for part in word.parts)
    if len(parts) > 1:
        return [Term(TermKind.PHRASE, " ".join(parts), parts, quoted=True)]
    return [word.term(exact=True, quoted=True) for word in words]


def _book(isbn: str) -> Term:
    """A book by either of its numbers: which one a library holds is not known."""
    ten = isbn10(isbn).lower()
    return Term(TermKind.WORD, isbn, exact=True, variants=(ten,) if ten else ())


def _in_title(word: Word) -> Term:
    return dataclasses.replace(word.term(), column="title")


def _distinct(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Each term once, counted: the quoted form of a pair and the exact form of a prefix win."""
    best: dict[tuple[TermKind, str, str], Term] = {}
    for term in terms:
        key = (term.kind, term.text, term.column)
        held = best.get(key)
        if held is None:
            best[key] = term
        else:
            better = (held.prefix and not term.prefix) or (term.quoted and not held.quoted)
            best[key] = dataclasses.replace(term if better else held, count=held.count + term.count)
    return tuple(best.values())
