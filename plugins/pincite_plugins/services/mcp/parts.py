"""The structured text of a work in parts of bounded size: what a resource gives at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from pincite.values.pack import Block, Flow, Pack

PART = 4000
"""Characters of one part; a block that is longer is cut."""

SCHEME = "pincite"


@dataclass(frozen=True)
class Piece:
    """A block, or a slice of a long one: text [start, end) of its pack."""

    block: Block
    start: int
    end: int


def pieces(pack: Pack) -> Iterator[Piece]:
    """Everything that is indexed, in reading order."""
    for block in pack.blocks:
        if block.flow is not Flow.EXCLUDED:
            for start in range(block.start, block.end, PART):
                yield Piece(block, start, min(start + PART, block.end))


def parts_of(pack: Pack) -> list[list[Piece]]:
    """The pieces in groups of at most `PART` characters; the same pack gives the same parts."""
    parts: list[list[Piece]] = []
    size = PART
    for piece in pieces(pack):
        length = piece.end - piece.start
        if size + length > PART:
            parts.append([])
            size = 0
        parts[-1].append(piece)
        size += length
    return parts


def item_uri(item: str) -> str:
    """The resource of a work."""
    return f"{SCHEME}://item/{quote(item, safe='')}"


def part_uri(item: str, number: int) -> str:
    """The resource of a part of its text, from 1."""
    return f"{item_uri(item)}/text/{number}"
