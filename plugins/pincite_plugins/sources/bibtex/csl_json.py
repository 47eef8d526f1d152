"""CSL-JSON: a list of items as citation processors take them.

Source: https://github.com/citation-style-language/schema (csl-data.json).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.metadata.bibtex import Bibliography
from pincite.metadata.dates import from_csl
from pincite.metadata.files import named_attachment
from pincite.metadata.identifiers import clean_doi, clean_isbn, identifiers
from pincite.metadata.ids import repeated, unique_ids
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Creator, Item, Note, Problem, Record

_ROLES = (
    "author",
    "editor",
    "translator",
    "container-author",
    "collection-editor",
    "editorial-director",
    "director",
    "composer",
    "performer",
    "interviewer",
    "illustrator",
    "recipient",
    "reviewed-author",
    "original-author",
    "contributor",
)


def read_csl_json(path: Path, text: str, directory: Path | None) -> Bibliography:
    """The items of a file: a list, or an object that has it under ``items``."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON ({error}); export the library as CSL JSON once more") from None
    if isinstance(data, dict):
        data = data.get("items", [data] if "type" in data else None)
    if not isinstance(data, list):
        raise UsageError(f"{path}: JSON, but not a list of CSL items; export the library as CSL JSON")
    problems = [
        Problem(f"{path}:item {number}", "not a CSL item: it has no type")
        for number, one in enumerate(data, 1)
        if not _is_item(one)
    ]
    items = [one for one in data if _is_item(one)]
    if not items and data:
        other = any(isinstance(one, dict) and "itemType" in one for one in data)
        what = "Better BibTeX JSON" if other else "JSON, but none of its parts is a CSL item"
        raise UsageError(f"{path}: {what}; export the library as CSL JSON")
    keys = [str(one.get("id", "")) for one in items]
    if twice := repeated(keys):
        problems.append(Problem(str(path), twice))
    ids = unique_ids(keys, [json.dumps(one, sort_keys=True) for one in items])
    folders = [*([directory] if directory else []), path.parent]
    return Bibliography(
        tuple(_record(one, id, folders) for one, id in zip(items, ids, strict=True)),
        tuple(problems),
    )


def _is_item(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def _record(data: dict[str, Any], id: str, folders: list[Path]) -> Record:
    year, date = from_csl(data.get("issued"))
    title = strip_tags(_text(data, "title"))
    short = strip_tags(_text(data, "title-short", "shortTitle"))
    extra = _text(data, "note")
    doi = clean_doi(_text(data, "DOI"))
    url = _text(data, "URL")
    item = Item(
        id=id,
        kind=_text(data, "type"),
        title=title,
        alternative_titles=(short,) if short and short != title else (),
        creators=tuple(creator for role in _ROLES for creator in _creators(data.get(role), role)),
        year=year,
        date=date,
        venue=strip_tags(_text(data, "container-title", "event-title", "event", "collection-title")),
        publisher=_text(data, "publisher"),
        abstract=html_to_text(_text(data, "abstract")),
        language=language_code(_text(data, "language")),
        doi=doi,
        isbn=clean_isbn(_text(data, "ISBN")),
        identifiers=identifiers(
            arxiv=_line(extra, "arxiv"),
            pmid=_text(data, "PMID") or _line(extra, "pmid"),
            pmcid=_text(data, "PMCID") or _line(extra, "pmcid"),
            issn=_text(data, "ISSN"),
        ),
        url=url,
        key=_text(data, "citation-key", "citekey") or _text(data, "id"),
        tags=_tags(data),
        link=url or (f"https://doi.org/{doi}" if doi else ""),
    )
    annote = html_to_text(_text(data, "annote"))
    attachments = [named_attachment(f"{id}/{named}", named, folders) for named in _files(data.get("file"))]
    return Record(item, notes=(Note(f"{id}#annote", annote),) if annote else (), attachments=tuple(attachments))


def _text(data: dict[str, Any], *names: str) -> str:
    for name in names:
        value = data.get(name)
        if isinstance(value, str | int | float) and str(value).strip():
            return str(value).strip()
    return ""


def _creators(value: Any, role: str) -> Iterator[Creator]:
    for one in value if isinstance(value, list) else ():
        if not isinstance(one, dict):
            continue
        particle = _text(one, "non-dropping-particle", "dropping-particle")
        family = " ".join(part for part in (particle, _text(one, "family"), _text(one, "suffix")) if part)
        if family := family or _text(one, "literal"):
            yield Creator(family, _text(one, "given"), role)
        elif given := _text(one, "given"):
            yield Creator(given, "", role)


def _tags(data: dict[str, Any]) -> tuple[str, ...]:
    value = data.get("keyword") or data.get("tags") or ()
    parts = value if isinstance(value, list) else re.split(r"[,;]", str(value)) if value else ()
    return tuple(dict.fromkeys(str(part).strip() for part in parts if str(part).strip()))


def _files(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and one.strip() and "://" not in one:
            yield one.strip()


def _line(extra: str, name: str) -> str:
    found = re.search(rf"^\s*{name}\s*:\s*(\S+)", extra, re.IGNORECASE | re.MULTILINE)
    return found.group(1) if found else ""
