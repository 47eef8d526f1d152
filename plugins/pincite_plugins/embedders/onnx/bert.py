"""Writes a BERT encoder as an ONNX graph made for this job: fused operators, no masks, activations quantised row by row.

Input ``ids`` int64 (batch, length), every row of full length; outputs ``vector`` float32 (batch, width), pooled, not normalised, and
``tokens`` float32 (batch, length, width), the states of the layer before the last, computed on the way whether they are asked for or not.
Nothing in it depends on another row, so a text's vector does not depend on what else is in the call:

- ``int8``: each row of activations has its own scale (QuantizeLinear along the rows; DynamicQuantizeLinear has one for the whole
  tensor). Weights have one scale an output column and 7 bits: a product of two bytes then never saturates on x86 processors
  without VNNI, so that vectors are the same everywhere (cosine to float32 weights .9989, with 8 bits .9993).
- ``q4``: MatMulNBits over the Q4_0 blocks as they are, activations in blocks of 32.

Add and LayerNormalization stay apart: the fused SkipLayerNormalization is five times slower on the CPU (measured, 1.27–1.32), so
sessions must not fuse them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from pincite_plugins.embedders.onnx.weights import BLOCK, Q4, Bert, Int8, Layer, Linear, Norm

MICROSOFT = "com.microsoft"
WEIGHTS = "weights.bin"
ALIGNMENT = 65536
"""External tensors begin at multiples of this, so that every platform can map them (Windows needs 64 KiB)."""
SMALL = 1024
"""Bytes below which a tensor stays in the graph itself."""
CENTRE = 128
GELU_CENTRE = 26
GELU_LEAST = 0.17
"""GELU never goes below −0.17: its bytes are centred low, and most of them are left for the positive side."""
WEIGHT_LEVELS = 63


class WeightFile:
    """Tensors of one or several graphs in one file, each once."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / WEIGHTS
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def tensor(self, name: str, array: np.ndarray[Any, Any]) -> TensorProto:
        """The initializer of a graph; a large array goes to the file, under its name."""
        array = np.asarray(array, order="C")
        if array.nbytes < SMALL:
            return numpy_helper.from_array(array, name)
        if name not in self._places:
            start = -(-self._end // ALIGNMENT) * ALIGNMENT
            with self._path.open("ab") as file:
                file.write(b"\0" * (start - self._end))
                file.write(array.tobytes())
            self._end = start + array.nbytes
            self._places[name] = start, array.nbytes
        offset, length = self._places[name]
        tensor = TensorProto(name=name, dims=array.shape, data_type=helper.np_dtype_to_tensor_dtype(array.dtype))
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", WEIGHTS), ("offset", str(offset)), ("length", str(length))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value
        return tensor


class GraphWriter:
    """Builds one graph. `precision` is ``int8`` or ``q4``; `pooling` ``mean`` or ``cls``."""

    def __init__(self, bert: Bert, precision: str, pooling: str, weights: WeightFile) -> None:
        self._bert = bert
        self._precision = precision
        self._pooling = pooling
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._initializers: dict[str, TensorProto] = {}
        self._shape = ""
        self._centres: dict[int, str] = {}

    def model(self) -> onnx.ModelProto:
        """The whole graph."""
        width = self._bert.width
        states = self._norm(self._embedded(), self._bert.norm, "embedding.norm")
        if self._precision == "int8":
            rows = self._op("Shape", states, start=0, end=1)
            for centre in (CENTRE, GELU_CENTRE):
                value = helper.make_tensor("value", TensorProto.UINT8, [1], [centre])
                self._centres[centre] = self._op("ConstantOfShape", rows, value=value)
        for number, layer in enumerate(self._bert.layers):
            if number == len(self._bert.layers) - 1:
                self._op("Reshape", states, self._shape, outputs=["tokens"])
            states = self._layer(states, layer, f"layer{number}.")
        states = self._op("Reshape", states, self._shape)
        if self._pooling == "mean":
            self._op("ReduceMean", states, self._integers("axis1", [1]), keepdims=0, outputs=["vector"])
        else:
            self._op("Gather", states, self._constant("first", np.array(0, np.int64)), axis=1, outputs=["vector"])
        graph = helper.make_graph(
            self._nodes,
            "bert",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "length"])],
            [
                helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", width]),
                helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["batch", "length", width]),
            ],
            list(self._initializers.values()),
        )
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="pincite")

    # -- parts
    def _embedded(self) -> str:
        """Words and positions, added: (batch × length, width)."""
        bert = self._bert
        if isinstance(bert.words, Q4):
            words = self._op(
                "GatherBlockQuantized",
                self._constant("words", bert.words.packed()),
                "ids",
                self._constant("words.scales", bert.words.scales.astype(np.float32)),
                domain=MICROSOFT,
                bits=4,
                block_size=BLOCK,
                gather_axis=0,
                quantize_axis=1,
            )
        else:
            words = self._gathered(bert.words)
        length = self._op("Shape", "ids", start=1, end=2)
        zero = self._integers("axis0", [0])
        positions = self._op("Slice", self._constant("positions", bert.positions), zero, length, zero)
        states = self._op("Add", words, positions)
        self._shape = self._op("Shape", states)
        return self._flat(states)

    def _gathered(self, words: Int8) -> str:
        rows = self._op("Cast", self._op("Gather", self._constant("words", words.values), "ids"), to=TensorProto.FLOAT)
        if words.zero:
            rows = self._op("Sub", rows, self._float("words.zero", words.zero))
        return self._op("Mul", rows, self._op("Gather", self._constant("words.scales", words.scales[:, None]), "ids"))

    def _layer(self, states: str, layer: Layer, at: str) -> str:
        rows = self._quantised(states)
        heads = [
            self._op("Reshape", self._product(rows, linear, at + name), self._shape)
            for name, linear in (("query", layer.query), ("key", layer.key), ("value", layer.value))
        ]
        bias = np.concatenate([layer.query.bias, layer.key.bias, layer.value.bias])
        mixed = self._op(
            "MultiHeadAttention",
            *heads,
            self._constant(at + "bias", bias),
            domain=MICROSOFT,
            num_heads=self._bert.heads,
        )
        mixed = self._linear(self._quantised(self._flat(mixed)), layer.output, at + "output")
        states = self._norm(self._op("Add", mixed, states), layer.attention_norm, at + "attention.norm")
        inner = self._op("Gelu", self._linear(self._quantised(states), layer.inner, at + "inner"))
        outer = self._linear(self._quantised(inner, gelu=True), layer.outer, at + "outer")
        return self._norm(self._op("Add", outer, states), layer.output_norm, at + "output.norm")

    def _quantised(self, states: str, gelu: bool = False) -> tuple[str, str, int]:
        """Bytes (rows, columns), the scale of each row (rows, 1), and the byte that stands for zero."""
        if self._precision != "int8":
            return states, "", 0
        last = self._integers("last", [-1])
        centre = GELU_CENTRE if gelu else CENTRE
        levels = 255 - centre
        if gelu:
            least = self._float("gelu.least", GELU_LEAST * levels / centre)
            peak = self._op("ReduceMax", states, last, keepdims=0)
        else:
            least = self._float("least", 1e-9)
            peak = self._op("ReduceMax", self._op("Abs", states), last, keepdims=0)
        scale = self._op("Mul", self._op("Max", peak, least), self._float(f"per{levels}", 1 / levels))
        rows = self._op("QuantizeLinear", states, scale, self._centres[centre], axis=0)
        return rows, self._op("Unsqueeze", scale, last), centre

    def _product(self, rows: tuple[str, str, int], linear: Linear, name: str) -> str:
        """``x @ weight.T`` without the bias."""
        values, scale, centre = rows
        if self._precision == "q4":
            return self._product_q4(values, linear, name)
        weight = linear.floats()
        steps = np.maximum(np.abs(weight).max(axis=1) / WEIGHT_LEVELS, 1e-12).astype(np.float32)
        whole = np.rint(weight / steps[:, None]).astype(np.int8)
        product = self._op(
            "MatMulIntegerToFloat",
            values,
            self._constant(name + ".int8", whole.T),
            self._float("one", 1.0),
            self._constant(name + ".steps", steps),
            self._constant(f"centre{centre}", np.array(centre, np.uint8)),
            domain=MICROSOFT,
        )
        return self._op("Mul", product, scale)

    def _product_q4(self, values: str, linear: Linear, name: str) -> str:
        weight = linear.weight
        if not isinstance(weight, Q4):
            raise ValueError(f"{name}: these weights are not in 4 bits")
        rows, columns = weight.nibbles.shape
        return self._op(
            "MatMulNBits",
            values,
            self._constant(name + ".q4", weight.packed().reshape(rows, columns // BLOCK, BLOCK // 2)),
            self._constant(name + ".scales", weight.scales.astype(np.float32).reshape(-1)),
            domain=MICROSOFT,
            K=columns,
            N=rows,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,  # int8 activations, a scale for each block of a row
        )

    def _linear(self, rows: tuple[str, str, int], linear: Linear, name: str) -> str:
        return self._op("Add", self._product(rows, linear, name), self._constant(name + ".bias", linear.bias))

    def _norm(self, states: str, norm: Norm, name: str) -> str:
        weight, bias = self._constant(name + ".weight", norm.weight), self._constant(name + ".bias", norm.bias)
        return self._op("LayerNormalization", states, weight, bias, epsilon=self._bert.epsilon, axis=-1)

    def _flat(self, states: str) -> str:
        return self._op("Reshape", states, self._integers("flat", [-1, self._bert.width]))

    # -- pieces of a graph
    def _op(
        self, kind: str, *inputs: str, domain: str = "", outputs: list[str] | None = None, **attributes: Any
    ) -> str:
        outputs = outputs or [f"{kind}{len(self._nodes)}"]
        self._nodes.append(
            helper.make_node(kind, list(inputs), outputs, name=f"n{len(self._nodes)}", domain=domain, **attributes)
        )
        return outputs[0]

    def _constant(self, name: str, array: np.ndarray[Any, Any]) -> str:
        if name not in self._initializers:
            self._initializers[name] = self._weights.tensor(name, array)
        return name

    def _integers(self, name: str, values: list[int]) -> str:
        return self._constant(name, np.array(values, np.int64))

    def _float(self, name: str, value: float) -> str:
        return self._constant(name, np.array(value, np.float32))


def write(bert: Bert, pooling: str, folder: Path, precisions: tuple[str, ...]) -> None:
    """Writes ``model-<precision>.onnx`` for each precision and the one file of weights that they share."""
    weights = WeightFile(folder)
    for precision in precisions:
        model = GraphWriter(bert, precision, pooling, weights).model()
        (folder / f"model-{precision}.onnx").write_bytes(model.SerializeToString())
