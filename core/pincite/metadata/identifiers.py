"""Identifiers of works, brought to one form: DOI, ISBN, ISSN, arXiv id, PubMed id.

In `Item.identifiers` each is written ``scheme:value`` with a lower-case scheme (``arxiv:1706.03762``,
``pmid:23439512``, ``pmcid:PMC3711211``, ``issn:1524-4539``).
"""

from __future__ import annotations

import re

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_DOI_END = re.compile(r"[\s.,;:'\"<>]+$")
_ISBN = re.compile(r"(?:97[89][-\s]?)?(?:\d[-\s]?){9}[\dXx]")
_ISSN = re.compile(r"\b(\d{4})-?(\d{3}[\dXx])\b")
# https://info.arxiv.org/help/arxiv_identifier.html: the scheme of 2007, and the one before it
_ARXIV = re.compile(r"\b(\d{4}\.\d{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?\b")


def clean_doi(text: str) -> str:
    """The DOI in a text (a bare one, a ``doi:`` or a link), in lower case, as DOIs are compared; "" if there is none.

    Source: DOI handbook, section 3.3 (names are case-insensitive).
    """
    found = _DOI.search(text.replace("%2F", "/").replace("%2f", "/"))
    if not found:
        return ""
    doi = _DOI_END.sub("", found.group())
    # a closing bracket belongs to the DOI only where it was opened in it
    while doi and doi[-1] in ")]}" and doi.count(doi[-1]) > doi.count({")": "(", "]": "[", "}": "{"}[doi[-1]]):
        doi = _DOI_END.sub("", doi[:-1])
    return doi.lower()


def clean_isbn(text: str) -> str:
    """The first valid ISBN in a text as 13 digits without hyphens; "" if there is none.

    An ISBN of 10 is given the prefix 978 and the check digit of 13, so that both are equal (ISO 2108).
    """
    for found in _ISBN.finditer(text):
        digits = re.sub(r"[-\s]", "", found.group()).upper()
        if len(digits) == 13 and digits.isdigit() and _check_13(digits[:12]) == digits[12]:
            return digits
        if len(digits) == 10 and _check_10(digits):
            return f"978{digits[:9]}{_check_13('978' + digits[:9])}"
    return ""


def _check_13(twelve: str) -> str:
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(twelve))
    return str(-total % 10)


def _check_10(digits: str) -> bool:
    if not digits[:9].isdigit():
        return False
    total = sum((10 - at) * (10 if digit == "X" else int(digit)) for at, digit in enumerate(digits))
    return total % 11 == 0


def clean_issn(text: str) -> str:
    """The first ISSN in a text as ``1234-567X``; "" if there is none."""
    found = _ISSN.search(text)
    return f"{found.group(1)}-{found.group(2).upper()}" if found else ""


def clean_arxiv(text: str) -> str:
    """The arXiv id in a text without its version; "" if there is none."""
    found = _ARXIV.search(text)
    return found.group(1) if found else ""


def identifiers(*, arxiv: str = "", pmid: str = "", pmcid: str = "", issn: str = "") -> tuple[str, ...]:
    """The entries of `Item.identifiers` for what is given; unusable values are left out."""
    out = []
    if value := clean_arxiv(arxiv):
        out.append(f"arxiv:{value}")
    if value := re.sub(r"\D", "", pmid):
        out.append(f"pmid:{value}")
    if value := re.sub(r"\D", "", pmcid):
        out.append(f"pmcid:PMC{value}")
    if value := clean_issn(issn):
        out.append(f"issn:{value}")
    return tuple(out)
