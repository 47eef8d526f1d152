"""Whether a whole query is an identifier: DOI, ISBN, arXiv id, or what looks like a citation key."""

from __future__ import annotations

import re

_DOI = re.compile(r"(?:(?:https?://)?(?:(?:www|dx)\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf|html)/|arxiv:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?",
    re.IGNORECASE,
)
_ISBN = re.compile(r"(?:isbn(?:-1[03])?:?\s*)?([\d][\d\s-]{8,15}[\dX])", re.IGNORECASE)
_KEY = re.compile(r"@[^\s@,{}]+|[^\W\d_][\w:+./-]*\d{2,4}[\w:-]*|[^\W\d_]+:[\w:-]+")


_OPENING, _CLOSING = "<([{\"'“„«‘", ".,;:!?>\"'”“»’"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def identifier(text: str) -> tuple[str, str] | None:
    """("doi" | "isbn" | "arxiv" | "key", normalised value) where the whole of `text` is one, else None. What a copied line leaves around
    it (brackets, quotes, a full stop) is not part of it."""
    text = _bare(text.strip().lstrip(_OPENING))
    if match := _DOI.fullmatch(text):
        return "doi", match[1].lower()
    if match := _ARXIV.fullmatch(text):
        return "arxiv", match[1].lower()
    if (match := _ISBN.fullmatch(text)) and (isbn := isbn13(match[1])):
        return "isbn", isbn
    if _KEY.fullmatch(text):
        return "key", text.removeprefix("@")
    return None


def bare_doi(text: str) -> str:
    """The DOI in a text, in lower case, without what ends the sentence or closes the bracket around it; "" where there is none."""
    match = re.search(r"10\.\d{4,9}/\S+", text.lower())
    return _bare(match[0]) if match else ""


def _bare(text: str) -> str:
    """A text without the marks behind it, and without closing brackets that open outside it: a DOI may hold a pair."""
    while text and (
        text[-1] in _CLOSING or (text[-1] in _PAIRS and text.count(text[-1]) > text.count(_PAIRS[text[-1]]))
    ):
        text = text[:-1]
    return text


def isbn13(text: str) -> str:
    """An ISBN of 10 or 13 digits, hyphens and spaces aside, as 13 digits; "" where its check digit is wrong
    (ISO 2108)."""
    digits = re.sub(r"[\s-]", "", text).upper()
    if re.fullmatch(r"\d{9}[\dX]", digits):
        total = sum((10 - i) * (10 if char == "X" else int(char)) for i, char in enumerate(digits))
        return _with_check("978" + digits[:9]) if total % 11 == 0 else ""
    if re.fullmatch(r"97[89]\d{10}", digits):
        return digits if _with_check(digits[:12]) == digits else ""
    return ""


def isbn10(isbn: str) -> str:
    """The ten digits of an ISBN of thirteen; "" where it has none, as those of 979 do."""
    if not isbn.startswith("978"):
        return ""
    total = sum((10 - i) * int(char) for i, char in enumerate(isbn[3:12]))
    return isbn[3:12] + "0123456789X"[-total % 11]


def _with_check(twelve: str) -> str:
    total = sum(int(char) * (3 if i % 2 else 1) for i, char in enumerate(twelve))
    return twelve + str(-total % 10)
