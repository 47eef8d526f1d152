"""The vectors that a model's tokens begin with, before any layer: cheap to look up, and enough to tell sentences apart roughly.

They are read where they lie, in the file beside the graph; a graph that is not of our making has none to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FREQUENT = 1e-4
"""Of Arora, Liang, Ma (2017): A Simple but Tough-to-Beat Baseline for Sentence Embeddings: a token of probability p weighs
a / (a + p), with this a."""

_TYPES: dict[int, Any] = {1: np.float32, 2: np.uint8, 3: np.int8, 10: np.float16}
"""onnx.TensorProto.DataType → numpy."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """`words`: (vocabulary, width) in int8, or (vocabulary, width / 2), two Q4_0 weights a byte. `scales`: a column a block of a row."""

    words: npt.NDArray[Any]
    scales: npt.NDArray[Any]
    weights: npt.NDArray[np.float32] | None

    def of(self, texts: Sequence[Sequence[int]]) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
        """Of the tokens of each text the unit vectors (n, width), and what each weighs (n,): rare ones more."""
        flat = np.concatenate([np.zeros(0, np.int64), *(np.asarray(ids, np.int64) for ids in texts)])
        known, places = np.unique(flat, return_inverse=True)
        vectors = self._unit(known)[places]
        weights = np.ones(len(flat), np.float32) if self.weights is None else self.weights[flat]
        ends = np.cumsum([len(ids) for ids in texts])
        starts = [0, *ends[:-1].tolist()]
        return [(vectors[start:end], weights[start:end]) for start, end in zip(starts, ends.tolist(), strict=True)]

    def _unit(self, at: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        rows = self.words[at]
        if rows.dtype == np.uint8 and self.scales.shape[1] > 1:
            values = np.empty((len(at), rows.shape[1] * 2), np.float32)
            values[:, 0::2], values[:, 1::2] = rows & 15, rows >> 4
            values -= 8.0
        else:
            values = rows.astype(np.float32)
        scales = self.scales[at].astype(np.float32)
        width = values.shape[1]
        values = values.reshape(len(at), scales.shape[1], width // scales.shape[1]) * scales[:, :, None]
        values = values.reshape(len(at), width)
        values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-12)
        return values


def open_pieces(folder: Path, precision: str, vocabulary: Path) -> Pieces | None:
    """The token vectors of a model's folder; None where its graph holds none that can be read."""
    graph = folder / f"model-{precision}.onnx"
    if not graph.is_file():
        return None
    held = dict(_outside(graph.read_bytes(), folder))
    words, scales = held.get("words"), held.get("words.scales")
    if words is None or scales is None or words.ndim != 2 or scales.ndim != 2 or len(words) != len(scales):
        return None
    return Pieces(words, scales, _weights(vocabulary, len(words)))


def _weights(vocabulary: Path, count: int) -> npt.NDArray[np.float32] | None:
    if not vocabulary.is_file():
        return None
    with np.load(vocabulary) as held:
        scores = np.full(count, -20.0, np.float32)
        ids, logs = held["ids"], held["scores"]
    known = ids < count
    scores[ids[known]] = logs[known]
    return (FREQUENT / (FREQUENT + np.exp(np.minimum(scores, 0.0)))).astype(np.float32)


def _outside(model: bytes, folder: Path) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """The tensors of a graph that lie in a file beside it (ModelProto 7 → GraphProto 5 → TensorProto: dims 1, type 2, name 8, places 13;
    https://github.com/onnx/onnx/blob/main/onnx/onnx.proto)."""
    for field, graph in _fields(model):
        if field != 7 or not isinstance(graph, bytes):
            continue
        for number, tensor in _fields(graph):
            if number == 5 and isinstance(tensor, bytes) and (found := _tensor(tensor, folder)):
                yield found


def _tensor(data: bytes, folder: Path) -> tuple[str, npt.NDArray[Any]] | None:
    shape: list[int] = []
    kind, name = 0, ""
    place: dict[str, str] = {}
    for number, value in _fields(data):
        if number == 1:
            shape += [value] if isinstance(value, int) else list(_varints(value))
        elif number == 2 and isinstance(value, int):
            kind = value
        elif number == 8 and isinstance(value, bytes):
            name = value.decode()
        elif number == 13 and isinstance(value, bytes):
            entry = {key: text for key, text in _fields(value) if isinstance(text, bytes)}
            place[entry[1].decode()] = entry[2].decode()
    if "location" not in place or kind not in _TYPES:
        return None
    path = folder / Path(place["location"]).name
    return name, np.memmap(path, _TYPES[kind], "r", int(place.get("offset", 0)), tuple(shape))


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(field number, value) of a protocol-buffer message."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
        elif wire == 2:
            length, at = _varint(data, at)
            yield key >> 3, data[at : at + length]
            at += length
        else:
            at += 8 if wire == 1 else 4


def _varints(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
