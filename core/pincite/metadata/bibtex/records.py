"""Entries → records."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import cannot_be
from pincite.markup.encoding import decode
from pincite.metadata.bibtex.entries import Entry, parse
from pincite.metadata.bibtex.files import named_files
from pincite.metadata.bibtex.inherit import inherit
from pincite.metadata.bibtex.items import make_item
from pincite.metadata.bibtex.jabref import Jabref, groups_of, read_comments
from pincite.metadata.bibtex.latex import latex_to_text, verbatim
from pincite.metadata.files import named_attachment
from pincite.metadata.identifiers import clean_doi
from pincite.metadata.ids import repeated, unique_ids
from pincite.metadata.markup import html_to_text
from pincite.values.library import Attachment, Note, Problem, Record

# BibTeX's own field ``note`` is a remark for the reference list ("in press", a catalogue's number), nothing more
_NOTES = ("annote", "annotation", "comment", "review")


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What was read: every entry as a record, in the file's order, and what was wrong."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]


def read_bibtex(path: Path, file_directory: Path | None = None) -> Bibliography:
    """Reads a BibTeX or BibLaTeX file. Files are looked for in `file_directory`, in JabRef's file directories and in
    the folder of the bibliography, in this order. Raises `PinciteError` where the file cannot be read at all."""
    try:
        text = decode(path.read_bytes())[0]
    except OSError as error:
        raise cannot_be("read", path, error) from None
    parsed = parse(text)
    inherit(parsed.entries)
    jabref = read_comments(parsed.comments)
    home = path.absolute().parent
    folders = [*([file_directory] if file_directory else []), *(home / _folder(one) for one in jabref.folders), home]
    keys = [entry.key for entry in parsed.entries]
    named = [entry.key or clean_doi(verbatim(entry.fields.get("doi", ""))) for entry in parsed.entries]
    ids = unique_ids(named, [_content(entry) for entry in parsed.entries])
    records = tuple(_record(entry, id, jabref, folders) for entry, id in zip(parsed.entries, ids, strict=True))
    problems = [
        Problem(f"{path}:{fault.line}", f"{fault.key or 'an entry'}: {fault.reason}") for fault in parsed.faults
    ]
    if twice := repeated(keys):
        problems.append(Problem(str(path), twice))
    return Bibliography(records, tuple(problems))


def _content(entry: Entry) -> str:
    return "\n".join([entry.type, *(f"{name}={value}" for name, value in sorted(entry.fields.items()))])


def _record(entry: Entry, id: str, jabref: Jabref, folders: Sequence[Path]) -> Record:
    item = make_item(entry, id, groups_of(entry, jabref))
    attachments: list[Attachment] = []
    for named in named_files(entry):
        if named.url:
            own = f"{id}/{named.url}"
            attachments.append(
                Attachment(own, title=named.title, missing="a linked URL: nothing is stored", link=named.url)
            )
            continue
        attachments.append(named_attachment(f"{id}/{named.path}", named.path, folders, named.title))
    notes = tuple(
        Note(f"{id}#{field}", text)
        for field in _NOTES
        if (text := html_to_text(latex_to_text(entry.fields.get(field, ""))))
    )
    return Record(item, notes=notes, attachments=tuple(attachments))


def _folder(text: str) -> Path:
    return Path(text if os.name == "nt" else text.replace("\\", "/")).expanduser()
