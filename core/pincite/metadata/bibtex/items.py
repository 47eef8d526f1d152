"""An entry as an item."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.metadata.bibtex.entries import Entry
from pincite.metadata.bibtex.latex import latex_to_text, verbatim
from pincite.metadata.bibtex.names import read_names
from pincite.metadata.dates import from_parts, iso_date, month_number, year_of
from pincite.metadata.identifiers import clean_doi, clean_isbn, identifiers
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Creator, Item

# BibTeX's and biblatex's entry types (biblatex manual 2.1) and those of Mendeley and biblatex-software, in CSL's words
CSL_TYPES = {
    "article": "article-journal",
    "artwork": "graphic",
    "audio": "song",
    "bookinbook": "chapter",
    "book_section": "chapter",
    "booklet": "pamphlet",
    "codefragment": "software",
    "collection": "book",
    "conference": "paper-conference",
    "dataset": "dataset",
    "electronic": "webpage",
    "encyclopedia_article": "entry-encyclopedia",
    "film": "motion_picture",
    "image": "graphic",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "inreference": "entry-encyclopedia",
    "journal_article": "article-journal",
    "jurisdiction": "legal_case",
    "legislation": "legislation",
    "letter": "personal_communication",
    "magazine_article": "article-magazine",
    "manual": "book",
    "mastersthesis": "thesis",
    "misc": "document",
    "movie": "motion_picture",
    "music": "song",
    "mvbook": "book",
    "mvcollection": "book",
    "mvproceedings": "book",
    "mvreference": "book",
    "newspaper_article": "article-newspaper",
    "online": "webpage",
    "patent": "patent",
    "performance": "performance",
    "periodical": "periodical",
    "phdthesis": "thesis",
    "presentation": "speech",
    "proceedings": "book",
    "reference": "book",
    "report": "report",
    "review": "review",
    "software": "software",
    "softwaremodule": "software",
    "softwareversion": "software",
    "standard": "standard",
    "suppbook": "chapter",
    "suppcollection": "chapter",
    "suppperiodical": "article",
    "talk": "speech",
    "techreport": "report",
    "thesis": "thesis",
    "unpublished": "manuscript",
    "video": "motion_picture",
    "web_page": "webpage",
    "www": "webpage",
}

_SUBTYPES = {"magazine": "article-magazine", "newspaper": "article-newspaper"}

_ROLES = {
    "author": "author",
    "editor": "editor",
    "editora": "editor",
    "editorb": "editor",
    "editorc": "editor",
    "translator": "translator",
    "bookauthor": "container-author",
    "director": "director",
    "holder": "author",
    "commentator": "contributor",
    "annotator": "contributor",
    "introduction": "contributor",
    "foreword": "contributor",
    "afterword": "contributor",
}

_VENUES = ("journaltitle", "journal", "booktitle", "maintitle", "eventtitle", "series", "howpublished", "publication")
_PUBLISHERS = ("publisher", "school", "institution", "organization")


def make_item(entry: Entry, id: str, collections: tuple[str, ...]) -> Item:
    """The item of an entry."""
    fields = entry.fields
    year, date = _date(fields)
    title = _title(fields, "title", "subtitle", "titleaddon") or _title(fields, "booktitle", "booksubtitle")
    venue = next((text for name in _VENUES if (text := strip_tags(latex_to_text(fields.get(name, ""))))), "")
    others = (latex_to_text(fields.get(name, "")) for name in ("shorttitle", "origtitle", "title_sort"))
    return Item(
        id=id,
        kind=_SUBTYPES.get(fields.get("entrysubtype", "").lower(), CSL_TYPES.get(entry.type, _like(entry.type))),
        title=title,
        alternative_titles=tuple(dict.fromkeys(other for other in others if other and other != title)),
        creators=tuple(_creators(entry)),
        year=year,
        date=date,
        venue="" if venue == title else venue,
        publisher=next((text for name in _PUBLISHERS if (text := latex_to_text(fields.get(name, "")))), ""),
        abstract=html_to_text(latex_to_text(_abstract(fields))),
        language=_language(fields),
        doi=clean_doi(verbatim(fields.get("doi", ""))) or _doi_of_link(fields),
        isbn=clean_isbn(fields.get("isbn", "")),
        identifiers=identifiers(
            arxiv=_arxiv(fields),
            pmid=fields.get("pmid", "") or (fields.get("eprint", "") if _archive(fields) == "pubmed" else ""),
            pmcid=fields.get("pmcid", "") or fields.get("pmc", ""),
            issn=fields.get("issn", ""),
        ),
        url=_url(fields),
        key=entry.key,
        tags=tuple(_tags(entry)),
        collections=collections,
        link=_url(fields) or (f"https://doi.org/{doi}" if (doi := clean_doi(verbatim(fields.get("doi", "")))) else ""),
        modified=fields.get("date-modified", "") or fields.get("timestamp", ""),
    )


def _abstract(fields: dict[str, str]) -> str:
    # calibre writes the description of a book into note
    return fields.get("abstract", "") or (fields.get("note", "") if "calibreid" in fields else "")


def _title(fields: dict[str, str], *names: str) -> str:
    title, *more = (strip_tags(latex_to_text(fields.get(name, ""))) for name in names)
    for part in more:
        if part and part.lower() not in title.lower():
            title = f"{title}: {part}" if title and title[-1] not in "?!.:" else f"{title} {part}".strip()
    return title


def _creators(entry: Entry) -> Iterator[Creator]:
    for field, role in _ROLES.items():
        if value := entry.fields.get(field, ""):
            if field == "editor" and entry.fields.get("editortype", "").lower() in (
                "director",
                "translator",
                "organizer",
            ):
                role = entry.fields["editortype"].lower()
            yield from read_names(value, role)


def _date(fields: dict[str, str]) -> tuple[int | None, str]:
    if date := latex_to_text(fields.get("date", "")):
        return year_of(date), iso_date(date)
    text = latex_to_text(fields.get("year", ""))
    year = year_of(text)
    if year is None:
        short = text.strip()
        return (int(short), short) if short.isdecimal() and len(short) < 4 else (None, text)
    month = month_number(latex_to_text(fields.get("month", "")))
    return from_parts(year, month, fields.get("day") if month else None)


def _language(fields: dict[str, str]) -> str:
    for name in ("langid", "language", "languages", "hyphenation"):
        if code := language_code(latex_to_text(fields.get(name, ""))):
            return code
    return ""


def _archive(fields: dict[str, str]) -> str:
    return (fields.get("eprinttype", "") or fields.get("archiveprefix", "")).strip().lower()


def _arxiv(fields: dict[str, str]) -> str:
    if "arxiv" in fields:
        return verbatim(fields["arxiv"])
    eprint = verbatim(fields.get("eprint", ""))
    if eprint and _archive(fields) in ("arxiv", ""):
        return eprint
    found = re.search(r"arxiv\.org/(?:abs|pdf)/(\S+)", fields.get("url", ""), re.IGNORECASE)
    return found.group(1) if found else ""


def _doi_of_link(fields: dict[str, str]) -> str:
    url = verbatim(fields.get("url", ""))
    return clean_doi(url) if re.match(r"https?://(?:dx\.)?doi\.org/", url) else ""


def _url(fields: dict[str, str]) -> str:
    url = verbatim(fields.get("url", "")) or verbatim(fields.get("howpublished", ""))
    found = re.search(r"(?:https?|ftp)://\S+", url.replace("\\url", ""))
    return found.group() if found else ""


def _tags(entry: Entry) -> Iterator[str]:
    seen: set[str] = set()
    for field in ("keywords", "keyword", "tags", "mendeley-tags"):
        for value in entry.values(field):
            separator = ";" if ";" in value else ","
            for tag in value.split(separator):
                text = latex_to_text(tag)
                if text and text not in seen:
                    seen.add(text)
                    yield text


def _like(type: str) -> str:
    """A CSL type that is an entry's type itself (exporters write some), else ""."""
    return type if type in CSL_TYPES.values() else ""
