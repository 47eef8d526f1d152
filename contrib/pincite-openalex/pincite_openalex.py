"""Source `openalex`: an export of works from OpenAlex, as JSON lines or as a page of its API (``{"results": [...]}``), gzipped or not.

Fields: https://docs.openalex.org/api-entities/works/work-object. Abstracts come as an inverted index (word → positions) and are put
together again.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError, UsageError
from pincite.metadata.identifiers import clean_doi, identifiers
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
}
"""OpenAlex's type → CSL's; any other is "document"."""


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
            if isinstance(work, str):
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
        """(where, work or what is wrong with it)."""
        source = self._text()
        try:
            whole = json.loads(source)
        except ValueError:
            for number, line in enumerate(source.split("\n"), 1):
                if line.strip():
                    try:
                        yield f"line {number}", json.loads(line)
                    except (ValueError, RecursionError):
                        yield f"line {number}", "is not valid JSON"
        except RecursionError:
            yield "the file", "is nested too deeply"
        else:
            works = whole.get("results", [whole]) if isinstance(whole, dict) else whole
            for number, work in enumerate(works if isinstance(works, list) else [], 1):
                yield f"work {number}", work

    def _text(self) -> str:
        try:
            data = self.path.read_bytes()
            if data[:2] == b"\x1f\x8b":
                data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise PinciteError(f"{self.path}: cannot be read: {error}; download it again") from None
        return data.decode("utf-8-sig", "replace")


def record_of(work: Any) -> Record | None:
    """A work object as a record, or None where it is none."""
    id = _text(work.get("id")) if isinstance(work, dict) else ""
    id = id.rpartition("/")[2]
    if not (id.startswith("W") and id[1:].isdecimal()):
        return None
    ids = _mapping(work.get("ids"))
    place = _mapping(work.get("primary_location"))
    year = work.get("publication_year")
    item = Item(
        id=id,
        kind=KINDS.get(_text(work.get("type")), "document"),
        title=strip_tags(_text(work.get("title")) or _text(work.get("display_name"))),
        creators=tuple(_creators(work)),
        year=year if isinstance(year, int) and not isinstance(year, bool) else None,
        date=_text(work.get("publication_date")),
        venue=_text(_mapping(place.get("source")).get("display_name")),
        abstract=html_to_text(abstract_of(work.get("abstract_inverted_index"))),
        language=_text(work.get("language")),
        doi=clean_doi(_text(work.get("doi"))),
        identifiers=identifiers(
            pmid=_text(ids.get("pmid")).rpartition("/")[2], pmcid=_text(ids.get("pmcid")).rpartition("/")[2]
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
            if isinstance(position, int):
                placed[position] = str(word)
    return " ".join(placed[position] for position in sorted(placed))


def _creators(work: Mapping[str, Any]) -> Iterator[Creator]:
    for authorship in _list(work.get("authorships")):
        name = _text(_mapping(_mapping(authorship).get("author")).get("display_name"))
        given, _, family = name.rpartition(" ")
        if family:
            yield Creator(family, given)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def recognises(path: Path) -> float:
    """0.95 for a file that begins with an OpenAlex work."""
    name = path.name.lower()
    if not path.is_file() or not name.endswith((".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz")):
        return 0.0
    try:
        with gzip.open(path) if name.endswith(".gz") else path.open("rb") as file:
            head = file.read(4096)
    except (OSError, EOFError, zlib.error):
        return 0.0
    return 0.95 if b"https://openalex.org/W" in head.replace(b"\\/", b"/") else 0.0


def make(settings: None, context: Context) -> Any:
    """The source for `context.library`."""
    if context.library is None:
        raise UsageError("source openalex: no library is given; give an export of OpenAlex works")
    return OpenAlexExport(context.library)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `openalex`."""
    register("openalex", make, recognises=recognises)
