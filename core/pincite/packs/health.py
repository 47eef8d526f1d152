"""What a page's text layer is worth (specs/04-packs.md, "Health"). Judged by Unicode categories, so that every script's
letters are letters, and by plausibility that needs no dictionary. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from pincite.values.pack import Health

_CODES = re.compile(r"\(cid:\d+\)|/[A-Z]{1,3}\d{1,4}(?![\w.])|\\[0-7]{3}|\bglyph<?\d+>?|/(?:uni|u)[0-9A-F]{4}\b", re.I)
"""Names and numbers of glyphs that stand where characters should: "(cid:12)", "/G21", "/uni0041"."""

_LEADERS = re.compile(r"(?:[.·•_…-]\s?){4,}")
"""The dots between an entry of a table of contents and its page."""

_C1 = re.compile(r"[\x80-\x9f]")
"""Control codes where other encodings have half of a letter: no text holds them."""

_GARBLED, _POOR = 0.30, 0.10
_OTHER_ENCODING = 0.15
"""Share of such codes from which a page is garbled: half of it in Shift-JIS, GBK or UTF-8 read byte by byte has more; text whose quotes
alone are of another encoding has a few in a hundred."""
_ENOUGH = 40
"""Under so many characters only what is certainly not text is held against a page."""


def health_of(text: str, lost: int = 0) -> tuple[Health, str]:
    """The verdict on a page's text, and why, in words for a person ("" for a good one). `lost`: how many more glyphs
    stand on the page that the extractor has no character for."""
    counts: Counter[str] = Counter()
    for char, count in Counter(_LEADERS.sub("", text)).items():
        if not char.isspace():
            counts[_kind(char)] += count
    counts["foreign"] += lost
    total = counts.total()
    if not total:
        return Health.NONE, "no text"
    codes = sum(len(found) for found in _CODES.findall(text)) / total
    foreign = counts["foreign"] / total
    if codes >= _GARBLED:
        return Health.GARBLED, f"{codes:.0%} glyph codes instead of characters"
    if foreign >= _GARBLED:
        return Health.GARBLED, f"{foreign:.0%} characters without a meaning"
    other = len(_C1.findall(text)) / total
    if other >= _OTHER_ENCODING:
        return Health.GARBLED, f"{other:.0%} control codes: text of another encoding"
    letters = counts["letter"] + counts["mark"]
    if letters + counts["digit"] == 0:
        return Health.NONE, "no letters"
    odd = implausible(text) if total >= _ENOUGH else ""
    if odd:
        return Health.GARBLED, odd
    if foreign + codes >= _POOR:
        return Health.POOR, f"{foreign + codes:.0%} characters without a meaning"
    if total >= _ENOUGH and letters / total < 0.3 and counts["digit"] / total < 0.4:
        return Health.POOR, f"only {letters / total:.0%} letters"
    return Health.GOOD, ""


@lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] == "L":
        return "letter"
    if category[0] == "M":
        return "mark"
    if category[0] == "N":
        return "digit"
    if category in ("Co", "Cn", "Cs", "Cc") or char == "\ufffd":
        return "foreign"
    return "other"


_LATIN_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{4,}(?![^\W_])")
_NO_VOWEL = re.compile(r"[^aeiouyAEIOUY]+")
_STREWN = re.compile(r"[A-Za-z]+[a-z][A-Z]")
_LONG = re.compile(r"\S{3,}")
_WRAPPING = "()[]{}.,;:!?\"'“”‘’«»<>*/-–—…"
_INNER = frozenset("-‐‑–'’./_@&·:=")


def implausible(text: str) -> str:
    """Why a text of some length cannot be anyone's writing, or "": letters scattered among signs inside words, or Latin
    words without vowels or with capitals strewn over them."""
    words = _LONG.findall(text)
    if len(words) >= 15 and sum(map(_mixed, words)) > 0.4 * len(words):
        return "signs and letters mixed inside words"
    if len(words) >= 15 and not text.isascii() and sum(map(_patched, words)) > 0.4 * len(words):
        return "letters of several scripts mixed inside words"
    latin = _LATIN_WORD.findall(text)
    if len(latin) >= 30:
        odd = sum(1 for word in latin if _NO_VOWEL.fullmatch(word) or _STREWN.match(word))
        if odd > 0.5 * len(latin):
            return "words that no language writes"
    return ""


@lru_cache(maxsize=8192)
def _script(char: str) -> str:
    """The script of a letter, from the first word of its Unicode name; those that are written together count as one."""
    if not char.isalpha():
        return ""
    first = unicodedata.name(char, "").split(" ", 1)[0]
    return _TOGETHER.get(first, first)


_TOGETHER = {
    **dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL", "FULLWIDTH"), "CJK"),
    **dict.fromkeys(("LATIN", "GREEK", "MATHEMATICAL", "MODIFIER", "DOUBLE-STRUCK", "SCRIPT", "MICRO"), "LATIN"),
    **dict.fromkeys(("FEMININE", "MASCULINE", "SUPERSCRIPT", "ANGSTROM", "KELVIN", "OHM", "ALEF"), "LATIN"),
}


def _patched(word: str) -> bool:
    """Whether letters of two scripts that are not written together stand in one word."""
    if word.isascii():
        return False
    return len({script for script in map(_script, word) if script}) > 1


def _mixed(word: str) -> bool:
    if word.isalnum():
        return False
    core = word.strip(_WRAPPING)
    if len(core) < 3 or core.isalnum():
        return False
    signs = sum(1 for char in core if char not in _INNER and _kind(char) in ("other", "foreign"))
    return signs >= 2 and signs >= 0.25 * len(core) and any(map(str.isalpha, core))
