"""What a question asks for by its label ("Fig. 3", "Table S2", 图3), and whose caption has it."""

from __future__ import annotations

import functools
import re
from typing import Literal

from pincite.values.quick import dataclass
from pincite.values.search import ChunkKind

CAPTIONED = frozenset({ChunkKind.CAPTION, ChunkKind.TABLE})
"""Kinds of passage that may begin with a caption."""

Kind = Literal["figure", "table", "equation", "algorithm", "scheme", "box", "listing", "theorem"]

_NAMES: dict[Kind, str] = {
    "figure": r"fig(?:ure|ures|s|ura|uras)?|abb(?:ildung)?|рис(?:унок|унка|\.)?|图|圖|図|그림|شكل|الشكل|चित्र",
    "table": r"tab(?:le|les|elle|leau|la|s|ela)?|tbl|табл(?:ица|ице|\.)?|表|표|جدول|तालिका",
    "equation": r"eq(?:uation|uations|s|n)?|gleichung|formel|式|公式",
    "algorithm": r"alg(?:orithm|orithmus|orithme|o)?|算法",
    "scheme": r"scheme|schema",
    "box": r"box",
    "listing": r"listing",
    "theorem": r"theorem|lemma|satz|théorème|定理",
}
_KINDS = "|".join(f"(?P<{kind}>{names})" for kind, names in _NAMES.items())
_NUMBER = r"(?P<series>[A-Z](?=[.\-]?\d))?[.\-]?(?P<number>\d{1,3})(?P<more>(?:\.\d{1,3})*)"
_BEGINS = r"(?:(?<![^\W_])|(?=[\u3000-\u9fff\uac00-\ud7af]))"  # Han and Hangul are written without a space before
_DIGIT = re.compile(r"\d")
_LEAD = re.compile(r"\W*(?:(?:supplement(?:ary|al)|extended data|online|suppl?\.?)\s+)?", re.IGNORECASE)

EXACT, SAID, NEAR = 1.0, 0.35, 0.15
"""How much a passage gains that has the caption asked for, that speaks of it, or that has the caption next to it in number."""


@dataclass(frozen=True, slots=True)
class Label:
    """A numbered thing. `series` is the letter before its number ("S" of Table S2), `number` what follows it ("2", "3.1")."""

    kind: Kind
    series: str
    number: str

    def beside(self, other: Label) -> bool:
        """Whether the other one's number is the next or the one before."""
        if (self.kind, self.series) != (other.kind, other.series):
            return False
        mine, theirs = self.number.rpartition("."), other.number.rpartition(".")
        return mine[0] == theirs[0] and abs(int(mine[2]) - int(theirs[2])) == 1


@functools.cache
def _pattern() -> re.Pattern[str]:
    """Made for the first text with a digit in it: it is large, and most questions have none."""
    return re.compile(rf"{_BEGINS}(?:{_KINDS})\.?\s*\(?{_NUMBER}(?![\d])", re.IGNORECASE)


def labels_in(text: str) -> list[Label]:
    """The labels that a text names, in order."""
    return [_label(match) for match in _pattern().finditer(text)] if _DIGIT.search(text) else []


def caption_of(text: str) -> Label | None:
    """The label that a text begins with, as a caption does."""
    lead = _LEAD.match(text)
    match = _pattern().match(text, lead.end() if lead else 0)
    return _label(match) if match else None


def gain(wanted: list[Label], text: str, kind: ChunkKind) -> float:
    """What a passage of a kind gains by the labels that are wanted."""
    if not wanted:
        return 0.0
    own = caption_of(text) if kind in CAPTIONED else None
    best = 0.0
    for label in wanted:
        if own == label:
            return EXACT
        if own is not None and own.beside(label):
            best = max(best, NEAR)
    said = labels_in(text)
    return max(best, SAID if any(label in said for label in wanted) else 0.0)


def _label(match: re.Match[str]) -> Label:
    kind: Kind = next(kind for kind in _NAMES if match[kind])
    return Label(kind, (match["series"] or "").upper(), f"{int(match['number'])}{match['more'] or ''}")
