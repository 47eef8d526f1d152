"""RIS, and the tagged format of Web of Science, both split into fields by rispy.

Source of the tags' meaning: https://en.wikipedia.org/wiki/RIS_(file_format) and Clarivate's field tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import rispy

from pincite.metadata.bibtex import Bibliography
from pincite.metadata.dates import from_parts, iso_date, month_number, year_of
from pincite.metadata.files import named_attachment
from pincite.metadata.identifiers import clean_doi, clean_isbn, identifiers
from pincite.metadata.ids import repeated, unique_ids
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Attachment, Creator, Item, Note, Problem, Record

CSL_TYPES = {
    "ABST": "article-journal",
    "ADVS": "motion_picture",
    "AGGR": "dataset",
    "ANCIENT": "classic",
    "ART": "graphic",
    "BILL": "bill",
    "BLOG": "post-weblog",
    "BOOK": "book",
    "CASE": "legal_case",
    "CHAP": "chapter",
    "CHART": "graphic",
    "CLSWK": "classic",
    "COMP": "software",
    "CONF": "paper-conference",
    "CPAPER": "paper-conference",
    "CTLG": "book",
    "DATA": "dataset",
    "DBASE": "dataset",
    "DICT": "entry-dictionary",
    "EBOOK": "book",
    "ECHAP": "chapter",
    "EDBOOK": "book",
    "EJOUR": "article-journal",
    "ELEC": "webpage",
    "ENCYC": "entry-encyclopedia",
    "EQUA": "figure",
    "FIGURE": "figure",
    "GEN": "document",
    "GOVDOC": "report",
    "HEAR": "hearing",
    "ICOMM": "personal_communication",
    "INPR": "article-journal",
    "JFULL": "periodical",
    "JOUR": "article-journal",
    "LEGAL": "legislation",
    "MANSCPT": "manuscript",
    "MAP": "map",
    "MGZN": "article-magazine",
    "MPCT": "motion_picture",
    "MUSIC": "musical_score",
    "NEWS": "article-newspaper",
    "PAMP": "pamphlet",
    "PAT": "patent",
    "PCOMM": "personal_communication",
    "RPRT": "report",
    "SER": "book",
    "SLIDE": "speech",
    "SOUND": "song",
    "STAND": "standard",
    "STAT": "legislation",
    "THES": "thesis",
    "UNPB": "manuscript",
    "VIDEO": "motion_picture",
    "WEB": "webpage",
}

_PARTS = frozenset(("CHAP", "ECHAP", "CONF", "CPAPER", "ENCYC", "DICT"))
_LONG_NOTE = 12
"""Words. Shorter notes are databases' remarks ("Cited By :44", "Export Date: …")."""

_Fields = dict[str, Any]

_RIS_START = re.compile(r"[ \t]*TY {1,2}- ")
_RIS_END = re.compile(r"[ \t]*ER {1,2}-")
_RIS_TAG = re.compile(r"[ \t]*([A-Z][A-Z0-9]) {1,2}-(?: (.*)|$)")
_WOS_START = re.compile(r"PT \S")
_WOS_END = re.compile(r"ER\s*$")


def read_ris(path: Path, text: str, directory: Path | None) -> Bibliography:
    """The records of a RIS file; what stands between them is passed over."""
    found: list[_Fields] = []
    for record in _records(text, _RIS_START, _RIS_END):
        # one line a tag: a line without one goes on with the value before
        lines: list[str] = []
        for line in record:
            tag = _RIS_TAG.match(line)
            if tag:
                lines.append(f"{tag.group(1)}  - {(tag.group(2) or '').strip()}")
            elif line.strip():
                lines[-1] = f"{lines[-1]} {line.strip()}"
        parser = rispy.RisParser(skip_unknown_tags=True, enforce_list_tags=False, delimiter_tags_mapping={})
        found += parser.parse("\n".join([*lines, "ER  - "]))
    keys = [_one(fields, "id") for fields in found]
    named = [key or clean_doi(_one(fields, "doi")) for key, fields in zip(keys, found, strict=True)]
    folders = [*([directory] if directory else []), path.with_suffix(".Data") / "PDF", path.parent]
    return _bibliography(path, found, keys, named, _ris_item, folders)


def read_web_of_science(path: Path, text: str, directory: Path | None) -> Bibliography:
    """The records of a Web of Science export."""
    found: list[_Fields] = []
    for record in _records(text, _WOS_START, _WOS_END):
        found += rispy.WokParser(skip_unknown_tags=True).parse("\n".join([*record, "ER"]))
    keys = [_one(fields, "accession_number") for fields in found]
    return _bibliography(path, found, keys, keys, _wos_item, [path.parent])


def _records(text: str, start: re.Pattern[str], end: re.Pattern[str]) -> Iterator[list[str]]:
    """The lines of each record, from its first tag to before its end, to the next record or to the end of the file: an end
    that is missing costs no record."""
    record: list[str] | None = None
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        begins = start.match(line)
        if begins or end.match(line):
            if record:
                yield record
            record = [] if begins else None
        if record is not None:
            record.append(line)
    if record:
        yield record


def _bibliography(
    path: Path,
    found: list[_Fields],
    keys: list[str],
    named: list[str],
    make: Callable[[_Fields, str], Item],
    folders: list[Path],
) -> Bibliography:
    ids = unique_ids(named, [repr(sorted(fields.items())) for fields in found])
    records = []
    for fields, id in zip(found, ids, strict=True):
        notes = tuple(Note(f"{id}#note{at}", text) for at, text in enumerate(_notes(fields), 1))
        attachments = {one.id: one for one in _attachments(fields, id, folders)}
        records.append(Record(make(fields, id), notes, attachments=tuple(attachments.values())))
    twice = repeated(keys)
    return Bibliography(tuple(records), (Problem(str(path), twice),) if twice else ())


def _ris_item(fields: _Fields, id: str) -> Item:
    kind = _one(fields, "type_of_reference").upper()
    title = strip_tags(_one(fields, "title", "primary_title"))
    date = _one(fields, "date") or _one(fields, "year", "publication_year")
    year = year_of(_one(fields, "year", "publication_year")) or year_of(date)
    serial = _one(fields, "issn")
    short = strip_tags(_one(fields, "short_title"))
    urls = [url for value in _all(fields, "urls") for url in re.split(r";\s*(?=\w+://)|\s+", value) if "://" in url]
    doi = clean_doi(_one(fields, "doi")) or next((doi for url in urls if (doi := clean_doi(url))), "")
    return Item(
        id=id,
        kind=CSL_TYPES.get(kind, "document"),
        title=title,
        alternative_titles=(short,) if short and short != title else (),
        creators=tuple(_ris_creators(fields, kind)),
        year=year,
        date=iso_date(re.sub(r"/+$", "", date)),
        venue=strip_tags(
            _one(fields, "secondary_title", "journal_name", "alternate_title3", "alternate_title1", "alternate_title2")
        ),
        publisher=_one(fields, "publisher"),
        abstract=html_to_text(_one(fields, "abstract", "notes_abstract")),
        language=language_code(_one(fields, "language")),
        doi=doi,
        isbn=clean_isbn(serial),
        identifiers=identifiers(issn="" if clean_isbn(serial) else serial),
        url=urls[0] if urls else "",
        key=_one(fields, "label") or _one(fields, "id"),
        tags=_tags(_all(fields, "keywords")),
        link=urls[0] if urls else (f"https://doi.org/{doi}" if doi else ""),
    )


def _wos_item(fields: _Fields, id: str) -> Item:
    year = year_of(_one(fields, "publication_year"))
    month = month_number(_one(fields, "publication_date"))
    doi = clean_doi(_one(fields, "doi"))
    words = [word for name in ("author_keywords", "keywords_plus") for word in _one(fields, name).split(";")]
    kind = {"J": "article-journal", "B": "book", "S": "chapter", "P": "patent"}
    names = _all(fields, "author_full_name") or _all(fields, "authors")
    return Item(
        id=id,
        kind=kind.get(_one(fields, "publication_type"), "document"),
        title=strip_tags(_one(fields, "document_title")),
        creators=tuple(_creators(names, "author")),
        year=year,
        date=from_parts(year, month)[1],
        venue=_one(fields, "publication_name"),
        publisher=_one(fields, "publisher"),
        abstract=html_to_text(_one(fields, "abstract")),
        language=language_code(_one(fields, "language")),
        doi=doi,
        isbn=clean_isbn(_one(fields, "isbn", "international_standard_book_number")),
        identifiers=identifiers(pmid=_one(fields, "pubmed_id"), issn=_one(fields, "issn")),
        key=_one(fields, "accession_number"),
        tags=_tags(words),
        link=f"https://doi.org/{doi}" if doi else "",
    )


def _one(fields: _Fields, *names: str) -> str:
    for name in names:
        values = _all(fields, name)
        if values:
            return values[0]
    return ""


def _all(fields: _Fields, name: str) -> list[str]:
    value = fields.get(name, "")
    values = value if isinstance(value, list) else [value]
    return [str(part).strip() for part in values if str(part).strip()]


def _ris_creators(fields: _Fields, kind: str) -> Iterator[Creator]:
    yield from _creators(_all(fields, "authors") + _all(fields, "first_authors"), "author")
    yield from _creators(_all(fields, "secondary_authors"), "editor")
    yield from _creators(_all(fields, "tertiary_authors"), "editor" if kind in _PARTS else "collection-editor")
    yield from _creators(_all(fields, "subsidiary_authors"), "translator")


def _creators(names: list[str], role: str) -> Iterator[Creator]:
    for name in dict.fromkeys(names):
        family, _, given = (part.strip() for part in name.partition(","))
        if family:
            yield Creator(family, ", ".join(part.strip() for part in given.split(",") if part.strip()), role)


def _tags(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))


def _notes(fields: _Fields) -> Iterator[str]:
    lines = _all(fields, "notes")
    # a note of several lines comes as several values
    text = html_to_text("\n".join(lines))
    if any("<p" in line for line in lines) or len(text.split()) >= _LONG_NOTE:
        yield text
    if research := html_to_text("\n".join(_all(fields, "research_notes"))):
        yield research


def _attachments(fields: _Fields, id: str, folders: list[Path]) -> Iterator[Attachment]:
    for name in ("file_attachments1", "file_attachments2"):
        for value in (part.strip() for whole in _all(fields, name) for part in whole.split(";")):
            named = value
            if value.startswith("file:"):
                named = unquote(urlsplit(value).path)
                named = named[1:] if re.match(r"/[A-Za-z]:", named) else named
            elif value.startswith("internal-pdf:"):  # EndNote: NAME.Data/PDF beside NAME.ris
                named = unquote(value.removeprefix("internal-pdf:").lstrip("/"))
            elif "://" in value:
                continue
            if named:
                yield named_attachment(f"{id}/{named}", named, folders)
