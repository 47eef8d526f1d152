"""Resources: each work, and its structured text in parts."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import mcp.types as types
from mcp import MCPError

from pincite.errors import UsageError
from pincite.indexing.plain import pack_of
from pincite.library import Library
from pincite.search.found import item_row
from pincite.spec import Cancel
from pincite.values.library import Annotation, Record
from pincite.values.pack import Pack
from pincite_plugins.services.mcp import words
from pincite_plugins.services.mcp.budget import clipped, written
from pincite_plugins.services.mcp.parts import PART, SCHEME, item_uri, part_uri, parts_of
from pincite_plugins.services.mcp.shapes import NOTICE
from pincite_plugins.services.mcp.tool import Call
from pincite_plugins.services.mcp.tools.read import outlines

PAGE = 100
"""Works that are listed at a time."""

CHILDREN = 200
"""Notes, and annotations, that are given with a work."""

JSON = "application/json"

_URI = re.compile(rf"{SCHEME}://item/([^/?#]+)(?:/text/(\d{{1,9}}))?")

TEMPLATES = [
    types.ResourceTemplate(
        name="item",
        title="A work",
        uri_template=f"{SCHEME}://item/{{item}}",
        description="Metadata, abstract, notes, annotations and headings of a work.",
        mime_type=JSON,
    ),
    types.ResourceTemplate(
        name="text",
        title="Text of a work",
        uri_template=f"{SCHEME}://item/{{item}}/text/{{part}}",
        description="A part of the text of a work's files, block by block; `next` is the following one.",
        mime_type=JSON,
    ),
]


async def listed(call: Call, cursor: str | None) -> types.ListResourcesResult:
    """The works of the served library, `PAGE` at a time; none where there is no index yet: clients list before anybody asks."""
    if cursor is not None and not re.fullmatch(r"\d{1,9}", cursor):
        raise MCPError(code=types.INVALID_PARAMS, message=f"no page of the list has the cursor '{cursor[:40]}'")
    start = int(cursor or 0)

    def work(library: Library, cancelled: Cancel) -> tuple[list[Record], bool]:
        if not library.indexed:
            return [], False
        ids = sorted(library.store.fingerprints())
        rows = [row for id in ids[start : start + PAGE] if (row := library.store.find_item(id)) is not None]
        return [record for _, record in sorted(library.store.records(rows).items())], start + PAGE < len(ids)

    records, more = await call.shelf.place().desk.ask(work)
    found = [
        types.Resource(
            uri=item_uri(record.item.id),
            name=words.short(record.item.key or record.item.id),
            title=words.short(record.item.title) or None,
            mime_type=JSON,
        )
        for record in sorted(records, key=lambda record: record.item.id)
    ]
    return types.ListResourcesResult(resources=found, next_cursor=str(start + PAGE) if more else None)


async def read(call: Call, uri: str) -> types.ReadResourceResult:
    """A work, or a part of its text. Raises `UsageError` where there is no such thing."""
    match = _URI.fullmatch(uri)
    if match is None:
        raise UsageError(f"{uri[:200]}: no resource has this address; they are {SCHEME}://item/ID and …/text/N")
    name, part = unquote(match[1]), match[2]
    desk = await call.desk_of_item(name)

    def work(library: Library, cancelled: Cancel) -> dict[str, Any]:
        row = item_row(library.store, name)
        record = library.store.records([row])[row]
        return _work(library, row, record) if part is None else _part(library, record, int(part))

    found = {"notice": NOTICE, **await desk.ask(work)}
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=written(found))])


def _work(library: Library, row: int, record: Record) -> dict[str, Any]:
    item = record.item
    facts = {
        "kind": item.kind,
        "venue": item.venue,
        "doi": item.doi,
        "tags": list(item.tags),
        "collections": list(item.collections),
        "link": item.link,
    }
    said: dict[str, Any] = {
        "abstract": {"quoted_text": clipped(item.abstract, PART)} if item.abstract else None,
        "notes": [{"id": one.id, "quoted_text": clipped(one.text, PART)} for one in record.notes[:CHILDREN]],
        "annotations": [_annotation(one) for one in record.annotations[:CHILDREN]],
        "files": [one.plain() for one in outlines(library.store, row, record)],
    }
    more = max(0, len(record.notes) - CHILDREN) + max(0, len(record.annotations) - CHILDREN)
    if more:
        said["left_out"] = [f"{more} notes and annotations; best_match finds them"]
    return {name: value for name, value in {**words.work(item), **facts, **said}.items() if value}


def _annotation(one: Annotation) -> dict[str, Any]:
    found: dict[str, Any] = {"id": one.id, "page_label": one.page_label, "page": one.page}
    comment = {"quoted_text": clipped(one.comment, PART)} if one.comment else None
    found |= {"quoted_text": clipped(one.text, PART), "comment": comment}
    return {name: value for name, value in found.items() if value}


def _part(library: Library, record: Record, number: int) -> dict[str, Any]:
    """Part `number`, from 1, of all the texts of a work, one file after the other."""
    at = number
    for attachment in record.attachments:
        pack = pack_of(library.store, attachment)
        parts = parts_of(pack) if pack is not None else []
        if pack is not None and 1 <= at <= len(parts):
            last = at == len(parts) and attachment.id == _last(library, record)
            return {
                "item": record.item.id,
                "key": words.work(record.item)["key"],
                "attachment": attachment.id,
                "part": number,
                "next": None if last else part_uri(record.item.id, number + 1),
                "blocks": [_block(pack, piece) for piece in parts[at - 1]],
            }
        at -= len(parts)
    raise UsageError(f"{record.item.id}: has no part {number} of text; {item_uri(record.item.id)} says what it has")


def _last(library: Library, record: Record) -> str:
    """The last file that has a text."""
    for attachment in reversed(record.attachments):
        pack = pack_of(library.store, attachment)
        if pack is not None and parts_of(pack):
            return attachment.id
    return ""


def _block(pack: Pack, piece: Any) -> dict[str, Any]:
    block = piece.block
    facts = {
        "kind": str(block.kind),
        "section": [words.short(title, 80) for title in pack.section_path(block.section)],
        "page_label": pack.label(block.page),
        "page": block.page,
    }
    return {
        **{name: value for name, value in facts.items() if value},
        "quoted_text": pack.text[piece.start : piece.end],
    }
