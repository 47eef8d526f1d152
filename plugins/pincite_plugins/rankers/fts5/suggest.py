"""Suggestions for a word that the library does not have, from the library's own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from pincite.values.query import Query, TermKind
from pincite_plugins.rankers.fts5.concepts import Concept

SHORTEST = 4
"""Letters of a word that is worth correcting: shorter ones are too near to too many."""

MOST = 3


def suggest(query: Query, concepts: Sequence[Concept], connection: apsw.Connection) -> dict[str, list[str]]:
    """Word of the query without any form in the library → up to `MOST` words of the library, nearest first."""
    missing = {concept.word for concept in concepts if not concept.forms}
    found: dict[str, list[str]] = {}
    for term in query.terms:
        correctable = term.kind is TermKind.WORD and not term.parts and not term.exact and term.text in missing
        if correctable and (near := nearest(term.text, connection)):
            found[term.text] = near
    return found


def nearest(word: str, connection: apsw.Connection) -> list[str]:
    """The library's words within one edit of `word`, or two where it has at least six letters; nearest first, then frequent."""
    if len(word) < SHORTEST or any(map(str.isdigit, word)):
        return []
    best: dict[str, tuple[int, int]] = {}
    for text, df in _known(_one_edit(word), connection):
        best[text] = (1, -df)
    if len(word) >= 6 and len(best) < MOST:
        reach = connection.execute(
            "SELECT text, df + items FROM term WHERE text > ? AND text < ? AND length(text) BETWEEN ? AND ?",
            (word[:2], word[:2] + "\U0010ffff", len(word) - 2, len(word) + 2),
        )
        for text, df in reach:
            if text not in best and distance(word, text, 2) <= 2:
                best[text] = (2, -df)
    best.pop(word, None)
    return sorted(best, key=lambda text: (best[text], text))[:MOST]


def _known(words: Iterable[str], connection: apsw.Connection) -> list[tuple[str, int]]:
    found = []
    for word in words:
        row = connection.execute("SELECT text, df + items FROM term WHERE text = ?", (word,)).fetchone()
        if row:
            found.append((row[0], row[1]))
    return found


def _one_edit(word: str) -> set[str]:
    """Everything one deletion, transposition, replacement or insertion away (Norvig, P. (2007): How to write a spelling
    corrector), with the letters of the word's own alphabet."""
    letters = "abcdefghijklmnopqrstuvwxyz" if word.isascii() else _alphabet(word)
    splits = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    edits = {left + right[1:] for left, right in splits if right}
    edits |= {left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1}
    edits |= {left + letter + right[1:] for left, right in splits if right for letter in letters}
    edits |= {left + letter + right for left, right in splits for letter in letters}
    return edits


def _alphabet(word: str) -> str:
    """The lower-case letters around those of a word: the 64 code points of its first letter's block half."""
    start = ord(next((char for char in word if not char.isascii()), "a")) & ~0x3F
    return "".join(chr(code) for code in range(start, start + 0x40) if chr(code).isalpha())


def distance(one: str, other: str, most: int) -> int:
    """Edits between two words, neighbours swapped being one (Damerau 1964); `most` + 1 where there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if previous and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, previous[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
