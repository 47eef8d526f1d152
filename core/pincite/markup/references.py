"""Which texts are entries of a bibliography."""

from __future__ import annotations

import re
from collections.abc import Sequence

_YEAR = re.compile(r"(?<![\d.])(?:1[5-9]\d\d|20\d\d)[a-z]?(?!\d)")
_YEAR_SET_OFF = re.compile(
    r"[(\[（]\s*(?:1[5-9]\d\d|20\d\d)[a-z]?\s*[)\]）]"
    r"|[,.;，．]\s*(?:1[5-9]\d\d|20\d\d)[a-z]?\s*(?:[.,;:，。]|$)"
)
_LABEL = re.compile(r"\s*(?:[\[(【〔]\s*[\w+.\-]{1,12}\s*[\])】〕]|\d{1,3}[.)]\s|\^)")
_AUTHOR = re.compile(
    r"[^\W\d_][\w’'\-]+,\s*(?:[A-ZÀ-Þ]\.|[A-ZÀ-Þ][\w’'\-]+)"  # Noor, A. / Noor, Amina
    r"|(?:[A-ZÀ-Þ]\.[\s\-]?){1,3}\s*[A-ZÀ-Þ][\w’'\-]+"  # A. Noor
    r"|[A-ZÀ-Þ][\w’'\-]+\s+[A-Z]{1,3}(?:,|\.|\s+et\b)"  # Noor AB, …
    r"|\bet al\b"
)
_PLACE = re.compile(
    r"\d+\s*\(\d+[^)]{0,6}\)\s*[:,]|[，,.]\s*\d+\s*[(（]\d+[)）]|\b\d{1,5}\s*[–—\-]{1,2}\s*\d{1,5}\b|\d+\s*:\s*\d+"
    r"|\bpp?\.\s*\d+|\bvol(?:ume)?\.?\s*\d|\bno\.\s*\d|\bS\.\s*\d+|\bIn[: ]\s|\b[Ee]ditors?\b|\b[Ee]ds?\.|\bHrsg\."
    r"|\b[Pp]roc(?:eedings|\.)|\b[Jj]ournal\b|\bTrans(?:actions|\.)|\bConference\b|\bPress\b|[Vv]erlag\b|\bAufl\.|\bISBN\b|\bISSN\b"
    r"|\barXiv\b|\b[Tt]hesis\b|\bUniversity\b|\bTechnical [Rr]eport\b|\[[JMCDRNSPZ](?:/OL)?\]|出版社|学报|學報"
)
_LINK = re.compile(r"\bdoi\b|\b10\.\d{4,9}/\S|https?://|\bwww\.|\bRetrieved\b|\bAccessed\b", re.IGNORECASE)

LONGEST = 900
"""Characters; the longest entries, of papers with dozens of authors, stay below."""


def looks_like_entry(text: str) -> bool:
    """Whether a text reads like one entry of a bibliography: a date or a link, and marks of authors and of a place of
    publication, in little space."""
    text = " ".join(text.split())
    if not 12 <= len(text) <= LONGEST:
        return False
    dated = bool(_YEAR.search(text))
    linked = bool(_LINK.search(text))
    if not (dated or linked):
        return False
    marks = bool(_LABEL.match(text)) + bool(_AUTHOR.search(text[:160])) + linked
    marks += min(2, len(set(_PLACE.findall(text))))
    marks += bool(_YEAR_SET_OFF.search(text))
    return marks >= (3 if len(text) < 500 else 4)


def is_bibliography(entries: Sequence[str], titled: bool) -> bool:
    """Whether texts that stand together are a bibliography. `titled`: a heading says so.

    Without a heading, there must be three or more, and four fifths read like entries. Below one, a third is enough,
    or a fifth where all are short: a chapter on the literature of a field, or the reference of a programming
    language, is prose.
    """
    texts = [text for text in entries if any(map(str.isalpha, text))]
    if not texts:
        return False
    alike = sum(map(looks_like_entry, texts))
    if not titled:
        return len(texts) >= 3 and alike >= 0.8 * len(texts)
    if alike * 3 >= len(texts):
        return True
    return all(len(text) <= 300 for text in texts) and alike * 5 >= len(texts)
