"""What is not text inside a text: inline tags, LaTeX commands, words broken at a line end.

`edits` finds such stretches with what they stand for; the normaliser applies them.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator

from pincite.text.fold import is_point
from pincite.text.symbols import LATEX, STYLING

_TAG = (
    r"</?(?:i|b|sub|sup|sc)>|</span>"
    r"""|<span\s(?:style="font-variant:\s?small-caps;?"|class="(?:nocase|smallcaps)")>"""
)
_LATEX = (
    r"""\\(?:(?P<accent>['"`^~=.])\{?(?P<letter>[A-Za-z])\}?"""
    r"|(?P<command>[A-Za-z]+)(?P<open>\*?\s?\{)?|(?P<sign>[^A-Za-z]))"
)
# A word broken at a line end; a running line number may stand alone between its halves. The hyphen comes first, and the letter before it
# is looked back at: characters that can begin a match are found five times as fast as places that follow a letter.
_BREAK = (
    r"(?P<hyphen>[-\u2010\u2011\u00ad])(?<=[^\W\d_].)[ \t]*\r?\n[ \t]*"
    r"(?:\d{1,4}[ \t]*\r?\n[ \t]*)?(?=(?P<next>[^\W_]))"
)


@functools.cache
def _find(tags: bool, latex: bool, breaks: bool) -> re.Pattern[str]:
    return re.compile("|".join(part for part, on in ((_TAG, tags), (_LATEX, latex), (_BREAK, breaks)) if on))


Edit = tuple[int, int, str, bool]
"""(start, end, replacement, whether a hyphen at a line end was taken out here)."""


def edits(text: str) -> Iterator[Edit]:
    """Every stretch to replace, in order, without overlap."""
    tags = "<" in text
    latex = "\\" in text
    breaks = "\n" in text and ("-" in text or "\u2010" in text or "\u2011" in text or "\u00ad" in text)
    if not (tags or latex or breaks):
        return
    for match in _find(tags, latex, breaks).finditer(text):
        found = match.groupdict()
        if found.get("hyphen"):
            joined = found["next"].isalpha() and not found["next"].isupper()
            yield match.start(), match.end(), "" if joined else "-", joined
        elif match[0][0] == "\\":
            yield match.start(), match.end(), _written(found), False
        else:
            yield match.start(), match.end(), "", False


def _written(found: dict[str, str | None]) -> str:
    """What a LaTeX command stands for."""
    if found["accent"]:
        return (found["letter"] or "").lower()
    command, opening = found["command"], found["open"] or ""
    if command is None:
        sign = found["sign"] or ""
        return sign if sign in "%&#$_" else " "
    if command in LATEX:
        return LATEX[command] + (" " if opening else "")
    if command in STYLING:
        return "" if "{" in opening else " "
    return " " + command.lower() + (" " if opening else "")


_JAMO = "\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff"
# The second halves of canonical compositions that have no combining class (UnicodeData.txt, field 6).
_SECONDS = (
    "\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1b35"
    "\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930"
)


@functools.cache
def _clusters() -> re.Pattern[str]:
    marks = "".join(
        chr(code) for code in range(0x300, 0x1E950) if unicodedata.combining(chr(code)) and not is_point(chr(code))
    )
    return re.compile(f"[\uac00-\ud7a3]?[{_JAMO}]+|(?s:.)[{re.escape(marks)}{_SECONDS}]+")


def decomposed(text: str) -> Iterator[Edit]:
    """Sequences that compose (kana, Hangul, Indic vowel signs) or whose marks stand out of order, recomposed.
    Only a text that is not in NFC has any."""
    for match in _clusters().finditer(text):
        composed = unicodedata.normalize("NFC", match[0])
        if composed != match[0]:
            yield match.start(), match.end(), composed, False
