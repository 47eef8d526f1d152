"""The normalisation of characters in SentencePiece's own form (``precompiled_charsmap``): a double-array trie over UTF-8.

u32 size of the trie in bytes; its units, u32 each; the replacements in UTF-8, each closed by a NUL. A unit holds the label of the
edge that leads to it (bits 0–7), whether its node has a value (bit 8), and where its children are: their base is the unit's
own index XOR an offset (bits 10–30), a child's index is base XOR label, and the value is the unit at base itself (bit 31 set).
(The layout of Darts-clone, Yata et al., 2007.)
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

HAS_VALUE = 1 << 8
IS_VALUE = 1 << 31
CROWDED = 32
"""After so many failed tries the search for free places begins further on: some places are wasted, and much time is not."""


@dataclass(slots=True)
class Node:
    """A node of the trie: children by byte, and where the replacement begins that ends here."""

    edges: dict[int, Node] = field(default_factory=dict)
    value: int | None = None


def charsmap(mapping: Mapping[int, str]) -> bytes:
    """The map of single code points, without U+0000, which the form cannot hold."""
    texts = bytearray()
    places: dict[str, int] = {}
    root = Node()
    for point, output in mapping.items():
        if point == 0:
            continue
        if output not in places:
            places[output] = len(texts)
            texts += output.encode("utf-8") + b"\0"
        node = root
        for byte in chr(point).encode("utf-8"):
            node = node.edges.setdefault(byte, Node())
        node.value = places[output]
    trie = _double_array(root)
    return struct.pack("<I", 4 * len(trie)) + struct.pack(f"<{len(trie)}I", *trie) + bytes(texts)


def _double_array(root: Node) -> list[int]:
    units = {0: 0}
    bases: set[int] = set()
    waiting = [(0, root)]
    front = 1
    while waiting:
        index, node = waiting.pop()
        labels = [*node.edges] if node.value is None else [0, *node.edges]
        first = min(labels, default=0)
        tries = 0
        place = front
        while True:  # the lowest free places that all children fit in
            base = place ^ first
            if place not in units and base not in bases and not any(base ^ label in units for label in labels):
                break
            place += 1
            tries += 1
        if tries > CROWDED:
            front = place
        bases.add(base)
        units[index] |= (index ^ base) << 10
        if node.value is not None:
            units[index] |= HAS_VALUE
            units[base] = IS_VALUE | node.value
        for label, child in node.edges.items():
            units[base ^ label] = label
            waiting.append((base ^ label, child))
    size = -(-(max(units) + 1) // 256) * 256
    return [units.get(index, 0) for index in range(size)]
