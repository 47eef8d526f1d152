"""A passage by its id, whether its file is indexed or not: one that is not is read for it now (specs/31-previews.md)."""

from __future__ import annotations

from pincite.errors import UsageError
from pincite.library import Library
from pincite.search import found as indexed
from pincite.search.found import Found
from pincite.search.unindexed import named, no_passage, reasons_of, unread
from pincite.spec import Cancel
from pincite.values.ledger import FileEntry


def find(library: Library, passage: str, cancelled: Cancel = lambda: False) -> Found:
    """A passage by its id. Raises `UsageError` where there is none of it, or where its file cannot be read."""
    entry = None if library.store.find_chunk(passage) is not None else _waiting(library, passage)
    if entry is None:
        return indexed.find(library.store, passage)
    for found in _read(library, entry, cancelled):
        if found.chunk.id == passage:
            return found
    raise UsageError(f"{named(entry)} is not indexed yet, and has no passage '{passage}'")


def has(library: Library, passage: str) -> bool:
    """Whether there is a passage of that id, or a file that is not read yet and may have it."""
    return library.store.find_chunk(passage) is not None or _waiting(library, passage) is not None


def around(library: Library, found: Found, count: int = 1) -> tuple[list[Found], list[Found]]:
    """Up to `count` passages before and after it in the same file, note or annotation, in reading order."""
    if found.chunk.indexed:
        return indexed.around(library.store, found, count)
    entry = _waiting(library, found.chunk.id)
    same = _read(library, entry, lambda: False) if entry is not None else []
    at = next((at for at, one in enumerate(same) if one.chunk.id == found.chunk.id), 0)
    return same[max(0, at - count) : at], same[at + 1 : at + 1 + count]


def every(library: Library, item: int) -> tuple[list[Found], list[str]]:
    """Every passage of an item in reading order, with those of its files that are not indexed yet; and, in a line each, why there is none
    of others."""
    found = indexed.every(library.store, item)
    entries = library.store.files([item])
    told = reasons_of(entries).get(item, {})
    for entry in unread(entries):
        try:
            found += _read(library, entry, lambda: False)
            del told[entry.attachment]
        except UsageError as error:
            told[entry.attachment] = str(error)
    return found, list(told.values())


def _waiting(library: Library, passage: str) -> FileEntry | None:
    """The file of a passage, where it is not indexed yet: its id is the attachment's, and the passage's number (specs/03-store.md)."""
    attachment, _, number = passage.rpartition("#")
    if not attachment or not number.isdecimal() or library.store.attachment(attachment) is None:
        return None
    return next((entry for entry in unread(library.store.files()) if entry.attachment == attachment), None)


def _read(library: Library, entry: FileEntry, cancelled: Cancel) -> list[Found]:
    """The passages of a file that is not indexed yet. Raises `UsageError` where it cannot be read."""
    seconds = library.config.settings.index.timeout
    preview = library.previews.read([entry], seconds, cancelled).get(entry.attachment)
    record = library.store.records([entry.item]).get(entry.item)
    if preview is None or preview.reason or record is None:
        reason = preview.reason if preview is not None else f"took longer than {seconds:g} s"
        raise UsageError(no_passage(entry, reason))
    return [Found(record, chunk, text) for chunk, text in preview.chunks]
