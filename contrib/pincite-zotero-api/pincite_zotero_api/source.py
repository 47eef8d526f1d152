"""The source: entries of the API → records."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pincite.metadata.dates import iso_date, year_of
from pincite.metadata.files import missing_windows, on_disk
from pincite.metadata.markup import html_to_text, inline_to_text
from pincite.metadata.zotero import annotation_place, zotero_creator, zotero_item
from pincite.values.library import Annotation, AnnotationKind, Attachment, Item, Note, Problem, Record
from pincite_zotero_api.account import key_of, read_account
from pincite_zotero_api.asking import Asking

Entry = Mapping[str, Any]

BASES = {
    "title": ("caseName", "nameOfAct", "subject"),
    "publicationTitle": (
        "proceedingsTitle",
        "bookTitle",
        "websiteTitle",
        "blogTitle",
        "forumTitle",
        "programTitle",
        "encyclopediaTitle",
        "dictionaryTitle",
    ),
    "publisher": (
        "university",
        "institution",
        "repository",
        "organization",
        "label",
        "studio",
        "distributor",
        "network",
        "company",
    ),
    "date": ("dateDecided", "dateEnacted", "issueDate"),
    "number": ("reportNumber", "patentNumber", "billNumber", "docketNumber", "publicLawNumber", "archiveID"),
}
"""A field of Zotero's base types → what it is called in some (schema.json of zotero-schema, "baseField")."""


class ZoteroApi:
    """Implements `pincite.spec.Source`."""

    def __init__(self, path: Path) -> None:
        self.account = read_account(path)
        self.path = path.absolute()
        server = urlsplit(self.account.url).netloc
        self.identity = f"zotero-api:{self.account.type}/{self.account.library}@{server}#{os.path.realpath(path)}"

    def records(self) -> Iterator[Record | Problem]:
        """A record for each item that stands by itself, in the order of its key."""
        asking = Asking(self.account, key_of(self.account, self.path))
        entries: dict[str, Entry] = {}
        for entry in asking.everything("items"):
            if key := _text(_data(entry), "key"):
                entries.setdefault(key, entry)
            else:
                yield Problem(self.account.url, f"gave an item without a key: {entry!s:.60}")
        collections = _paths(asking.everything("collections"))
        children: dict[str, list[Entry]] = {}
        for _, entry in sorted(entries.items()):
            if not _data(entry).get("deleted"):
                children.setdefault(_text(_data(entry), "parentItem"), []).append(entry)
        for entry in children.get("", ()):
            yield self._record(entry, children, collections)

    def watched(self) -> Sequence[Path]:
        """The file that names the library; what is behind it is asked for at each run."""
        return [self.path]

    def close(self) -> None:
        """Holds nothing between two questions."""

    def _record(self, entry: Entry, children: Mapping[str, Sequence[Entry]], collections: Mapping[str, str]) -> Record:
        kind = _text(_data(entry), "itemType")
        below = list(children.get(_text(_data(entry), "key"), ()))
        # a note or file that stands by itself is its own child
        alone = kind in ("note", "attachment")
        notes, files, marks = [], [], []
        for child in [entry, *below] if alone else below:
            data = _data(child)
            id = f"{data['key']}-self" if child is entry else data["key"]
            if data.get("itemType") == "note":
                words = html_to_text(_text(data, "note"))
                stamp = _text(data, "dateModified")
                notes.append(Note(id, words, words.split("\n")[0][:120], self._link("select", child), stamp))
            elif data.get("itemType") == "attachment" and data.get("linkMode") != "embedded_image":
                files.append(self._attachment(child, id))
                marks += [
                    self._annotation(mark, child, id)
                    for mark in children.get(data["key"], ())
                    if _data(mark).get("itemType") == "annotation"
                ]
        item = self._item(entry, kind, collections)
        if kind == "note":
            item = replace(item, title=notes[0].title)
        elif kind == "attachment" and item.title == _text(_data(entry), "filename"):
            item = replace(item, title="")  # Zotero calls a file that is alone by its name: no title yet
        return Record(item, tuple(notes), tuple(marks), tuple(files))

    def _item(self, entry: Entry, kind: str, collections: Mapping[str, str]) -> Item:
        data = _data(entry)
        fields = {name: value for name, value in data.items() if isinstance(value, str)}
        for base, names in BASES.items():
            if value := next((fields[name] for name in names if fields.get(name)), ""):
                fields.setdefault(base, value)
        date = fields.get("date", "")
        group = entry.get("library") if self.account.type == "group" else None
        return zotero_item(
            data["key"],
            kind,
            fields,
            [
                zotero_creator(
                    _text(one, "lastName") or _text(one, "name"), _text(one, "firstName"), _text(one, "creatorType")
                )
                for one in _entries(data, "creators")
            ],
            (year_of(date), iso_date(date) or date),
            tags=_tags(data),
            collections=[collections[key] for key in _texts(data, "collections") if key in collections],
            group=_text(group, "name") if isinstance(group, dict) else "",
            link=self._link("select", entry),
            modified=fields.get("dateModified", ""),
        )

    def _attachment(self, entry: Entry, id: str) -> Attachment:
        data = _data(entry)
        path, missing = _place(entry)
        pdf = data.get("contentType") == "application/pdf" and data.get("linkMode") != "linked_url"
        return Attachment(
            id,
            path,
            content_type=_text(data, "contentType"),
            title=_text(data, "title"),
            missing=missing,
            link=self._link("open-pdf", entry) + "?page={page}" if pdf else self._link("select", entry),
            modified=_text(data, "dateModified"),
        )

    def _annotation(self, entry: Entry, file: Entry, attachment: str) -> Annotation:
        data = _data(entry)
        kind = _text(data, "annotationType")
        page, anchor = annotation_place(_text(data, "annotationPosition"), _text(_data(file), "contentType"))
        link = f"{self._link('open-pdf', file)}?annotation={data['key']}"
        return Annotation(
            data["key"],
            attachment,
            AnnotationKind(kind) if kind in set(AnnotationKind) else AnnotationKind.HIGHLIGHT,
            inline_to_text(_text(data, "annotationText")),
            inline_to_text(_text(data, "annotationComment")),
            _text(data, "annotationColor"),
            page=page,
            page_label=_text(data, "annotationPageLabel") or None,
            order=_text(data, "annotationSortIndex"),
            anchor=anchor,
            tags=_tags(data),
            link=link if page is None else f"{link}&page={page}",
            modified=_text(data, "dateModified"),
        )

    def _link(self, action: str, entry: Entry) -> str:
        place = "library" if self.account.type == "user" else f"groups/{self.account.library}"
        return f"zotero://{action}/{place}/items/{_data(entry).get('key', '')}"


def _place(entry: Entry) -> tuple[str, str]:
    """(absolute path, why there is none)."""
    data = _data(entry)
    links = entry.get("links")
    enclosure = links.get("enclosure") if isinstance(links, dict) else None
    href = _text(enclosure, "href") if isinstance(enclosure, dict) else ""
    path = url2pathname(urlsplit(href).path) if href.startswith("file:") else _text(data, "path")
    if missing := missing_windows(path.removeprefix("/")):
        return "", missing
    if os.path.isabs(path):
        return str(on_disk(Path(path))), ""
    if data.get("linkMode") == "linked_url":
        return "", "a linked URL: nothing is stored in the library"
    name = next((data[key] for key in ("filename", "title", "key") if _text(data, key)), "the file")
    return "", f"{name} is not on this machine; the desktop's local API (localhost:23119) says where files are"


def _paths(entries: Sequence[Entry]) -> dict[str, str]:
    """Collection key → its path, without those in the trash or below one."""
    known = {_text(_data(one), "key"): _data(one) for one in entries}
    paths = {}
    for key in known:
        names: list[str] = []
        at, seen = key, set[str]()
        while at in known and at not in seen and not known[at].get("deleted"):
            seen.add(at)
            names.insert(0, _text(known[at], "name"))
            at = _text(known[at], "parentCollection")
        if not at and all(names):
            paths[key] = "/".join(names)
    return paths


def _data(entry: Entry) -> Entry:
    data = entry.get("data")
    return data if isinstance(data, dict) else {}


def _text(data: Entry, name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _texts(data: Entry, name: str) -> list[str]:
    value = data.get(name)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _entries(data: Entry, name: str) -> list[Entry]:
    value = data.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _tags(data: Entry) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (_text(one, "tag") for one in _entries(data, "tags")))))
