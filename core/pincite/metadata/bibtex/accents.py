"""The LaTeX that names and titles are mostly made of, accents and a few symbols, read with tables.

pylatexenc reads all of LaTeX, at about a millisecond a field; most fields have nothing but what is here.
"""

from __future__ import annotations

import re
import unicodedata

# LaTeX's accents and the combining marks that they put on a letter (LaTeX2e manual, section 21.3)
_MARKS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "i": "ı", "j": "ȷ", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "textquotedbl": "\"", "textendash": "–",
    "textemdash": "—", "textellipsis": "…", "ldots": "…", "dots": "…", "textasciitilde": "~",
    "textasciicircum": "^", "textunderscore": "_", "textbar": "|", "textless": "<", "textgreater": ">",
    "textregistered": "®", "texttrademark": "™", "copyright": "©", "textdegree": "°", "S": "§", "P": "¶",
    "pounds": "£", "euro": "€", "texteuro": "€", "guillemotleft": "«", "guillemotright": "»", "lt": "<",
    "gt": ">", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "quotedblbase": "„", "quotesinglbase": "‚",
    "flqq": "«", "frqq": "»", "glqq": "„", "grqq": "“", "textbullet": "•", "textperiodcentered": "·",
    "slash": "/",
}  # fmt: skip

_ARGUMENT = r"(?:\s*\{\s*(?:\\([ij])|([^\W\d_]))\s*\}|\s*\\([ij])(?![A-Za-z])"
_BY_SIGN = re.compile(r"\\([`'^~=.\"])" + _ARGUMENT + r"|\s*([^\W_]))")
_BY_LETTER = re.compile(r"\\([urHvdckb])(?![A-Za-z])" + _ARGUMENT + r"|\s+([^\W_]))")
_SYMBOL = re.compile(r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\}|\s+(?=\S))?")
# Commands that only change how their argument looks
_STYLE = re.compile(
    r"\\(?:text(?:bf|it|md|normal|rm|sc|sf|sl|subscript|superscript|tt|up)|emph|mkbib\w+|url|path|nolinkurl|mbox|hbox"
    r"|uppercase|lowercase|MakeUppercase|MakeLowercase|uline|underline|ensuremath|relax|noopsort)\*?\s*(?=\{)"
)
_SWITCH = re.compile(r"\\(?:bf|bfseries|em|it|itshape|normalfont|rm|sc|scshape|sf|sl|tt|upshape)(?![A-Za-z])\s*")
_LINK = re.compile(r"\\(?:href|hyperref)\s*\{[^{}]*\}\s*(?=\{)")
_QUOTED = re.compile(r"\\(?:enquote|mkbibquote)\*?\s*\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([&%$#_ /,;:!@-])")
_SPACED = {" ": " ", "/": "", ",": " ", ";": " ", ":": " ", "!": "", "@": "", "-": ""}


def replace_common(value: str) -> str:
    """A value with its accents, letters and symbols as characters, and without commands of style. What else there is of
    LaTeX, formulas above all, is as it was; braces stay too. A ``$`` or ``%`` that was escaped still is."""
    value = _QUOTED.sub("“\\1”", _LINK.sub("", value))
    value = _SWITCH.sub("", _STYLE.sub("", value))
    value = _SYMBOL.sub(lambda found: _LETTERS[found.group(1)], _BY_LETTER.sub(_accent, _BY_SIGN.sub(_accent, value)))
    return value


def finish(value: str) -> str | None:
    """The text of a value that `replace_common` has gone over; None where LaTeX is left in it that is not known
    here."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(_SPACED.get(found.group(1), found.group(1)))
        return "\0"

    value = _ESCAPED.sub(hold, value)
    if "\\" in value or "$" in value:
        return None
    for written, meant in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " ")):
        value = value.replace(written, meant)
    value = value.replace("{", "").replace("}", "")
    parts = iter(held)
    return re.sub("\0", lambda _: next(parts), value)


def _accent(found: re.Match[str]) -> str:
    mark, *letters = found.groups()
    letter = next(letter for letter in letters if letter)
    return unicodedata.normalize("NFC", letter + _MARKS[mark])
