"""Phrases: what FTS5 itself is asked, by tokens in quotes and nothing else of its syntax."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import numpy as np

from pincite.values.query import Query, Term, TermKind
from pincite.values.search import Rows
from pincite_plugins.rankers.fts5.concepts import POWER, Vocabulary
from pincite_plugins.rankers.fts5.documents import Documents
from pincite_plugins.rankers.fts5.scoring import Bonus

PAIR = 0.05
"""What two neighbours of the query that stand together add, as a share of the lesser word's weight. Small: on scifact, cranfield
and cisi more than that makes rankings worse."""

RAREST_PAIRS = 8
MOST_FREQUENT = 2_000
"""Rows of the rarer word above which a pair is not looked for: it says little, and costs the most."""

COMMON = 0.1
"""Share of the rows above which a pair's other word makes it worth next to nothing."""

QUOTED = 1.0
"""What a quoted phrase adds, as a share of its words' weights together."""


def bonuses(query: Query, vocabulary: Vocabulary, documents: Documents, connection: apsw.Connection) -> list[Bonus]:
    """What quoted phrases, whole runs and neighbouring words add."""
    found: list[Bonus] = []
    pairs: list[tuple[int, Term]] = []
    for term in query.terms:
        if term.kind is TermKind.PHRASE and term.quoted:
            weight = QUOTED * sum(vocabulary.idf(vocabulary.df(part)) ** POWER for part in term.parts)
            found.append(_bonus(rows_of(term, connection), weight, documents))
        elif term.kind is TermKind.CJK and term.quoted and len(term.parts) > 1:
            weight = QUOTED * vocabulary.idf(min(vocabulary.df(part) for part in term.parts)) ** POWER
            found.append(_bonus(rows_of(term, connection), weight, documents))
        elif term.kind is TermKind.PHRASE:
            counts = [vocabulary.df(part) for part in (term.parts[:1] if term.prefix else term.parts)]
            rarer = min(counts)
            if 0 < rarer <= MOST_FREQUENT and max(counts) <= max(MOST_FREQUENT, COMMON * documents.count):
                pairs.append((rarer, term))
    for _, term in sorted(pairs, key=lambda pair: (pair[0], pair[1].text))[:RAREST_PAIRS]:
        known = term.parts[:1] if term.prefix else term.parts
        weight = PAIR * min(vocabulary.idf(vocabulary.df(part)) ** POWER for part in known)
        found.append(_bonus(rows_of(term, connection), weight, documents))
    return found


def _bonus(rows: Rows, weight: float, documents: Documents) -> Bonus:
    ordinals = documents.runs.ordinals(rows).astype(np.int32)
    return ordinals, np.full(len(ordinals), weight)


def rows_of(term: Term, connection: apsw.Connection) -> Rows:
    """The rows that hold a term exactly: a word (or a compound in either form), a phrase in order, a run's characters."""
    return _match(expression(term), connection)


def rows_of_any(terms: Sequence[Term], connection: apsw.Connection) -> Rows:
    """The rows that hold any of the terms."""
    return _match(" OR ".join(f"({expression(term)})" for term in terms), connection)


def expression(term: Term) -> str:
    """A term in the syntax of FTS5. Tokens never hold a quote: the tokeniser takes it for a separator."""
    if term.kind is TermKind.PHRASE or (term.kind is TermKind.CJK and term.parts):
        text = quoted(term.parts) + (" *" if term.prefix else "")
    elif term.parts:
        text = f"{quoted([term.text])} OR {quoted(term.parts)}"
    else:
        # a single character of a run is indexed as the beginning of a pair
        text = quoted([term.text]) + (" *" if term.prefix or term.kind is TermKind.CJK else "")
    return f"{term.column} : ({text})" if term.column else text


def quoted(tokens: Sequence[str]) -> str:
    """Tokens in a row."""
    return '"' + " ".join(token.replace('"', "") for token in tokens) + '"'


def _match(expression: str, connection: apsw.Connection) -> Rows:
    found = connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression,)).fetchall()
    return np.array([row for (row,) in found], np.int64)
