"""The streams of a pack as raw parts, and back: text in UTF-8, blocks and places in columns, runs as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.packs.layout import PART
from pincite.values.pack import Block, BlockKind, Flow, Places, Run

RawPart = tuple[int, int, bytes]
"""(first, count, raw bytes)."""

_PLACES_IN_PART = PART // 32
_BLOCKS_IN_PART = PART // 32
_INTEGERS = np.dtype("<i4")
_FLOATS = np.dtype("<f4")


def text_parts(text: str) -> Iterator[RawPart]:
    """UTF-8 (lone surrogates passed through), cut between code points."""
    first = 0
    while first < len(text):
        end = min(len(text), first + PART)
        raw = text[first:end].encode("utf-8", "surrogatepass")
        if len(raw) > PART:
            end = first + max(1, PART * (end - first) // len(raw))
            raw = text[first:end].encode("utf-8", "surrogatepass")
        yield first, end - first, raw
        first = end


def place_parts(places: Places) -> Iterator[RawPart]:
    """Columns of a part one after another: start (differences), length, page and line (differences), then the four
    coordinates, each column split into its byte planes, which deflates to about half of plain rows."""
    for first in range(0, len(places.start), _PLACES_IN_PART):
        stop = min(len(places.start), first + _PLACES_IN_PART)
        part = slice(first, stop)
        start = places.start[part].astype(_INTEGERS)
        columns = [_rise(start), places.end[part].astype(_INTEGERS) - start]
        columns += [_rise(places.page[part].astype(_INTEGERS)), _rise(places.line[part].astype(_INTEGERS))]
        columns += [np.ascontiguousarray(places.box[part, side], dtype=_FLOATS) for side in range(4)]
        yield first, stop - first, b"".join(_planes(column) for column in columns)


def places_of(parts: Sequence[tuple[int, bytes]]) -> Places:
    """The inverse: (count, raw) of every part, in order."""
    columns: list[list[npt.NDArray[Any]]] = [[] for _ in range(8)]
    for count, raw in parts:
        if len(raw) != count * 32:
            raise ValueError("length of places")
        for at in range(8):
            bits = raw[at * 4 * count : (at + 1) * 4 * count]
            columns[at].append(_column(bits, count, _INTEGERS if at < 4 else _FLOATS))
    start = _joined([np.cumsum(c, dtype=np.int32) for c in columns[0]])
    length = _joined(columns[1])
    page = _joined([np.cumsum(c, dtype=np.int32) for c in columns[2]])
    line = _joined([np.cumsum(c, dtype=np.int32) for c in columns[3]])
    box = np.stack([_joined(c, np.float32) for c in columns[4:]], axis=1)
    return Places(start, start + length, page, line, box)


def block_parts(blocks: Sequence[Block], names: list[str]) -> Iterator[RawPart]:
    """Columns of int32: start, end, kind, flow, section, page (0: none), flags (1: reference), role. Kinds, flows and
    roles are indices into `names`, which is added to."""
    index: dict[str, int] = {name: at for at, name in enumerate(names)}

    def code(name: str) -> int:
        if name not in index:
            index[name] = len(names)
            names.append(name)
        return index[name]

    for first in range(0, len(blocks), _BLOCKS_IN_PART):
        part = blocks[first : first + _BLOCKS_IN_PART]
        rows = np.array(
            [
                (b.start, b.end, code(b.kind), code(b.flow), b.section, b.page or 0, int(b.reference), code(b.role))
                for b in part
            ],
            dtype=_INTEGERS,
        )
        yield first, len(part), np.ascontiguousarray(rows.T).tobytes()


def blocks_of(count: int, raw: bytes, names: Sequence[str]) -> list[Block]:
    """The inverse for one part. A kind or flow that this version does not know becomes a paragraph, or is excluded."""
    rows = np.frombuffer(raw, dtype=_INTEGERS).reshape(8, count).T.tolist()
    kinds = {kind.value: kind for kind in BlockKind}
    flows = {flow.value: flow for flow in Flow}
    return [
        Block(
            start,
            end,
            kinds.get(names[kind], BlockKind.PARAGRAPH),
            flows.get(names[flow], Flow.EXCLUDED),
            section,
            page or None,
            bool(flags & 1),
            names[role],
        )
        for start, end, kind, flow, section, page, flags, role in rows
    ]


def run_parts(runs: Sequence[Run]) -> Iterator[RawPart]:
    """JSON arrays of [start, length, target, offset]; the target is null where it is that of the run before."""
    rows: list[str] = []
    size = first = 0
    before: str | None = None
    for at, run in enumerate(runs):
        target = None if run.target == before else run.target
        values = [run.start, run.end - run.start, target, run.offset]
        row = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        before = run.target
        rows.append(row)
        size += len(row) + 1
        if size >= PART:
            yield first, len(rows), ("[" + ",".join(rows) + "]").encode("utf-8", "surrogatepass")
            rows, size, first, before = [], 0, at + 1, None
    if rows:
        yield first, len(rows), ("[" + ",".join(rows) + "]").encode("utf-8", "surrogatepass")


def runs_of(raw: bytes) -> list[Run]:
    """The inverse for one part."""
    out: list[Run] = []
    target = ""
    for start, length, named, offset in json.loads(raw.decode("utf-8", "surrogatepass")):
        target = target if named is None else named
        out.append(Run(start, start + length, target, offset))
    return out


def _rise(column: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    return np.diff(column, prepend=np.int32(0)).astype(_INTEGERS)


def _planes(column: npt.NDArray[Any]) -> bytes:
    return np.ascontiguousarray(column.view(np.uint8).reshape(-1, 4).T).tobytes()


def _column(raw: bytes, count: int, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(4, count)
    return np.ascontiguousarray(planes.T).view(kind).reshape(count)


def _joined(columns: Sequence[npt.NDArray[Any]], kind: type = np.int32) -> npt.NDArray[Any]:
    return np.concatenate(columns).astype(kind) if columns else np.empty(0, dtype=kind)
