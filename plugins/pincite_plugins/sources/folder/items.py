"""A document as a record: what can be known of it without reading it, and the front matter of Markdown."""

from __future__ import annotations

import posixpath
from pathlib import Path

from pincite.metadata.dates import iso_date, year_of
from pincite.metadata.files import CONTENT_TYPES, attachment_of
from pincite.metadata.frontmatter import Value, read_front_matter, text, texts
from pincite.metadata.identifiers import clean_doi, clean_isbn
from pincite.metadata.languages import language_code
from pincite.values.library import Creator, Item, Record
from pincite_plugins.sources.folder.walk import Document

_FRONT = 16_384
"""Bytes of a Markdown file that are looked at for front matter: it stands at the beginning."""


def make_record(id: str, document: Document) -> Record:
    """The record of a document. The title is "" (take it from the file) unless front matter gives one."""
    content_type = CONTENT_TYPES.get(document.path.suffix.lower(), "")
    front = _front_matter(document.path) if content_type == "text/markdown" else {}
    folder = posixpath.dirname(id)
    language = language_code(text(front.get("lang") or front.get("language")))
    date = text(front.get("date") or front.get("year"))
    link = document.path.as_uri()
    modified = str(document.modified)
    item = Item(
        id=id,
        title=text(front.get("title")),
        creators=_creators(front.get("author") or front.get("authors")),
        year=year_of(date),
        date=iso_date(date),
        abstract=text(front.get("abstract") or front.get("description") or front.get("summary")),
        language=language,
        doi=clean_doi(text(front.get("doi"))),
        isbn=clean_isbn(text(front.get("isbn"))),
        url=text(front.get("url") or front.get("source")),
        key=text(front.get("citekey") or front.get("citation-key")),
        tags=tuple(tag.lstrip("#") for tag in texts(front.get("tags") or front.get("keywords"))),
        collections=(folder,) if folder else (),
        link=link,
        modified=modified,
    )
    return Record(item, attachments=(attachment_of(id, str(document.path), language=language, modified=modified),))


def _front_matter(path: Path) -> dict[str, Value]:
    try:
        with path.open("rb") as file:
            return read_front_matter(file.read(_FRONT).decode("utf-8", "replace"))
    except OSError:  # said when the file is read for its text
        return {}


def _creators(value: Value | None) -> tuple[Creator, ...]:
    names = value if isinstance(value, list) else (value or "").replace(" and ", ";").split(";")
    creators = []
    for name in names:
        family, comma, given = name.strip().partition(",")
        if not comma:
            given, _, family = name.strip().rpartition(" ")
        if family.strip():
            creators.append(Creator(family.strip(), given.strip()))
    return tuple(creators)
