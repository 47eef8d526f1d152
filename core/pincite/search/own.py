"""How much of a query a text's own words carry: what is said in the passage itself, not in the title above it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pincite.text.wording import Compounds, said_words
from pincite.values.query import Query, TermKind
from pincite.values.quick import dataclass
from pincite.values.search import Sought

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Carried:
    """`share` of the query (0 to 1) by the weights of its words; `words` of the query that are met."""

    share: float
    words: frozenset[str]


def carried(sought: Sequence[Sought], compounds: Compounds, text: str) -> Carried:
    """What `text` carries of the words sought. `compounds`: those of the query (`pincite.text.wording.compounds_of`)."""
    met = said_words(sought, compounds, text)
    return Carried(_share(sought, met), met)


def carried_at_most(sought: Sequence[Sought], compounds: Compounds, terms: Collection[str]) -> float:
    """The share that a passage's own words carry at most, by the `terms` that the ranker of words met in it and its titles; all where it
    names none. A compound may be said by its parts, far from each other."""
    return _share(sought, {*terms, *(whole for whole, _ in compounds)}) if terms else 1.0


def _share(sought: Sequence[Sought], met: Collection[str]) -> float:
    whole = sum(one.weight for one in sought)
    return min(1.0, sum(one.weight for one in sought if one.word in met) / whole) if whole > 0 else 0.0


def without_title(text: str, title: str) -> str:
    """A text without its work's title, where it stands near its beginning, as on a first page."""
    words = [word.casefold() for word in _WORD.findall(title)]
    beginning = text[: 300 + len(title)]
    if len(words) < 2 or words[0] not in beginning.casefold():
        return text
    places = [place.span() for place in _WORD.finditer(beginning)]
    said = [beginning[start:end].casefold() for start, end in places]
    for at in range(len(said) - len(words) + 1):
        if said[at : at + len(words)] == words:
            return f"{text[: places[at][0]]} {text[places[at + len(words) - 1][1] :]}"
    return text


def with_unknown(query: Query, sought: Sequence[Sought]) -> tuple[Sought, ...]:
    """The words sought, and those that the library does not have at all: they count as much as the rarest, so that a passage never
    carries a query that it says one small word of."""
    known = {one.word for one in sought}
    most = max((one.weight for one in sought), default=1.0)
    missing = [one for one in plainly_sought(query) if one.word not in known]
    return (*sought, *(Sought(one.word, most, one.forms) for one in missing))


def plainly_sought(query: Query) -> tuple[Sought, ...]:
    """The query's words as they stand, each of the same weight: for a query that no lexical ranker knows."""
    found = []
    for term in query.terms:
        if term.kind is TermKind.WORD:
            found.append(Sought(term.text, 1.0, frozenset((term.text, *term.variants))))
        elif term.kind is TermKind.CJK:
            found += [Sought(part, 1.0, frozenset((part,))) for part in term.parts or (term.text,)]
    return tuple(found)
