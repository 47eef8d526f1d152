"""Reads a whole pack file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pincite.packs.layout import HEAD_BYTES, PackDamaged, Part, Stream
from pincite.packs.parts import PackFacts, facts_of, head_of, read_part, read_section, table_of, text_of
from pincite.packs.streams import blocks_of, places_of, runs_of
from pincite.values.pack import EmbeddedAnnotation, Health, Pack, Page, Section


def read_pack(path: Path) -> Pack:
    """The whole pack. Raises `PackDamaged`, `PackTooNew`, OSError."""
    with path.open("rb") as file:
        head = head_of(path, file)
        data = read_section(path, file, HEAD_BYTES, head.metadata, "metadata")
        catalog = read_section(path, file, HEAD_BYTES + head.metadata[0], head.catalog, "catalog")
        raw: dict[int, list[tuple[Part, bytes]]] = {stream: [] for stream in Stream}
        for part in table_of(path, file, head):
            if part.stream in raw:
                raw[part.stream].append((part, read_part(path, file, part)))
    facts = facts_of(path, head, data)
    try:
        pack = _assemble(facts, bool(data["paged"]), catalog, raw)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise PackDamaged(path, f"contents: {error}") from error
    if len(pack.text) != facts.characters:
        raise PackDamaged(path, "text is not whole")
    return pack


def _assemble(facts: PackFacts, paged: bool, catalog: dict[str, Any], raw: dict[int, list[tuple[Part, bytes]]]) -> Pack:
    names = catalog["names"]
    annotations = [{**a, "rects": tuple(tuple(rect) for rect in a["rects"])} for a in catalog["annotations"]]
    return Pack(
        format=facts.format,
        text="".join(text_of(data) for _, data in raw[Stream.TEXT]),
        blocks=tuple(b for part, data in raw[Stream.BLOCKS] for b in blocks_of(part.count, data, names)),
        sections=tuple(Section(*row) for row in catalog["sections"]),
        pages=tuple(
            Page(number, label, width, height, Health(health), reason)
            for number, (label, width, height, health, reason) in enumerate(catalog["pages"], 1)
        ),
        places=places_of([(part.count, data) for part, data in raw[Stream.PLACES]]) if paged else None,
        runs=tuple(run for _, data in raw[Stream.RUNS] for run in runs_of(data)),
        metadata=facts.metadata,
        annotations=tuple(EmbeddedAnnotation(**a) for a in annotations),
        extractor=facts.extractor,
        extractor_version=facts.extractor_version,
        source_hash=facts.source_hash,
    )
