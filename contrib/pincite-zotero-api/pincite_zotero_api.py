"""Source `zotero-api`: a Zotero library over the web API, or over the local API of the desktop.

The library is a small TOML file, ``NAME.zotero-api``, so that the connection is one that you have named::

    library = 475425                       # your user id, or a group's
    type = "group"                         # or "user"
    url = "http://localhost:23119/api"     # the desktop; left out: https://api.zotero.org
    key_env = "ZOTERO_API_KEY"             # the variable that holds the key, for a private library

Only GET is used. API: https://www.zotero.org/support/dev/web_api/v3/basics. (pyzotero wants bibtexparser 1, pincite reads with 2:
the two cannot be installed together, and of the API two lists are needed.)
"""

from __future__ import annotations

import os
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlparse

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.errors import PinciteError, UsageError
from pincite.metadata.dates import iso_date, year_of
from pincite.metadata.identifiers import clean_doi, clean_isbn
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text
from pincite.spec import Context, Register, hookimpl
from pincite.values.library import Annotation, AnnotationKind, Attachment, Creator, Item, Note, Problem, Record

PINCITE_CONTRACT = 1
SUFFIX = ".zotero-api"
WEB = "https://api.zotero.org"
PAGE = 100

KINDS = {
    "journalArticle": "article-journal",
    "magazineArticle": "article-magazine",
    "newspaperArticle": "article-newspaper",
    "bookSection": "chapter",
    "conferencePaper": "paper-conference",
    "preprint": "article",
    "webpage": "webpage",
    "book": "book",
    "report": "report",
    "thesis": "thesis",
}
"""Zotero's item type → CSL's; any other is "document"."""

_VENUES = (
    "publicationTitle",
    "proceedingsTitle",
    "bookTitle",
    "conferenceName",
    "websiteTitle",
    "university",
    "institution",
)


class Account(BaseModel):
    """What the file says."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    library: int
    type: Literal["user", "group"] = "user"
    url: str = WEB
    key_env: str = ""


class ZoteroApi:
    """Implements `pincite.spec.Source`."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise UsageError(f"{path}: no such file; give a {SUFFIX} file with `library = …`")
        self.path = path.absolute()
        try:
            self.account = Account(**tomllib.loads(path.read_text("utf-8")))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: not valid TOML: {error}; correct that line") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            raise UsageError(
                f"{path}: '{where}': {first['msg'].lower()}; see the README of pincite-zotero-api"
            ) from None
        server = urlparse(self.account.url).netloc
        self.identity = f"zotero-api:{self.account.type}/{self.account.library}@{server}#{os.path.realpath(path)}"

    def records(self) -> Iterator[Record | Problem]:
        """A record for each item that stands by itself, in the order of its key."""
        items = sorted(self._everything("items"), key=lambda one: str(one.get("key")))
        names = {str(one.get("key")): _data(one).get("name", "") for one in self._everything("collections")}
        children: dict[str, list[Mapping[str, Any]]] = {}
        tops = []
        for entry in items:
            data = _data(entry)
            if not data.get("key"):
                yield Problem(self.account.url, f"gave an item without a key: {entry!s:.60}")
            elif data.get("parentItem"):
                children.setdefault(data["parentItem"], []).append(entry)
            else:
                tops.append(entry)
        for entry in tops:
            yield self._record(entry, children, names)

    def watched(self) -> Sequence[Path]:
        """The file that names the library; what is behind it is asked for at each run."""
        return [self.path]

    def close(self) -> None:
        """Holds nothing between two questions."""

    # ------------------------------------------------------------------------------------------ asking

    def _everything(self, what: str) -> list[Mapping[str, Any]]:
        """All pages of a list."""
        import requests

        key = os.environ.get(self.account.key_env) if self.account.key_env else None
        if self.account.key_env and not key:
            raise PinciteError(
                f"{self.path}: the variable {self.account.key_env} is not set; put your Zotero API key there"
            )
        base = self.account.url.rstrip("/")
        url = f"{base}/{self.account.type}s/{self.account.library}/{what}?limit={PAGE}&sort=dateAdded&direction=asc"
        found: list[Mapping[str, Any]] = []
        try:
            with requests.Session() as session:
                session.headers["Zotero-API-Version"] = "3"
                while url:
                    response = _asked(session, url, key)
                    found += [one for one in response.json() if isinstance(one, dict)]
                    after = response.links.get("next", {}).get("url", "")
                    # the key goes nowhere but to the server that was named
                    url = after if urlparse(after).netloc == urlparse(base).netloc else ""
        except requests.exceptions.JSONDecodeError:
            raise PinciteError(f"{base}: gave no JSON; is this Zotero's API?") from None
        except requests.RequestException as error:
            said = " ".join(str(error).split())[:200] or type(error).__name__
            raise PinciteError(
                f"{base}: Zotero does not answer: {said}; is it running, and does the key allow reading?"
            ) from None
        return found

    # ------------------------------------------------------------------------------------------ values

    def _record(
        self, entry: Mapping[str, Any], children: Mapping[str, Sequence[Mapping[str, Any]]], names: Mapping[str, str]
    ) -> Record:
        data = _data(entry)
        below = list(children.get(data["key"], ()))
        if data.get("itemType") in ("attachment", "note"):
            below, data = [entry, *below], {**data, "title": data.get("title", "")}
        notes, files, marks = [], [], []
        for child in below:
            kind = _data(child).get("itemType")
            if kind == "note":
                words = html_to_text(_data(child).get("note", ""))
                notes.append(Note(_child_id(child, entry), words, words.split("\n")[0][:120], self._link(child)))
            elif kind == "attachment":
                file = self._attachment(child, _child_id(child, entry))
                files.append(file)
                marks += [
                    self._annotation(mark, file.id)
                    for mark in children.get(_data(child)["key"], ())
                    if _data(mark).get("itemType") == "annotation"
                ]
        return Record(self._item(entry, data, names), tuple(notes), tuple(marks), tuple(files))

    def _item(self, entry: Mapping[str, Any], data: Mapping[str, Any], names: Mapping[str, str]) -> Item:
        date = data.get("date", "")
        return Item(
            id=data["key"],
            kind=""
            if data.get("itemType") in ("attachment", "note")
            else KINDS.get(data.get("itemType", ""), "document"),
            title=html_to_text(data.get("title") or data.get("caseName") or data.get("nameOfAct") or ""),
            creators=tuple(
                Creator(
                    one.get("lastName") or one.get("name", ""),
                    one.get("firstName", ""),
                    one.get("creatorType", "author"),
                )
                for one in data.get("creators", ())
            ),
            year=year_of(date),
            date=iso_date(date) or date,
            venue=next((data[name] for name in _VENUES if data.get(name)), ""),
            publisher=data.get("publisher", ""),
            abstract=html_to_text(data.get("abstractNote", "")),
            language=language_code(data.get("language", "")),
            doi=clean_doi(data.get("DOI", "")),
            isbn=clean_isbn(data.get("ISBN", "")),
            url=data.get("url", ""),
            key=data.get("citationKey", ""),
            tags=tuple(dict.fromkeys(one["tag"] for one in data.get("tags", ()) if one.get("tag"))),
            collections=tuple(sorted(filter(None, (names.get(key, "") for key in data.get("collections", ()))))),
            link=self._link(entry),
            modified=data.get("dateModified", ""),
        )

    def _attachment(self, entry: Mapping[str, Any], id: str) -> Attachment:
        data = _data(entry)
        href = entry.get("links", {}).get("enclosure", {}).get("href", "")
        path = data.get("path", "")
        if href.startswith("file:"):
            path = unquote(urlparse(href).path)
        missing = ""
        if not path or not os.path.isabs(path):
            name = data.get("filename") or data.get("url") or data.get("title") or id
            path, missing = (
                "",
                f"{name} is not on this machine; the desktop's local API (localhost:23119) says where files are",
            )
        return Attachment(
            id,
            path,
            content_type=data.get("contentType", ""),
            title=data.get("title", ""),
            missing=missing,
            link=self._link(entry),
        )

    def _annotation(self, entry: Mapping[str, Any], attachment: str) -> Annotation:
        data = _data(entry)
        kinds = {str(kind) for kind in AnnotationKind}
        kind = data.get("annotationType", "")
        return Annotation(
            data["key"],
            attachment,
            AnnotationKind(kind if kind in kinds else "note"),
            data.get("annotationText") or "",
            html_to_text(data.get("annotationComment") or ""),
            data.get("annotationColor") or "",
            page_label=data.get("annotationPageLabel") or None,
            order=data.get("annotationSortIndex") or "",
            tags=tuple(one["tag"] for one in data.get("tags", ()) if one.get("tag")),
            link=self._link(entry),
        )

    def _link(self, entry: Mapping[str, Any]) -> str:
        place = "library" if self.account.type == "user" else f"groups/{self.account.library}"
        return f"zotero://select/{place}/items/{_data(entry).get('key', '')}"


def _asked(session: Any, url: str, key: str | None) -> Any:
    """One GET; the server's wish to be left alone for a while is kept, up to a minute, three times."""
    for attempt in range(3):
        response = session.get(url, timeout=(10, 60), headers={"Authorization": f"Bearer {key}"} if key else {})
        if response.status_code in (429, 503) and attempt < 2:
            wait = response.headers.get("Retry-After", "1")
            time.sleep(min(60, int(wait) if wait.isdecimal() else 1))
            continue
        break
    response.raise_for_status()
    return response


def _data(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    data = entry.get("data")
    return data if isinstance(data, dict) else {}


def _child_id(child: Mapping[str, Any], top: Mapping[str, Any]) -> str:
    """A child's key; a note or file that stands by itself is its own child."""
    key: str = _data(child)["key"]
    return f"{key}-self" if child is top else key


def make(settings: None, context: Context) -> Any:
    """The source for `context.library`."""
    if context.library is None:
        raise UsageError(f"source zotero-api: no library is given; give a {SUFFIX} file")
    return ZoteroApi(context.library)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `zotero-api`."""
    register("zotero-api", make, recognises=lambda path: 1.0 if path.suffix == SUFFIX and path.is_file() else 0.0)
