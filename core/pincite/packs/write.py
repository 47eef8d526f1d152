"""Writes a pack file: beside its place first, then renamed; a reader sees the old file, the new one, or none."""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.packs.layout import (
    CONTAINER,
    HEAD_BYTES,
    HEADER,
    HEADER_CRC,
    MAGIC,
    ROW,
    SCHEMA_MAJOR,
    SCHEMA_MINOR,
    Stream,
)
from pincite.packs.streams import RawPart, block_parts, place_parts, run_parts, text_parts
from pincite.values.pack import Pack
from pincite.whole import write_whole

_LEVEL = 6


def write_pack(path: Path, pack: Pack) -> int:
    """Writes `pack` to `path` at once or not at all, and gives the number of bytes. Raises OSError (a full disk)."""
    data = pack_bytes(pack)
    write_whole(path, data, lasting=True)
    return len(data)


def pack_bytes(pack: Pack) -> bytes:
    """The whole file. The same pack gives the same bytes."""
    names: list[str] = []
    streams: list[tuple[Stream, Iterator[RawPart]]] = [
        (Stream.TEXT, text_parts(pack.text)),
        (Stream.BLOCKS, block_parts(pack.blocks, names)),
        (Stream.RUNS, run_parts(pack.runs)),
    ]
    if pack.places is not None:
        streams.append((Stream.PLACES, place_parts(pack.places)))
    parts = [
        (stream, first, count, len(raw), zlib.compress(raw, _LEVEL))
        for stream, pieces in streams
        for first, count, raw in pieces
    ]
    metadata = _json(_metadata(pack))
    catalog = _json(_catalog(pack, names))
    stored = [zlib.compress(section, _LEVEL) for section in (metadata, catalog)]

    offset = HEAD_BYTES + len(stored[0]) + len(stored[1]) + ROW.size * len(parts)
    rows = []
    for stream, first, count, raw_length, body in parts:
        rows.append(ROW.pack(stream, first, count, offset, len(body), raw_length, zlib.crc32(body)))
        offset += len(body)
    table = b"".join(rows)
    header = HEADER.pack(
        *(MAGIC, CONTAINER, SCHEMA_MAJOR, SCHEMA_MINOR, 0, offset),
        *(len(stored[0]), len(metadata), zlib.crc32(stored[0])),
        *(len(stored[1]), len(catalog), zlib.crc32(stored[1])),
        *(len(parts), zlib.crc32(table)),
    )
    head = header + HEADER_CRC.pack(zlib.crc32(header))
    return b"".join([head, *stored, table, *(body for *_, body in parts)])


def _metadata(pack: Pack) -> dict[str, Any]:
    return {
        "format": pack.format,
        "extractor": pack.extractor,
        "extractor_version": pack.extractor_version,
        "source_hash": pack.source_hash,
        "metadata": pack.metadata,
        "characters": len(pack.text),
        "pages": len(pack.pages),
        "paged": pack.places is not None,
    }


def _catalog(pack: Pack, names: list[str]) -> dict[str, Any]:
    return {
        "names": names,
        "sections": [[s.title, s.level, s.parent] for s in pack.sections],
        "pages": [[p.label, p.width, p.height, p.health, p.reason] for p in pack.pages],
        "annotations": [dataclasses.asdict(annotation) for annotation in pack.annotations],
    }


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")
