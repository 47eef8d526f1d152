"""A folder's documents as its bibliography describes them."""

from __future__ import annotations

import dataclasses
import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pincite.metadata.bibtex import read_bibtex
from pincite.metadata.files import attachment_of
from pincite.values.library import Attachment, Problem, Record
from pincite_plugins.sources.folder.walk import Document


@dataclass(frozen=True, slots=True)
class Described:
    """The records of a bibliography, and the paths of the documents that are theirs."""

    records: tuple[Record, ...] = ()
    problems: tuple[Problem, ...] = ()
    paths: frozenset[Path] = field(default_factory=frozenset)


def describe(bibliography: Path, documents: Sequence[Document]) -> Described:
    """Reads the bibliography. A document belongs to the entries that name it (``file``), or whose key is its name."""
    read = read_bibtex(bibliography)
    by_path = {os.path.realpath(one.path): one for one in documents}
    by_name: dict[str, list[Document]] = {}
    for one in documents:
        by_name.setdefault(one.path.stem, []).append(one)
    records: list[Record] = []
    taken: set[Path] = set()
    for record in read.records:
        attachments: list[Attachment] = []
        places: list[str] = []
        for attachment in record.attachments or _by_key(record, by_name):
            document = by_path.get(os.path.realpath(attachment.path)) if attachment.path else None
            if document is not None:
                taken.add(document.path)
                attachment = dataclasses.replace(attachment, modified=str(document.modified))
                places.append(posixpath.dirname(document.id))
            attachments.append(attachment)
        collections = dict.fromkeys([*record.item.collections, *(place for place in places if place)])
        item = dataclasses.replace(record.item, collections=tuple(collections))
        records.append(dataclasses.replace(record, item=item, attachments=tuple(attachments)))
    return Described(tuple(records), read.problems, frozenset(taken))


def _by_key(record: Record, by_name: dict[str, list[Document]]) -> tuple[Attachment, ...]:
    key = record.item.key
    return tuple(attachment_of(f"{record.item.id}/{one.id}", str(one.path)) for one in by_name.get(key, ()) if key)
