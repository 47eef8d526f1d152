"""Where a passage can be opened: the link to its place."""

from __future__ import annotations

import re
from pathlib import Path

from pincite.values.library import Attachment, Record
from pincite.values.search import Chunk, ChunkKind

_NAMES_PAGE = re.compile(r"[?#][^?#]*\{page\}.*")


def link_of(record: Record, chunk: Chunk) -> str:
    """What opens the passage at its place: the annotation's or note's own link, the attachment's at its page, the file, or the item's."""
    if chunk.kind is ChunkKind.ANNOTATION:
        for annotation in record.annotations:
            if annotation.id == chunk.child and annotation.link:
                return annotation.link
    for note in record.notes:
        if note.id == chunk.child and note.link:
            return note.link
    attachment = attachment_of(record, chunk)
    if attachment is not None:
        if attachment.link:
            return at_page(attachment.link, chunk.page)
        if attachment.path:
            return file_link(attachment.path, chunk.page)
    return record.item.link or next((_opening(one) for one in record.attachments if _opening(one)), "")


def at_page(link: str, page: int | None) -> str:
    """An attachment's link at a page, or without the part of it that would name one."""
    return link.replace("{page}", str(page)) if page else _NAMES_PAGE.sub("", link)


def _opening(attachment: Attachment) -> str:
    """What opens a file as a whole, for a work that has no link of its own."""
    if attachment.link:
        return at_page(attachment.link, None)
    return file_link(attachment.path, None) if attachment.path else ""


def attachment_of(record: Record, chunk: Chunk) -> Attachment | None:
    """The attachment that a passage stands in."""
    return next((one for one in record.attachments if one.id == chunk.attachment), None)


def file_link(path: str, page: int | None) -> str:
    """A file URL that viewers open at a page (RFC 8118: ``#page=N``)."""
    try:
        url = Path(path).as_uri()
    except ValueError:
        return ""
    return f"{url}#page={page}" if page and path.lower().endswith(".pdf") else url
