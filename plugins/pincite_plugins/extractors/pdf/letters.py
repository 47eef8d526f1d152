"""What stands between glyphs and the letters that they are meant as: accents set as glyphs of their own, raised marks."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    "\u0060": "\u0300",
    "\u00b4": "\u0301",
    "\u02ca": "\u0301",
    "\u02cb": "\u0300",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02c9": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
}
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_BEFORE = re.compile(f"([{''.join(_ACCENTS)}])([^\\W\\d_])")
_AFTER = re.compile("([^\\W\\d_])([\u00b8\u02db])")
_ANY = re.compile(f"[{''.join(_ACCENTS)}]")

_WORD_END = re.compile(r"[^\W\d_]{3}[.,;:)\]”’\"']{0,2}$")
_MARK = re.compile(r"[\d,;–\-\[\]()*†‡§¶∗a-c]*[\d*†‡§¶∗][\d,;–\-\[\]()*†‡§¶∗a-c]*")


def composed(word: str) -> str:
    """Accents that typesetting programs print as glyphs before their letter ("L´eon", "na¨ıve") put where they belong,
    where Unicode has the letter. A back-quote is an accent only between letters."""
    if word.isascii() or not _ANY.search(word):
        return word
    return _AFTER.sub(_below, _BEFORE.sub(_above, word))


def _above(found: re.Match[str]) -> str:
    accent, letter = found.groups()
    if accent == "`" and (found.start() == 0 or not found.string[found.start() - 1].isalpha()):
        return found[0]
    return _one(_DOTLESS.get(letter, letter), accent) or found[0]


def _below(found: re.Match[str]) -> str:
    return _one(*found.groups()) or found[0]


def _one(letter: str, accent: str) -> str:
    made = unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    return made if len(made) == 1 else ""


def is_mark(before: str, after: str, raised: bool, was_raised: bool) -> bool:
    """Whether the raised mark of a note or citation begins or ends between two parts of what is set as one word: "cells" +
    "47,50", "1" + "Measured". An exponent or the 2 of a unit is none."""
    if raised and not was_raised:
        return bool(_MARK.fullmatch(after) and _WORD_END.search(before))
    if was_raised and not raised:
        return bool(_MARK.fullmatch(before) and re.match(r"[^\W\d_]{2}|[“\"(]", after))
    return False
