"""Text as a person reads it on a screen: on one line, words broken at a line end joined again, with nothing that commands a terminal."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

_BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad][ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_JOINERS = ("\u200c", "\u200d")
_COMMANDS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Controls, ends of lines, and what turns the direction of all that follows."""


def readable(text: str) -> str:
    """For display only: offsets do not hold in it. Leading and trailing space is kept as one space.

    A hyphen at a line end goes where the next line goes on in lower case ("typi-\\ncal"), and stays otherwise
    ("Navier-\\nStokes"). Ligatures become letters, what cannot be shown becomes a space. Soft hyphens and other format characters go, but
    for the joiners that Persian and Indic scripts write with.
    """
    joined = _BROKEN.sub(lambda found: "" if text[found.end()].islower() else "-", text)
    joined = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found.group()), joined)
    if not joined.isprintable():
        joined = "".join(
            char if char.isprintable() else _instead(char, before) for before, char in pairwise(" " + joined)
        )
    return _SPACE.sub(" ", joined)


def visible(line: str) -> str:
    """A name or a message, unaltered but for what would command the terminal, which is written out: "\\x1b"."""
    return _COMMANDS.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), line)


def _instead(char: str, before: str) -> str:
    if unicodedata.category(char) != "Cf":
        return " "
    return (
        char if char in _JOINERS and unicodedata.category(before) in ("Lo", "Mn", "Mc") and before != "\ufe0f" else ""
    )
