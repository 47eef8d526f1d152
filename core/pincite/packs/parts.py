"""The parts of a pack file, each read and checked by itself. Every byte that is used was checked first."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO

from pincite.packs.layout import (
    CONTAINER,
    HEAD_BYTES,
    HEADER,
    HEADER_CRC,
    MAGIC,
    PART_LIMIT,
    ROW,
    SCHEMA_MAJOR,
    SECTION_LIMIT,
    PackDamaged,
    PackTooNew,
    Part,
    Stream,
)
from pincite.values.quick import dataclass


@dataclass(frozen=True, slots=True)
class PackFacts:
    """What decides whether a pack still holds, read without any of its text."""

    format: str
    extractor: str
    extractor_version: int
    source_hash: str
    characters: int
    pages: int
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Head:
    """The header: `metadata` and `catalog` as bytes stored, bytes inflated, checksum; how many `parts`, and their table's checksum."""

    schema: tuple[int, int]
    metadata: tuple[int, int, int]
    catalog: tuple[int, int, int]
    parts: int
    table_crc: int

    @property
    def table_at(self) -> int:
        """Where the table of parts begins."""
        return HEAD_BYTES + self.metadata[0] + self.catalog[0]


def read_facts(path: Path) -> PackFacts:
    """Header and metadata alone. Raises `PackDamaged`, `PackTooNew`, OSError."""
    with path.open("rb") as file:
        head = head_of(path, file)
        data = read_section(path, file, HEAD_BYTES, head.metadata, "metadata")
    return facts_of(path, head, data)


def read_text(path: Path, spans: Iterable[tuple[int, int]]) -> list[str]:
    """The text of each span [start, end) of code points, in the order asked; only the parts that hold them are read and
    inflated. A span that reaches past the text is cut at its end. Raises `PackDamaged`, `PackTooNew`, OSError."""
    wanted = list(spans)
    with path.open("rb") as file:
        parts = [part for part in table_of(path, file, head_of(path, file)) if part.stream == Stream.TEXT]
        starts = [part.first for part in parts]
        held: dict[int, str] = {}
        out = []
        for start, end in wanted:
            pieces = []
            at = max(0, bisect_right(starts, start) - 1)
            while at < len(parts) and parts[at].first < end:
                if at not in held:
                    held[at] = _decoded(path, parts[at], read_part(path, file, parts[at]))
                first = parts[at].first
                pieces.append(held[at][max(0, start - first) : max(0, end - first)])
                at += 1
            out.append("".join(pieces))
    return out


def head_of(path: Path, file: BinaryIO) -> Head:
    """The header. Raises `PackDamaged` or `PackTooNew`."""
    data = file.read(HEAD_BYTES)
    if not data.startswith(MAGIC):
        raise PackDamaged(path, "not a pack file")
    if len(data) < HEAD_BYTES:
        raise PackDamaged(path, "header is cut short")
    if HEADER_CRC.unpack(data[HEADER.size :])[0] != zlib.crc32(data[: HEADER.size]):
        raise PackDamaged(path, "header: checksum differs")
    _, container, major, minor, _, length, m0, m1, m2, c0, c1, c2, parts, crc = HEADER.unpack(data[: HEADER.size])
    if container != CONTAINER or major > SCHEMA_MAJOR:
        raise PackTooNew(f"{path}: pack format {container}.{major} is newer than this pincite reads; upgrade pincite")
    if path.stat().st_size != length:
        raise PackDamaged(path, "file is cut short")
    return Head((major, minor), (m0, m1, m2), (c0, c1, c2), parts, crc)


def read_section(path: Path, file: BinaryIO, at: int, facts: tuple[int, int, int], name: str) -> dict[str, Any]:
    """Metadata or catalog. `facts`: bytes stored, bytes inflated, checksum."""
    stored, raw, crc = facts
    file.seek(at)
    data = file.read(stored)
    if raw > SECTION_LIMIT or zlib.crc32(data) != crc:
        raise PackDamaged(path, f"{name}: checksum differs")
    value = json.loads(_inflate(path, data, raw, name).decode("utf-8", "surrogatepass"))
    if not isinstance(value, dict):
        raise PackDamaged(path, name)
    return value


def table_of(path: Path, file: BinaryIO, head: Head) -> list[Part]:
    """Where each part is."""
    file.seek(head.table_at)
    data = file.read(ROW.size * head.parts)
    if zlib.crc32(data) != head.table_crc:
        raise PackDamaged(path, "part table: checksum differs")
    return [Part(*row) for row in ROW.iter_unpack(data)]


def read_part(path: Path, file: BinaryIO, part: Part) -> bytes:
    """One part, inflated."""
    file.seek(part.offset)
    data = file.read(part.stored)
    name = f"part of stream {part.stream} at {part.first}"
    if part.raw > PART_LIMIT or zlib.crc32(data) != part.crc:
        raise PackDamaged(path, f"{name}: checksum differs")
    return _inflate(path, data, part.raw, name)


def _inflate(path: Path, data: bytes, raw: int, name: str) -> bytes:
    try:
        out = zlib.decompressobj().decompress(data, raw + 1)
    except zlib.error as error:
        raise PackDamaged(path, f"{name}: {error}") from error
    if len(out) != raw:
        raise PackDamaged(path, f"{name}: length differs")
    return out


def text_of(raw: bytes) -> str:
    """The text of one part."""
    return raw.decode("utf-8", "surrogatepass")


def _decoded(path: Path, part: Part, raw: bytes) -> str:
    try:
        text = text_of(raw)
    except UnicodeDecodeError as error:
        raise PackDamaged(path, f"text at {part.first}: {error.reason}") from error
    if len(text) != part.count:
        raise PackDamaged(path, f"text at {part.first}: length differs")
    return text


def facts_of(path: Path, head: Head, data: dict[str, Any]) -> PackFacts:
    """What the metadata say."""
    try:
        return PackFacts(
            format=data["format"],
            extractor=data["extractor"],
            extractor_version=data["extractor_version"],
            source_hash=data["source_hash"],
            characters=data["characters"],
            pages=data["pages"],
            metadata=data["metadata"],
        )
    except KeyError as error:
        raise PackDamaged(path, f"metadata lacks {error}") from error
