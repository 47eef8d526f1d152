"""Source `openalex`: an export of works from OpenAlex, as JSON lines or as pages of its API (``{"results": [...]}``), gzipped or not.

Fields: https://docs.openalex.org/api-entities/works/work-object. Abstracts come as an inverted index (word → positions) and are put
together again.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError, UsageError, cannot_be
from pincite.metadata.identifiers import clean_doi, identifiers
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.spec import Context, Register, hookimpl
from pincite.values.library import Attachment, Creator, Item, Problem, Record

PINCITE_CONTRACT = 1

KINDS = {
    "article": "article-journal",
    "preprint": "article",
    "book": "book",
    "book-chapter": "chapter",
    "dissertation": "thesis",
    "dataset": "dataset",
    "report": "report",
    "review": "review",
    "reference-entry": "entry-encyclopedia",
    "standard": "standard",
    "software": "software",
    "conference-paper": "paper-conference",
    "letter": "article-journal",
    "editorial": "article-journal",
    "peer-review": "review",
}
"""OpenAlex's type → CSL's; any other is "document"."""

_WORK = re.compile(rb'"id"\s*:\s*"https:(?:/|\\/){2}openalex\.org(?:/|\\/)W\d')

TORN = "is not valid JSON"

MOST = 1 << 30
"""Bytes of a file, unpacked: it is held in memory."""


class OpenAlexExport:
    """Implements `pincite.spec.Source`."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise UsageError(f"{path}: no such file; give an export of OpenAlex works (.jsonl, .json, .gz)")
        self.path = path.absolute()
        self.identity = f"openalex:{os.path.realpath(path)}"

    def records(self) -> Iterator[Record | Problem]:
        """A record for each work, in the order of its id."""
        found: dict[str, Record] = {}
        for where, work in self._works():
            if work == TORN:
                yield Problem(f"{self.path}, {where}", work)
                continue
            record = record_of(work)
            if record is None:
                yield Problem(f"{self.path}, {where}", "is no OpenAlex work: it has no id like https://openalex.org/W…")
            elif record.item.id in found:
                yield Problem(f"{self.path}, {where}", f"{record.item.id} is there twice; the second was left out")
            else:
                found[record.item.id] = record
        yield from (found[id] for id in sorted(found))

    def watched(self) -> Sequence[Path]:
        """The file."""
        return [self.path]

    def close(self) -> None:
        """Holds nothing."""

    def _works(self) -> Iterator[tuple[str, Any]]:
        """(where, work or what is wrong with it). Raises `PinciteError` where nothing is JSON: half a page is no library."""
        source = self._text()
        try:
            yield from _listed("", json.loads(source))
            return
        except ValueError:
            lines = [(number, line) for number, line in enumerate(source.split("\n"), 1) if line.strip()]
        except RecursionError:
            lines = []
        values: list[tuple[str, Any]] = []
        for number, line in lines:
            try:
                values.append((f"line {number}", json.loads(line)))
            except (ValueError, RecursionError):
                values.append((f"line {number}", TORN))
        if not any(isinstance(value, dict) and value.keys() & {"id", "results"} for _, value in values):
            raise PinciteError(f"{self.path}: is not valid JSON, perhaps cut off; download it again")
        for where, value in values:
            yield from _listed(where, value)

    def _text(self) -> str:
        try:
            with self.path.open("rb") as file:
                packed = file.read(2) == b"\x1f\x8b"
                file.seek(0)
                data = (gzip.GzipFile(fileobj=file) if packed else file).read(MOST + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise PinciteError(f"{self.path}: cannot be unpacked: {error}; download it again") from None
        except OSError as error:
            raise cannot_be("read", self.path, error) from None
        if len(data) > MOST:
            raise PinciteError(f"{self.path}: holds more than {MOST:,} bytes; split it into several libraries")
        if not data.strip():
            raise UsageError(f"{self.path}: is empty; give an export of OpenAlex works")
        return data.decode("utf-8-sig", "replace")


def _listed(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The works of a page, or of the list that a whole file is, or the one work."""
    works = value.get("results") if isinstance(value, dict) else value
    if not isinstance(works, list) or (where and works is value):
        yield where or "work 1", value
        return
    for number, work in enumerate(works, 1):
        yield f"{where}, work {number}".removeprefix(", "), work


def record_of(work: Any) -> Record | None:
    """A work object as a record, or None where it is none."""
    id = _text(work.get("id")) if isinstance(work, dict) else ""
    id = id.rpartition("/")[2]
    if not (id.startswith("W") and id[1:].isdecimal() and id.isascii()):
        return None
    ids = _mapping(work.get("ids"))
    place = _mapping(work.get("primary_location"))
    journal = _mapping(place.get("source"))
    year = work.get("publication_year")
    item = Item(
        id=id,
        kind=KINDS.get(_text(work.get("type")), "document"),
        title=strip_tags(_text(work.get("title")) or _text(work.get("display_name"))),
        creators=tuple(_creators(work)),
        year=year if type(year) is int and 0 < year < 10_000 else None,
        date=_text(work.get("publication_date")),
        venue=_text(journal.get("display_name")),
        publisher=_text(journal.get("host_organization_name")),
        abstract=html_to_text(abstract_of(work.get("abstract_inverted_index"))),
        language=language_code(_text(work.get("language"))),
        doi=clean_doi(_text(work.get("doi"))),
        identifiers=identifiers(
            arxiv=_text(place.get("landing_page_url")) if "arxiv.org/" in _text(place.get("landing_page_url")) else "",
            pmid=_text(ids.get("pmid")).rpartition("/")[2],
            pmcid=_text(ids.get("pmcid")).rpartition("/")[2],
            issn=_text(journal.get("issn_l")),
        ),
        url=_text(place.get("landing_page_url")),
        tags=tuple(
            dict.fromkeys(
                filter(None, (_text(_mapping(one).get("display_name")) for one in _list(work.get("keywords"))))
            )
        ),
        link=f"https://openalex.org/{id}",
    )
    pdf = _text(_mapping(work.get("best_oa_location")).get("pdf_url"))
    online = Attachment(f"{id}-pdf", missing=f"is online only: {pdf}", link=pdf) if pdf else None
    return Record(item, attachments=(online,) if online else ())


def abstract_of(index: Any) -> str:
    """The text of an inverted index: word → its positions."""
    placed: dict[int, str] = {}
    for word, positions in _mapping(index).items():
        for position in _list(positions):
            if type(position) is int:
                placed[position] = str(word)
    return " ".join(placed[position] for position in sorted(placed))


def _creators(work: Mapping[str, Any]) -> Iterator[Creator]:
    for authorship in _list(work.get("authorships")):
        name = _text(_mapping(_mapping(authorship).get("author")).get("display_name"))
        words = name.split()
        if words:
            # van den Berg: the family name begins with the first word in lower case
            start = next((at for at, word in enumerate(words[1:-1], 1) if word[0].islower()), len(words) - 1)
            yield Creator(" ".join(words[start:]), " ".join(words[:start]))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def recognises(path: Path) -> float:
    """0.95 for a file that begins with an OpenAlex work, not with one that only mentions OpenAlex."""
    name = path.name.lower()
    if not path.is_file() or not name.endswith((".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz")):
        return 0.0
    try:
        with gzip.open(path) if name.endswith(".gz") else path.open("rb") as file:
            head = file.read(1 << 16)
    except (OSError, EOFError, zlib.error):
        return 0.0
    return 0.95 if _WORK.search(head) else 0.0


def make(settings: None, context: Context) -> Any:
    """The source for `context.library`."""
    if context.library is None:
        raise UsageError("source openalex: no library is given; give an export of OpenAlex works")
    return OpenAlexExport(context.library)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `openalex`."""
    register("openalex", make, recognises=recognises)
