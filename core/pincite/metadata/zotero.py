"""Zotero's fields and types in the words of CSL and of pincite, whether they come from its database or from its API.

Source of the types: the mapping that Zotero exports CSL-JSON with, https://github.com/zotero/zotero-schema (schema.json, "csl").
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from pincite.metadata.identifiers import clean_arxiv, clean_doi, clean_isbn, identifiers
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Creator, Item

CSL_TYPES = {
    "artwork": "graphic",
    "audioRecording": "song",
    "bill": "bill",
    "blogPost": "post-weblog",
    "book": "book",
    "bookSection": "chapter",
    "case": "legal_case",
    "computerProgram": "software",
    "conferencePaper": "paper-conference",
    "dataset": "dataset",
    "dictionaryEntry": "entry-dictionary",
    "document": "document",
    "email": "personal_communication",
    "encyclopediaArticle": "entry-encyclopedia",
    "film": "motion_picture",
    "forumPost": "post",
    "hearing": "hearing",
    "instantMessage": "personal_communication",
    "interview": "interview",
    "journalArticle": "article-journal",
    "letter": "personal_communication",
    "magazineArticle": "article-magazine",
    "manuscript": "manuscript",
    "map": "map",
    "newspaperArticle": "article-newspaper",
    "patent": "patent",
    "podcast": "song",
    "preprint": "article",
    "presentation": "speech",
    "radioBroadcast": "broadcast",
    "report": "report",
    "standard": "standard",
    "statute": "legislation",
    "thesis": "thesis",
    "tvBroadcast": "broadcast",
    "videoRecording": "motion_picture",
    "webpage": "webpage",
}

# Creator types that are not here are CSL's own name (editor, translator, director, recipient, …). A type's main
# creator is its author, as in Zotero's lists.
ROLES = {
    "artist": "author",
    "attorneyAgent": "contributor",
    "bookAuthor": "container-author",
    "cartographer": "author",
    "castMember": "performer",
    "commenter": "contributor",
    "cosponsor": "contributor",
    "counsel": "contributor",
    "creator": "author",
    "executiveProducer": "executive-producer",
    "interviewee": "author",
    "inventor": "author",
    "originalCreator": "original-author",
    "podcaster": "author",
    "presenter": "author",
    "programmer": "author",
    "reviewedAuthor": "reviewed-author",
    "scriptwriter": "script-writer",
    "seriesCreator": "series-creator",
    "seriesEditor": "collection-editor",
    "sponsor": "author",
    "wordsBy": "contributor",
}

_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_EXTRA = re.compile(r"^\s*([A-Za-z][A-Za-z -]{0,30}?)\s*:\s*(\S.*?)\s*$", re.MULTILINE)

_VENUES = ("publicationTitle", "conferenceName", "meetingName", "repository", "series", "seriesTitle", "reporter")


def zotero_item(
    id: str,
    kind: str,
    fields: Mapping[str, str],
    creators: Iterable[Creator],
    date: tuple[int | None, str],
    *,
    tags: Iterable[str] = (),
    collections: Iterable[str] = (),
    group: str = "",
    link: str = "",
    modified: str = "",
) -> Item:
    """An item by its `fields`, each under the name that it has in Zotero's base types: title and venue by whatever field the
    type has for them, "Key: value" lines of Extra used where the type has no field of its own. `date` is (year, date)."""
    extra = _extra(fields.get("extra", ""))
    title = strip_tags(fields.get("title", ""))
    return Item(
        id=id,
        kind=CSL_TYPES.get(kind, "" if kind in ("attachment", "note") else "document"),
        title=title,
        alternative_titles=_others(title, fields.get("shortTitle", ""), extra.get("original title", "")),
        creators=tuple(creators),
        year=date[0],
        date=date[1],
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
        tags=tuple(tags),
        collections=tuple(sorted(collections)),
        group=group,
        link=link,
        modified=modified,
    )


def zotero_creator(family: str, given: str, role: str) -> Creator:
    """A creator; a name in one field is the family's."""
    role = ROLES.get(role, role)
    return Creator(family, given, role) if family else Creator(given, role=role)


def annotation_place(position: str, content_type: str) -> tuple[int | None, str]:
    """(ordinal page of a PDF, anchor) by an annotation's position as Zotero keeps it, in JSON."""
    try:
        value = json.loads(position)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not value:
        return None, ""
    index = value.get("pageIndex")
    page = index + 1 if isinstance(index, int) and content_type == "application/pdf" else None
    return page, _compact({"kind": "zotero", "position": value})


def _extra(text: str) -> dict[str, str]:
    """The "Key: value" lines of the field Extra, keys in lower case; the first of a key counts."""
    lines: dict[str, str] = {}
    for found in _EXTRA.finditer(text):
        lines.setdefault(found.group(1).lower(), found.group(2))
    return lines


def _arxiv(fields: Mapping[str, str], extra: Mapping[str, str]) -> str:
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
