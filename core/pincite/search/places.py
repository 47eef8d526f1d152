"""Where a passage can be opened: the link to its place."""

from __future__ import annotations

from pathlib import Path

from pincite.values.library import Attachment, Record
from pincite.values.search import Chunk, ChunkKind


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
            if "{page}" in attachment.link:
                return (
                    attachment.link.replace("{page}", str(chunk.page)) if chunk.page else attachment.link.split("?")[0]
                )
            return attachment.link
        if attachment.path:
            return file_link(attachment.path, chunk.page)
    return record.item.link or next((_opening(one) for one in record.attachments if _opening(one)), "")


def _opening(attachment: Attachment) -> str:
    """What opens a file as a whole, for a work that has no link of its own."""
    return (
        attachment.link.split("?")[0]
        if attachment.link
        else file_link(attachment.path, None)
        if attachment.path
        else ""
    )


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
