"""Whether a whole query is an identifier: DOI, ISBN, arXiv id, or what looks like a citation key."""

from __future__ import annotations

import re

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?",
    re.IGNORECASE,
)
_ISBN = re.compile(r"(?:isbn(?:-1[03])?:?\s*)?([\d][\d\s-]{8,15}[\dX])", re.IGNORECASE)
_KEY = re.compile(r"@[^\s@,{}]+|[^\W\d_][\w:+./-]*\d{2,4}[\w:-]*|[^\W\d_]+:[\w:-]+")


def identifier(text: str) -> tuple[str, str] | None:
    """("doi" | "isbn" | "arxiv" | "key", normalised value) where the whole of `text` is one, else None."""
    text = text.strip()
    if match := _DOI.fullmatch(text):
        return "doi", match[1].rstrip(".,;").lower()
    if match := _ARXIV.fullmatch(text):
        return "arxiv", match[1].lower()
    if (match := _ISBN.fullmatch(text)) and (isbn := isbn13(match[1])):
        return "isbn", isbn
    if _KEY.fullmatch(text):
        return "key", text.removeprefix("@")
    return None


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


def _with_check(twelve: str) -> str:
    total = sum(int(char) * (3 if i % 2 else 1) for i, char in enumerate(twelve))
    return twelve + str(-total % 10)
