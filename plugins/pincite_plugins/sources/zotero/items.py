"""The metadata of a Zotero item as a value."""

from __future__ import annotations

import re

from pincite.metadata.dates import from_parts, year_of
from pincite.metadata.identifiers import clean_arxiv, clean_doi, clean_isbn, identifiers
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Creator, Item
from pincite_plugins.sources.zotero.kinds import CSL_TYPES, ROLES
from pincite_plugins.sources.zotero.tables import CreatorRow, ItemRow, Tables

# "YYYY-MM-DD what was typed", 00 for an unknown part
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?: (.*))?$", re.DOTALL)
_EXTRA = re.compile(r"^\s*([A-Za-z][A-Za-z -]{0,30}?)\s*:\s*(\S.*?)\s*$", re.MULTILINE)

_VENUES = ("publicationTitle", "conferenceName", "meetingName", "repository", "series", "seriesTitle", "reporter")


def make_item(row: ItemRow, tables: Tables, id: str, group: str, link: str) -> Item:
    """The item of a row: title and venue by whatever field the type has for them, "Key: value" lines of Extra used
    where the type has no field of its own."""
    fields = tables.fields.get(row.id, {})
    extra = _extra(fields.get("extra", ""))
    year, date = _date(fields.get("date", ""))
    title = strip_tags(fields.get("title", ""))
    return Item(
        id=id,
        kind=CSL_TYPES.get(row.kind, "" if row.kind in ("attachment", "note") else "document"),
        title=title,
        alternative_titles=_others(title, fields.get("shortTitle", ""), extra.get("original title", "")),
        creators=tuple(_creator(creator) for creator in tables.creators.get(row.id, ())),
        year=year,
        date=date,
        venue=strip_tags(next((fields[name] for name in _VENUES if fields.get(name)), "")),
        publisher=fields.get("publisher", ""),
        abstract=html_to_text(fields.get("abstractNote", "")),
        language=language_code(fields.get("language", "")),
        doi=clean_doi(fields.get("DOI", "") or extra.get("doi", "")),
        isbn=clean_isbn(fields.get("ISBN", "") or extra.get("isbn", "")),
        identifiers=identifiers(
            arxiv=_arxiv(fields, extra),
            pmid=extra.get("pmid", "") or fields.get("PMID", ""),
            pmcid=extra.get("pmcid", "") or fields.get("PMCID", ""),
            issn=fields.get("ISSN", ""),
        ),
        url=fields.get("url", ""),
        key=fields.get("citationKey", "") or extra.get("citation key", ""),
        tags=tuple(tables.tags.get(row.id, ())),
        collections=tuple(sorted(tables.collections.get(row.id, ()))),
        group=group,
        link=link,
        modified=row.modified,
    )


def _creator(row: CreatorRow) -> Creator:
    role = ROLES.get(row.role, row.role)
    if row.single or not row.family:
        return Creator(family=row.family or row.given, role=role)
    return Creator(family=row.family, given=row.given, role=role)


def _date(value: str) -> tuple[int | None, str]:
    found = _DATE.match(value)
    if not found:
        return year_of(value), value
    year, month, day, typed = found.groups()
    if int(year):
        return from_parts(year, month, day)
    typed = typed or ""
    return year_of(typed), typed


def _extra(text: str) -> dict[str, str]:
    """The "Key: value" lines of the field Extra, keys in lower case; the first of a key counts."""
    lines: dict[str, str] = {}
    for found in _EXTRA.finditer(text):
        lines.setdefault(found.group(1).lower(), found.group(2))
    return lines


def _arxiv(fields: dict[str, str], extra: dict[str, str]) -> str:
    for text in (fields.get("archiveID", ""), fields.get("number", "")):
        if text.lower().startswith("arxiv:"):
            return text
    if value := extra.get("arxiv", ""):
        return value
    found = re.search(r"arxiv\.org/(?:abs|pdf)/(\S+)", fields.get("url", ""))
    return clean_arxiv(found.group(1)) if found else ""


def _others(title: str, *titles: str) -> tuple[str, ...]:
    cleaned = (strip_tags(other) for other in titles)
    return tuple(dict.fromkeys(other for other in cleaned if other and other != title))
