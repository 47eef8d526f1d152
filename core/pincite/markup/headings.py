"""The number of a heading, in the ways of books and papers, and the level that it gives. What part of a work a heading names is
told by `pincite.packs.landmarks`."""

from __future__ import annotations

import re
import unicodedata

_HAN_NUMBER = "一二三四五六七八九十百〇零"
_ARABIC = re.compile(r"(?:§\s*)?(\d{1,3}(?:\.\d{1,3}){0,5})\.?(?:[\s\u3000]+|(?=[^\W\d_])|:\s*)(?=\S)")
_ROMAN = re.compile(r"(?=[IVXLC])(?:X[LC]|L?X{0,4})(?:IX|IV|V?I{0,4})[.):]?\s+(?=\S)")
_LETTER = re.compile(r"[A-Z](?:(?:\.\d{1,3}){1,4}[.)]?|[.)])\s+(?=\S)")
_CHAPTER = re.compile(
    r"(?:chapter|part|book|section|appendix|kapitel|teil|abschnitt|anhang|chapitre|partie|annexe|capitulo|parte|seccion|anexo"
    r"|capitolo|sezione|hoofdstuk|глава|часть)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])\b[\s.:—–-]*",
    re.IGNORECASE,
)
_HAN_CHAPTER = re.compile(rf"第\s*[{_HAN_NUMBER}\d]+\s*([部编編篇卷章回讲講节節条條])[\s\u3000.、:：]*")
_HAN_LIST = re.compile(rf"(?:([{_HAN_NUMBER}]+)[、．.]|[（(][{_HAN_NUMBER}]+[）)])\s*(?=\S)")
_HAN_LEVELS = dict.fromkeys("部编編篇卷章回讲講", 1) | {"节": 2, "節": 2, "条": 3, "條": 3}


_ACCENTS = re.compile("[\u0300-\u036f]")  # of Latin, Greek and Cyrillic; kana keep their voicing marks


def folded(text: str) -> str:
    """Lower case, without accents and punctuation, single spaces: for comparing names of parts."""
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
    words = re.sub(r"[\W_]+", " ", plain).split()
    if len(words) > 2 and all(len(word) == 1 for word in words):  # A B S T R A C T, 摘　要
        return "".join(words).casefold()
    joined = " ".join(words).casefold()
    return joined.replace(" ", "") if joined and ord(joined[0]) > 0x2E80 else joined


def numbering(title: str) -> tuple[int, int] | None:
    """The level that a heading's number gives it (1 for "2", 2 for "2.1"), and how many characters the number takes;
    None where it has no number."""
    text = title.lstrip()
    skipped = len(title) - len(text)
    if found := _CHAPTER.match(text):
        return 1, skipped + found.end()
    if found := _HAN_CHAPTER.match(text):
        return _HAN_LEVELS[found[1]], skipped + found.end()
    if found := _HAN_LIST.match(text):
        return (1 if found[1] else 2), skipped + found.end()
    if found := _ARABIC.match(text):
        return found[1].count(".") + 1, skipped + found.end()
    if found := _ROMAN.match(text):
        return 1, skipped + found.end()
    if found := _LETTER.match(text):
        return found.group().rstrip(".) \t").count(".") + 1, skipped + found.end()
    return None
