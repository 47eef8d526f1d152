"""Character classes for regular expressions: what makes up a word, and which scripts write without spaces."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata

CJK = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Han, Hiragana, Katakana and Hangul: matched by pairs of characters."""

THAI_LIKE = "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f"
"""Thai, Lao, Burmese and Khmer: no spaces between words, and vowels or tones that stand on their consonant."""

GREEK = "\u03b1-\u03c9"
"""Greek letters as folding leaves them."""


# A class of tens of thousands of characters takes milliseconds to compile: only a text that may hold one of them asks for it.
def spaceless(text: str) -> bool:
    """Whether a text begins with a character of either."""
    return text[:1] >= "\u0e00" and _spaceless().match(text) is not None


def holds_cjk(text: str) -> bool:
    """Whether any character of a text is matched by pairs."""
    return not text.isascii() and max(text) >= CJK[0] and _cjk().search(text) is not None


@functools.cache
def _spaceless() -> re.Pattern[str]:
    return re.compile(f"[{CJK}{THAI_LIKE}]")


@functools.cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


_WITH_MARKS = (
    (0x0300, 0x3100),
    (0xA66F, 0xAC00),
    (0xFB1E, 0xFE30),
    (0x101FD, 0x11A00),
    (0x11A00, 0x12000),
    (0x13440, 0x13460),
    (0x1611E, 0x16130),
    (0x16AF0, 0x16B40),
    (0x16F4F, 0x16FF2),
    (0x1BC9D, 0x1BC9F),
    (0x1CF00, 0x1D245),
    (0x1DA00, 0x1DAB0),
    (0x1E000, 0x1E950),
)
"""Areas of Unicode 16 that hold combining marks below U+1E950: a fifth of what lies between, so that a start is quick."""


@functools.cache
def marks() -> str:
    """The combining marks that belong to the word they stand in, as the inside of a character class."""
    ranges: list[tuple[int, int]] = []
    for code in itertools.chain.from_iterable(range(*area) for area in _WITH_MARKS):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return "".join(f"{chr(low)}-{chr(high)}" if high > low else chr(low) for low, high in ranges)
