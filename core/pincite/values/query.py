"""What a person asked, read: terms for words, text for meaning, filters from field words."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from pincite.values.quick import dataclass
from pincite.values.search import Filter


class TermKind(StrEnum):
    """The kinds of term (reference: specs/06-query.md)."""

    WORD = "word"
    PHRASE = "phrase"
    CJK = "cjk"


@dataclass(frozen=True, slots=True)
class Term:
    """One term, normalised.

    WORD: `text` is one token; `prefix` marks the word still being typed; `exact` a quoted single word. A compound
    ("gpt-4") has the whole in `text` ("gpt4") and its `parts` ("gpt", "4"). `variants` are other spellings of
    the same word (Mueller, Muller). `spelled` is the word in lower case with its accents, for a stemmer.
    PHRASE: `parts` are its tokens in order; `quoted` says that the person asked for it (else it is a pair of
    neighbours). CJK: `text` is the run, `parts` its overlapping 2-grams (none for a single character). Scripts without
    spaces between words (Thai, Lao, Burmese, Khmer) are read in the same way. `variants` hold the number before it with its first
    character ("1998年"). `quoted` asks for the run as a whole.
    `count` is how often the query says it. `column` restricts the term to one column of the index ("title"), and then it must be met.
    """

    kind: TermKind
    text: str
    parts: tuple[str, ...] = ()
    prefix: bool = False
    exact: bool = False
    quoted: bool = False
    variants: tuple[str, ...] = ()
    spelled: str = ""
    column: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. `text` is what was typed; `words` what is left for ranking after field words and
    exclusions are taken out; `semantic` is the text an embedder is given ("" if there is none). `understood`
    reads back what was made of it. `excluded` are terms that an answer must not hold. `identifier` is set
    where the whole query is a DOI, ISBN, arXiv id or citation key: its kind ("doi", "isbn", "arxiv", "key")
    and normalised value. It is a guess for a key: words and terms are set as well.
    """

    text: str
    words: str = ""
    terms: tuple[Term, ...] = ()
    semantic: str = ""
    filter: Filter = field(default_factory=Filter)
    excluded: tuple[Term, ...] = ()
    identifier: tuple[str, str] | None = None
    understood: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Of what was typed alone: what a long query is made of takes longer to go through than what is remembered of it."""
        return hash(self.text)
