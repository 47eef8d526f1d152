"""Folding of single characters: case, accents, compatibility forms, ligatures, letters with strokes, quotes and dashes.

`FOLDED` and `TABLE` are meant for `str.translate`. The second keeps the length of a text, which is what a map
of offsets needs: a character whose folding is not exactly one character long becomes `ODD`, and its folding is asked of
`fold_char`.
"""

from __future__ import annotations

import functools
import unicodedata

from pincite.text.symbols import SYMBOLS

ODD = "\x00"
"""Stands in the translated text for a character whose folding has another length than 1."""

_SPECIAL = {
    **{symbol: symbol for symbol in SYMBOLS},
    "∆": "δ",
    "ς": "σ",
    "ø": "o",
    "œ": "oe",
    "æ": "ae",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ß": "ss",
    "ı": "i",
    "ħ": "h",
    "⁄": "/",
    "∕": "/",
    "\u0640": "",  # Arabic tatweel only stretches a word
    "\u200b": " ",  # zero width space: a word boundary in scripts without spaces
    "\u0130": "i",
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02b9\u055a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u02ba", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u0085\u2028\u2029", "\n"),
    "\x00": " ",
}

# Arabic alef with hamza or madda is written with and without them; so are yeh and teh marbuta at a word's end.
_SPECIAL.update({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ک": "ك", "ی": "ي"})

_POINTS = (
    (0x0300, 0x036F),  # the combining diacritics of Latin, Greek and Cyrillic
    (0x0483, 0x0489),  # Cyrillic
    (0x0591, 0x05BD),  # Hebrew accents and vowel points
    (0x05BF, 0x05BF),
    (0x05C1, 0x05C2),
    (0x05C4, 0x05C5),
    (0x05C7, 0x05C7),
    (0x0610, 0x061A),  # Arabic vowel signs and Koranic marks
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x06D6, 0x06DC),
    (0x06DF, 0x06E4),
    (0x06E7, 0x06E8),
    (0x06EA, 0x06ED),
    (0x093C, 0x093C),  # the nukta, which Hindi writers leave out as often as not
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFE20, 0xFE2F),
    (0xE0100, 0xE01EF),
)


@functools.lru_cache(8_192)
def is_point(char: str) -> bool:
    """Whether a character is a mark that folding drops."""
    code = ord(char)
    return any(low <= code <= high for low, high in _POINTS)


@functools.lru_cache(8_192)
def fold_char(char: str) -> str:
    """The folding of one character: "", one or several characters, each of which folds to itself."""
    folded = _once(char)
    while (again := "".join(map(_once, folded))) != folded:
        folded = again
    return unicodedata.normalize("NFC", folded)


def _once(char: str) -> str:
    special = _SPECIAL.get(char)
    if special is not None:
        return special
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Cf" or is_point(char):
        return ""
    if category == "Zs":
        return " "
    whole = char.lower()
    special = _SPECIAL.get(whole)
    if special is not None:
        return special
    parts = unicodedata.normalize("NFKD", char)
    kept = "".join(part for part in parts if not is_point(part)).lower()
    return unicodedata.normalize("NFC", "".join(_SPECIAL.get(part, part) for part in kept if not is_point(part)))


class _Table(dict[int, str]):
    """Fills itself: a library meets a few thousand of the million characters."""

    def __init__(self, odd: bool) -> None:
        super().__init__()
        self._odd = odd

    def __missing__(self, code: int) -> str:
        folded = fold_char(chr(code))
        value = ODD if self._odd and (len(folded) != 1 or not code) else folded
        self[code] = value
        return value


FOLDED = _Table(odd=False)
"""For `str.translate`: each character's folding, of any length."""

TABLE = _Table(odd=True)
"""For `str.translate`: each character's folding where it is one character, else `ODD`: the length stays."""
