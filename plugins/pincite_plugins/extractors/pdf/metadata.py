"""What a file says of itself, where that can be believed: title, authors, year, DOI, language."""

from __future__ import annotations

import re

import pymupdf

from pincite_plugins.extractors.pdf.model import Para

_JUNK = re.compile(
    r"^\s*$|\.(?:dvi|tex|docx?|pdf|ps|eps|indd|qxd|rtf|odt|pptx?|wpd|fm|htm|html|txt|xls)\b|^microsoft word|^untitled|^document\d*$"
    r"|^slide \d+$|^powerpoint|^(?:title|no title|template|paper|manuscript|article|unknown|noname|print|layout \d+)$"
    r"|^[\w.-]+_\d+(?:\.\.\d+)?$|^pii:|^doi:|^\d[\d.\s/-]*$|^[/\\]|^[a-z]:\\|^https?:",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`]+", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def metadata_of(document: pymupdf.Document, paras: list[Para]) -> dict[str, str]:
    """Keys: title, author, year, doi, language, subject, keywords, repaired ("yes"); each only where there is a value."""
    raw = document.metadata or {}
    out: dict[str, str] = {}
    declared = _clean(raw.get("title"))
    printed = " ".join(" ".join(p.text.split()) for p in paras if p.role == "title")
    out["title"] = _title(declared, printed, paras)
    author = _clean(raw.get("author"))
    if author and not _JUNK.search(author) and "@" not in author and len(author) < 500:
        out["author"] = author
    out["subject"] = _clean(raw.get("subject"))
    out["keywords"] = _clean(raw.get("keywords"))
    front = "\n".join(p.text for p in paras if p.page == 1)
    out["doi"] = _doi(" ".join([out["subject"], out["keywords"], declared, front]))
    year = _YEAR.search(_clean(raw.get("creationDate"))[:8].removeprefix("D:")[:4])
    out["year"] = year[1] if year else ""
    out["language"] = _language(document)
    out["repaired"] = "yes" if document.is_repaired else ""
    return {key: value for key, value in out.items() if value}


def _title(declared: str, printed: str, paras: list[Para]) -> str:
    """The declared title where the first pages print it or it looks like one, else the printed one."""
    if not declared or _JUNK.search(declared) or not re.search(r"[^\W\d_]{2}", declared):
        return printed
    squeezed = _bare(declared)
    shown = _bare(" ".join(p.text for p in paras if p.page <= 2))
    if squeezed and squeezed in shown:
        # the longer of the two, where the printed one holds the declared one (a subtitle)
        return printed if squeezed in _bare(printed) and len(printed) < 2 * len(declared) + 40 else declared
    return printed or declared


def _bare(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _doi(text: str) -> str:
    found = _DOI.search(text)
    return found[0].rstrip(".,;:)]") if found else ""


def _language(document: pymupdf.Document) -> str:
    try:
        value = document.language
    except Exception:
        return ""
    return str(value).split("-")[0].lower() if value else ""


def _clean(value: str | None) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value or "").split())
