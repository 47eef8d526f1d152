"""A stretch of a document as a person reads it on a screen: on one line, words broken at a line end joined again."""

from __future__ import annotations

import re
import unicodedata

_BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad][ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
_SOFT = str.maketrans("", "", "\u00ad\u200b\ufeff")
_LIGATURES = re.compile("[\ufb00-\ufb06]")


def readable(text: str) -> str:
    """For display only: offsets do not hold in it. Leading and trailing space is kept as one space.

    A hyphen at a line end goes where the next line goes on in lower case ("typi-\\ncal"), and stays otherwise
    ("Navier-\\nStokes"). Soft hyphens go, ligatures become letters, what cannot be shown becomes a space.
    """
    joined = _BROKEN.sub(lambda found: "" if text[found.end()].islower() else "-", text)
    joined = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found.group()), joined.translate(_SOFT))
    shown = "".join(char if char.isprintable() else " " for char in joined)
    return _SPACE.sub(" ", shown)
