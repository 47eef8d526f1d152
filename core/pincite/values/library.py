"""What a library holds, as values: items, their creators and their children.

All of them are frozen and hashable, and hold nothing but plain data, so that a source can be
tested by comparing them and the store can keep them as JSON (`to_json`, `from_json`).
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from pincite.values.quick import dataclass


@dataclass(frozen=True, slots=True)
class Creator:
    """A person or a body that made a work.

    `family` alone holds a name in one field (an institution). `role` is a CSL name variable:
    author, editor, translator, contributor, …
    """

    family: str
    given: str = ""
    role: str = "author"

    @property
    def name(self) -> str:
        """The name in reading order."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Item:
    """A work with its metadata.

    `id` is unique in the library and stays the same from run to run. `kind` is a CSL item type
    (https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types), or "" if unknown.
    `alternative_titles` holds type-specific ones (case name, subject, name of act, short title).
    `key` is the citation key. `group` names the library inside a library that the item belongs to
    ("" is the user's own). `modified` is the source's own stamp, as text that sorts.
    """

    id: str
    kind: str = ""
    title: str = ""
    alternative_titles: tuple[str, ...] = ()
    creators: tuple[Creator, ...] = ()
    year: int | None = None
    date: str = ""
    venue: str = ""
    publisher: str = ""
    abstract: str = ""
    language: str = ""
    doi: str = ""
    isbn: str = ""
    identifiers: tuple[str, ...] = ()
    url: str = ""
    key: str = ""
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    group: str = ""
    link: str = ""
    modified: str = ""


class AnnotationKind(StrEnum):
    """What an annotation looks like."""

    HIGHLIGHT = "highlight"
    NOTE = "note"
    IMAGE = "image"
    INK = "ink"
    UNDERLINE = "underline"
    TEXT = "text"
    STRIKEOUT = "strikeout"


@dataclass(frozen=True, slots=True)
class Note:
    """A note of an item, as plain text: a source takes the markup out (`title` may be "")."""

    id: str
    text: str
    title: str = ""
    link: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A marked passage of an attachment and what was written beside it.

    `page` is the ordinal page from 1 or None, `page_label` what is printed on it or None; the two are
    never mixed. `anchor` is an anchor in JSON form (specs/05-anchors.md) or "".
    """

    id: str
    attachment: str
    kind: AnnotationKind = AnnotationKind.HIGHLIGHT
    text: str = ""
    comment: str = ""
    color: str = ""
    page: int | None = None
    page_label: str | None = None
    order: str = ""
    anchor: str = ""
    tags: tuple[str, ...] = ()
    link: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of an item, or a text that stands in its place.

    Exactly one of `path` (an absolute path, whether it exists or not) and `text` (a body that the library
    itself holds, as a JSON line does) is set; a linked URL has neither and `missing` says why. `missing` is
    a reason for which the file cannot be read ("no base directory is set for attachments:…"), or "".
    `link` opens the attachment; "{page}" in it, if any, stands for the ordinal page.
    """

    id: str
    path: str = ""
    text: str | None = None
    content_type: str = ""
    title: str = ""
    language: str = ""
    missing: str = ""
    link: str = ""
    modified: str = ""


Child = Note | Annotation | Attachment


@dataclass(frozen=True, slots=True)
class Record:
    """One item with all its children: the unit that a source yields and a store keeps."""

    item: Item
    notes: tuple[Note, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Marked:
    """A record that is made when it is asked for: `mark` is another text whenever `make` would give another record under this `id`."""

    id: str
    mark: str
    make: Callable[[], Record]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of the library that could not be read: where it is, and why; the rest was read."""

    where: str
    reason: str


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def to_json(value: Any) -> str:
    """A value as JSON, canonical: same value, same text. Fields at their default are left out."""
    return _encode(_plain(value))


_SIMPLE = frozenset((str, int, float, bool, type(None)))


def _plain(value: Any) -> Any:
    if type(value) in _SIMPLE:
        return value
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    defaults = _defaults(type(value))  # type: ignore[arg-type]  # a class can be hashed
    if defaults is None:
        return value
    out = {}
    for name, default in defaults:
        part = getattr(value, name)
        if part != default:
            out[name] = part if type(part) in _SIMPLE else _plain(part)
    return out


@functools.cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...] | None:
    """The fields of a dataclass with their defaults, or None for any other type; a library has many values of few types."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple((field.name, field.default) for field in dataclasses.fields(kind))


def fingerprint(value: Any) -> str:
    """A short hash (128 bits, hexadecimal) of a value or text, for noticing that it has changed."""
    text = value if isinstance(value, str) else to_json(value)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def item_from_json(text: str) -> Item:
    """The inverse of `to_json` for an item."""
    data = json.loads(text)
    data["creators"] = tuple(Creator(**creator) for creator in data.get("creators", ()))
    return Item(**_tuples(data))


def note_from_json(text: str) -> Note:
    """The inverse of `to_json` for a note."""
    return Note(**json.loads(text))


def annotation_from_json(text: str) -> Annotation:
    """The inverse of `to_json` for an annotation."""
    data = json.loads(text)
    if "kind" in data:
        data["kind"] = AnnotationKind(data["kind"])
    return Annotation(**_tuples(data))


def attachment_from_json(text: str) -> Attachment:
    """The inverse of `to_json` for an attachment."""
    return Attachment(**json.loads(text))


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(part) if isinstance(part, list) else part for key, part in data.items()}
