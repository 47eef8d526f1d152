"""Names of people and bodies in BibTeX's three forms.

Source: N. Markey, Tame the BeaST (https://ctan.org/pkg/tamethebeast), section 11; biblatex manual 2.3.3 for
``family=…, given=…``.
"""

from __future__ import annotations

import re

from pincite.metadata.bibtex.latex import latex_to_text
from pincite.values.library import Creator


def read_names(value: str, role: str) -> tuple[Creator, ...]:
    """The creators of an ``author`` field or one like it. A name wholly in braces is a body's and is kept in one piece;
    "others" is left out."""
    names = (part.strip() for part in _split(value, _AND))
    return tuple(creator for name in names if (creator := _name(name, role)) is not None)


_AND = re.compile(r"\s+and\s+(?=\S)|\s+and$", re.IGNORECASE)
_EXTENDED = re.compile(r"^(family|given|prefix|suffix|useprefix)(?:-i)?\s*=", re.IGNORECASE)


def _split(value: str, separator: re.Pattern[str]) -> list[str]:
    """Cuts at a separator outside braces."""
    if "{" not in value and "\\" not in value:
        return separator.split(value)
    parts: list[str] = []
    depth = start = at = 0
    while at < len(value):
        char = value[at]
        if char == "\\":
            at += 2
            continue
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif depth <= 0 and (found := separator.match(value, at)):
            parts.append(value[start:at])
            start = at = found.end()
            continue
        at += 1
    parts.append(value[start:])
    return parts


def _name(name: str, role: str) -> Creator | None:
    if name.lower() in ("", "and", "others"):
        return None
    if _whole(name):
        return _creator(name, "", role)
    parts = [part.strip() for part in _split(name, re.compile(r","))]
    if any(_EXTENDED.match(part) for part in parts):
        return _extended(parts, role)
    if len(parts) >= 3:  # von Last, Jr, First
        return _creator(f"{parts[0]} {parts[1]}" if parts[1] else parts[0], " ".join(parts[2:]), role)
    if len(parts) == 2:  # von Last, First
        return _creator(parts[0], parts[1], role)
    words = [word for word in _split(name, re.compile(r"[\s~]+")) if word]
    if not words:
        return None
    # First von Last: von are the words in lower case before the last one; without any, the last word is the family name
    start = len(words) - 1
    lower = [at for at in range(len(words) - 1) if _is_lower(words[at])]
    if lower:
        start = lower[0]
    return _creator(" ".join(words[start:]), " ".join(words[:start]), role)


def _extended(parts: list[str], role: str) -> Creator | None:
    found = {
        key.strip().lower(): value.strip().strip('"')
        for key, _, value in (part.partition("=") for part in parts)
        if value
    }
    family = " ".join(part for part in (found.get("prefix", ""), found.get("family", "")) if part)
    if found.get("suffix"):
        family = f"{family} {found['suffix']}"
    return _creator(family, found.get("given", ""), role)


def _creator(family: str, given: str, role: str) -> Creator | None:
    family, given = latex_to_text(family), latex_to_text(given)
    if not family:
        family, given = given, ""
    return Creator(family, given, role) if family else None


def _whole(name: str) -> bool:
    """Whether one pair of braces holds the whole name."""
    if not (name.startswith("{") and name.endswith("}")):
        return False
    depth = 0
    for at, char in enumerate(name):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return at == len(name) - 1
    return False


def _is_lower(word: str) -> bool:
    if word.startswith("{") and not word.startswith("{\\"):
        return False
    letters = [char for char in latex_to_text(word) if char.isalpha()]
    return bool(letters) and letters[0].islower()
