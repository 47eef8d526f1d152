"""Reads the weights of a BERT out of an exported ONNX file with int8 weights, by the names of its biases and norms.

Two kinds of export are understood: ``MatMulInteger`` with a scale (onnxruntime's dynamic quantisation) and ``Cast`` or
``DequantizeLinear`` before ``MatMul`` (weights only).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from pincite.errors import PinciteError
from pincite_plugins.embedders.onnx.weights import Bert, Floats, Int8, Layer, Linear, Norm

EPSILON = 1e-12
HEAD_WIDTH = 32
"""Width of an attention head in the small models (384 / 12)."""


class Exported:
    """An exported graph, and where each of its values comes from."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._graph = onnx.load(str(path)).graph
        except Exception as error:  # protobuf and onnx raise types of their own
            raise PinciteError(f"{path}: not an ONNX file ({error}); fetch it again") from error
        self._arrays = {one.name: one for one in self._graph.initializer}
        self._maker = {output: node for node in self._graph.node for output in node.output}

    def array(self, suffix: str) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
        """The initializer whose name ends so."""
        for name, tensor in self._arrays.items():
            if name == suffix or name.endswith("." + suffix):
                return numpy_helper.to_array(tensor)
        raise PinciteError(f"{self.path}: has no tensor {suffix}; it is no BERT that pincite can read")

    def floats(self, suffix: str) -> Floats:
        """The same in float32."""
        return np.asarray(self.array(suffix), np.float32)

    def has(self, suffix: str) -> bool:
        """Whether there is such an initializer."""
        return any(name == suffix or name.endswith("." + suffix) for name in self._arrays)

    def linear(self, name: str) -> Linear:
        """The layer whose bias is ``name.bias``."""
        bias = self.floats(name + ".bias")
        bias_name = next(one for one in self._arrays if one.endswith("." + name + ".bias") or one == name + ".bias")
        for node in self._graph.node:
            if node.op_type == "Add" and bias_name in node.input:
                product = next(one for one in node.input if one != bias_name)
                return Linear(np.ascontiguousarray(self._weight(product).T), bias)
        raise PinciteError(f"{self.path}: nothing adds {bias_name}; it is no BERT that pincite can read")

    def _weight(self, product: str) -> Floats:
        """The weight (in, out) of the matrix product that `product` comes from."""
        node = self._maker[product]
        if node.op_type == "MatMul":
            return self._value(node.input[1])
        if node.op_type == "Mul":  # int32 product × (activation scale × weight scale)
            scales = self._maker[node.input[1]]
            cast = self._maker[node.input[0]]
            integer = self._maker[cast.input[0]]
            if integer.op_type == "MatMulInteger" and scales.op_type == "Mul":
                whole = numpy_helper.to_array(self._arrays[integer.input[1]]).astype(np.float32)
                scale = next(numpy_helper.to_array(self._arrays[one]) for one in scales.input if one in self._arrays)
                zero = numpy_helper.to_array(self._arrays[integer.input[3]]) if len(integer.input) > 3 else np.array(0)
                return np.asarray((whole - zero.astype(np.float32)) * scale, np.float32)
        raise PinciteError(f"{self.path}: a weight comes from {node.op_type}; it is no BERT that pincite can read")

    def _value(self, name: str) -> Floats:
        """A constant that small operators make of initializers."""
        if name in self._arrays:
            return np.asarray(numpy_helper.to_array(self._arrays[name]), np.float32)
        node = self._maker[name]
        values = [self._value(one) for one in node.input]
        if node.op_type in ("Cast", "Identity"):
            return values[0]
        if node.op_type == "Mul":
            return np.asarray(values[0] * values[1], np.float32)
        if node.op_type == "DequantizeLinear":
            zero = values[2] if len(values) > 2 else np.float32(0)
            return np.asarray((values[0] - zero) * values[1], np.float32)
        if node.op_type == "Transpose":
            return values[0].T
        raise PinciteError(f"{self.path}: a weight comes from {node.op_type}; it is no BERT that pincite can read")

    def table(self, name: str) -> Int8:
        """A table of rows in int8, with one scale or a scale for each row."""
        suffix = next((one for one in ("_quantized", "_q") if self.has(name + one)), None)
        if suffix is None:
            values = self.floats(name)
            scales = np.maximum(np.abs(values).max(axis=1) / 127, 1e-12).astype(np.float32)
            return Int8(np.rint(values / scales[:, None]).astype(np.int8), scales, 0)
        quantised = self.array(name + suffix)
        scale = self.floats(name + "_scale").reshape(-1)
        zero = int(self.array(name + "_zero_point")) if self.has(name + "_zero_point") else 0
        return Int8(quantised, np.broadcast_to(scale, (len(quantised),)).astype(np.float32), zero)

    def rows(self, name: str) -> Floats:
        """A small table in float32."""
        return self.floats(name) if self.has(name) else self.table(name).floats()

    def norm(self, name: str) -> Norm:
        """A layer normalisation."""
        return Norm(self.floats(name + ".weight"), self.floats(name + ".bias"))

    def layer(self, number: int) -> Layer:
        """An encoder layer."""
        at = f"encoder.layer.{number}."
        return Layer(
            self.linear(at + "attention.self.query"),
            self.linear(at + "attention.self.key"),
            self.linear(at + "attention.self.value"),
            self.linear(at + "attention.output.dense"),
            self.norm(at + "attention.output.LayerNorm"),
            self.linear(at + "intermediate.dense"),
            self.linear(at + "output.dense"),
            self.norm(at + "output.LayerNorm"),
        )


def read(path: Path) -> Bert:
    """The encoder's weights. Raises `PinciteError` where the file is not such an export."""
    file = Exported(path)
    words = file.table("embeddings.word_embeddings.weight")
    width = int(words.values.shape[1])
    kind = file.rows("embeddings.token_type_embeddings.weight")[0]
    layers = 0
    while file.has(f"encoder.layer.{layers}.output.LayerNorm.weight"):
        layers += 1
    return Bert(
        width,
        width // HEAD_WIDTH,
        EPSILON,
        words,
        file.rows("embeddings.position_embeddings.weight") + kind,
        file.norm("embeddings.LayerNorm"),
        tuple(file.layer(number) for number in range(layers)),
    )
