"""Formulas of Word on one line, as they are typed: a_1, x^2, (a+b)/c, √(x) (Office Open XML: ECMA-376 part 1, §22.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
Words = Callable[[Any], str]


def formula(element: Any, words: Words) -> str:
    """The line of a structure; `words` says what an element inside says."""
    part = {child.tag.removeprefix(M): words(child).strip() for child in element if isinstance(child.tag, str)}
    sub = f"_{_one(part['sub'])}" if part.get("sub") else ""
    sup = f"^{_one(part['sup'])}" if part.get("sup") else ""
    base = part.get("e", "")
    match element.tag.removeprefix(M):
        case "f":
            return f"{_one(part.get('num', ''))}/{_one(part.get('den', ''))}"
        case "sPre":
            return f"{sub}{sup} {base}"
        case "rad":
            return f"{part.get('deg', '')}√{_one(base)}"
        case "nary":
            return f"{_sign(element, 'naryPr', 'chr', '∫')}{sub}{sup} {base}"
        case "func":
            return f"{part.get('fName', '')} {base}"
        case "d":
            between = _sign(element, "dPr", "sepChr", "|").join(words(child) for child in element.iterchildren(f"{M}e"))
            return f"{_sign(element, 'dPr', 'begChr', '(')}{between}{_sign(element, 'dPr', 'endChr', ')')}"
        case "m":
            return "; ".join(", ".join(map(words, row)) for row in element.iterchildren(f"{M}mr"))
        case "eqArr":
            return "\n".join(map(words, element.iterchildren(f"{M}e")))
    return f"{base}{sub}{sup}"


STRUCTURES = frozenset(
    f"{M}{name}" for name in ("f", "sSub", "sSup", "sSubSup", "sPre", "rad", "nary", "func", "d", "m", "eqArr")
)


def _one(text: str) -> str:
    """A part in parentheses, unless it is one letter, word or number."""
    return text if text.isalnum() or len(text) == 1 else f"({text})"


def _sign(element: Any, properties: str, name: str, usual: str) -> str:
    found = element.find(f"{M}{properties}/{M}{name}")
    return usual if found is None else found.get(f"{M}val", "")
