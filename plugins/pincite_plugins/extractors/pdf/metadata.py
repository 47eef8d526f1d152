"""What a file says of itself, where that can be believed: title, authors, year, DOI, language."""

from __future__ import annotations

import re
import unicodedata

import pymupdf

from pincite_plugins.extractors.pdf.model import Para

_JUNK = re.compile(
    r"^\s*$|\.(?:dvi|tex|docx?|pdf|ps|eps|indd|qxd|rtf|odt|pptx?|wpd|fm|htm|html|txt|xls)\b|^microsoft word|^untitled"
    r"|^document\d*$"
    r"|^slide \d+$|^powerpoint|^(?:title|no title|template|paper|manuscript|article|unknown|noname|print|layout \d+)$"
    r"|^[\w.-]+_\d+(?:\.\.\d+)?$|^pii:|^doi:|^\d[\d.\s/-]*$|^[/\\]|^[a-z]:\\|^https?:",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`]+", re.IGNORECASE)
_MARKS = re.compile(r"[\s*∗⋆†‡§¶]+$")
"""Marks of a footnote after a title."""
_LATIN = frozenset(
    ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "no", "fi", "pl", "cs", "hu", "ro", "hr", "tr", "id"]
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def metadata_of(document: pymupdf.Document, paras: list[Para], body: float) -> dict[str, str]:
    """Keys: title, author, year, doi, language, subject, keywords, verdict ("repaired"); each only where there is a value.
    `body`: the size of running text."""
    raw = document.metadata or {}
    declared = _clean(raw.get("title"))
    front = [para for para in paras if para.page == 1]
    first_page = "\n".join(para.text for para in front)
    subject, keywords = _clean(raw.get("subject")), _clean(raw.get("keywords"))
    out = {
        "title": _title(declared, paras, body),
        "author": _author(_clean(raw.get("author"))),
        "subject": subject,
        "keywords": keywords,
        "doi": _doi(" ".join([subject, keywords, declared, first_page])),
        "year": _year(_clean(raw.get("creationDate")), first_page),
        "language": _language(document, first_page),
        "verdict": "repaired" if document.is_repaired else "",
    }
    return {key: value for key, value in out.items() if value}


def _title(declared: str, paras: list[Para], body: float) -> str:
    """What the first page prints as the title, where its letters stand out; else the declared one, if that is a title."""
    printed = [para for para in paras if para.role == "title"]
    shown = _MARKS.sub("", expand_ligatures(" ".join(" ".join(para.text.split()) for para in printed)))
    good = bool(declared) and not _JUNK.search(declared) and re.search(r"[^\W\d_]{2}", declared) is not None
    if not good or _bare(declared) == _bare(shown):
        return declared if good else shown
    stands_out = bool(printed) and min(para.style.size for para in printed) >= 1.2 * body and len(shown) >= 12
    return shown if stands_out and printed[0].page == 1 else declared


def _author(declared: str) -> str:
    """Names, not the account of whoever pressed the button: more than one word, no address, no program's leavings."""
    if _JUNK.search(declared) or not 5 <= len(declared) < 500 or re.search(r"@|\(0x|[/\\]", declared):
        return ""
    return declared if " " in declared or not declared.isascii() else ""


def _year(created: str, first_page: str) -> str:
    """The year of the file's making, or the one before it, where the first page prints it; else none: files are made
    anew long after the work."""
    found = _YEAR.search(created.removeprefix("D:")[:4])
    printed = set(_YEAR.findall(first_page))
    if found:
        for year in (found[1], str(int(found[1]) - 1)):
            if year in printed:
                return year
    return ""


def _bare(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _doi(text: str) -> str:
    found = _DOI.search(text)
    return found[0].rstrip(".,;:)]") if found else ""


def _language(document: pymupdf.Document, text: str) -> str:
    """The declared language, unless the script says otherwise (programs write their own)."""
    try:
        value = str(document.language or "")
    except Exception:
        return ""
    code = value.split("-")[0].lower()
    letters = [char for char in text if char.isalpha()]
    latin = sum(char < "\u0250" or "\u1e00" <= char < "\u1f00" for char in letters)
    if code in _LATIN and latin < 0.5 * len(letters):
        return ""
    return code


def expand_ligatures(text: str) -> str:
    """Latin ligatures (U+FB00 to U+FB06) as letters."""
    return "".join(unicodedata.normalize("NFKC", c) if "\ufb00" <= c <= "\ufb06" else c for c in text)


def _clean(value: str | None) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value or "").split())
