"""Reads lines of JSON. The file is gone through twice, so that items come in the order of their ids without all of them
being held in memory: once for ids and faults, once, by offset, for the records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from pincite.errors import UsageError, cannot_be
from pincite.metadata.dates import from_csl, year_of
from pincite.metadata.identifiers import clean_doi, clean_isbn
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Attachment, Creator, Item, Problem, Record

_BOM = b"\xef\xbb\xbf"


class JsonlSource:
    """A file of JSON objects, one a line."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.identity = f"jsonl:{self.path}"

    def records(self) -> Iterator[Record | Problem]:
        """First what is wrong, by line, then every record by id."""
        try:
            with self.path.open("rb") as file:
                places: dict[str, int] = {}
                yield from self._survey(file, places)
                for id in sorted(places):
                    file.seek(places[id])
                    yield _record(id, json.loads(file.readline().removeprefix(_BOM)))
        except OSError as error:
            raise cannot_be("read", self.path, error) from None

    def watched(self) -> Sequence[Path]:
        """The file."""
        return (self.path,)

    def close(self) -> None:
        """Nothing stays open."""

    def _survey(self, file: BinaryIO, places: dict[str, int]) -> Iterator[Problem]:
        """Fills `places` (id → offset); yields a problem for each line that gives no record."""
        offset, faults = 0, 0
        lines: dict[str, int] = {}
        for number, line in enumerate(file, 1):
            start, offset = offset, offset + len(line)
            if not line.removeprefix(_BOM).strip():
                continue
            try:
                id = _id(json.loads(line.removeprefix(_BOM)))
                if id in places:
                    raise ValueError(f"the id {id!r} was given already, on line {lines[id]}; this line is left out")
            except (ValueError, RecursionError) as error:
                faults += 1
                yield Problem(f"{self.path}:{number}", _reason(error))
            else:
                places[id], lines[id] = start, number
        if not places and faults:
            raise UsageError(
                f"{self.path}: none of its {faults} lines is a JSON object with an id; each line needs "
                '{"id": …, "title": …, "text": …}'
            )


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at column {error.colno})"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 (byte {error.start})"
    if isinstance(error, RecursionError):
        return "not JSON that can be read (nested too deeply)"
    return str(error)


def _id(data: Any) -> str:
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    for name in ("id", "_id"):
        value = data.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            if not any(isinstance(data.get(part), str) for part in ("title", "text", "abstract")):
                raise ValueError(f"{name} {value!r} has neither title, text nor abstract")
            return str(value)
    raise ValueError("no id")


def _record(id: str, data: dict[str, Any]) -> Record:
    language = language_code(_text(data, "lang", "language"))
    year, date = from_csl(data.get("date") or data.get("issued") or "")
    stated = str(data.get("year") or "")
    item = Item(
        id=id,
        kind=_text(data, "kind", "type"),
        title=strip_tags(_text(data, "title")),
        creators=tuple(_creators(data.get("creators") or data.get("authors") or data.get("author"))),
        year=year_of(stated) if stated else year,
        date=date or stated,
        venue=_text(data, "venue", "container-title", "journal"),
        publisher=_text(data, "publisher"),
        abstract=html_to_text(_text(data, "abstract")),
        language=language,
        doi=clean_doi(_text(data, "doi", "DOI")),
        isbn=clean_isbn(_text(data, "isbn", "ISBN")),
        url=_text(data, "url", "URL"),
        key=_text(data, "key", "citation-key"),
        tags=_texts(data.get("tags") or data.get("keywords")),
        collections=_texts(data.get("collections")),
        link=_text(data, "link", "url", "URL"),
    )
    text = _text(data, "text")
    if not text.strip():
        return Record(item)
    body = Attachment(id=f"{id}#text", text=text, content_type="text/plain", title=item.title, language=language)
    return Record(item, attachments=(body,))


def _text(data: dict[str, Any], *names: str) -> str:
    for name in names:
        value = data.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    return tuple(dict.fromkeys(str(part).strip() for part in value if str(part).strip()))


def _creators(value: Any) -> Iterator[Creator]:
    if isinstance(value, str):
        value = value.split(";")
    for one in value if isinstance(value, list) else ():
        if isinstance(one, dict):
            family = _text(one, "family", "literal", "name")
            if family:
                yield Creator(family, _text(one, "given"), _text(one, "role") or "author")
        elif isinstance(one, str) and one.strip():
            family, comma, given = one.partition(",")
            if comma:
                yield Creator(family.strip(), given.strip())
            else:
                *first, last = one.split()
                yield Creator(last, " ".join(first))
