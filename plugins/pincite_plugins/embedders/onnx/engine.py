"""Runs a graph with onnxruntime: ids of equally long windows → pooled vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.errors import PinciteError
from pincite.models.runtime import onnxruntime
from pincite_plugins.embedders.onnx.convert import AS_IS


class Engine:
    """One onnxruntime session on one core; `run` may be called from several threads.

    A graph of ours takes ``ids`` and gives ``vector`` and, where `gives_tokens`, ``tokens``. Any other graph takes what exports of
    BERT take and gives the states of tokens, which are pooled here; where it quantises activations with one scale for all,
    `together` is false and each window must be run alone.
    """

    def __init__(self, folder: Path, precision: str, pooling: str) -> None:
        runtime = onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        own = (folder / f"model-{precision}.onnx", folder / AS_IS)
        path = next((one for one in own if one.is_file()), None)
        if path is None:
            there = ", ".join(sorted(one.stem.removeprefix("model-") for one in folder.glob("model*.onnx")))
            raise PinciteError(f"{folder.name} has no graph for precision {precision}; there is: {there}")
        if path.name != AS_IS:
            # no extended fusions: they put SkipLayerNormalization back, which is slow
            options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        try:
            self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises many types of its own
            reason = str(error).splitlines()[0]
            raise PinciteError(
                f"{path}: onnxruntime cannot load it ({reason}); remove {folder} to have it made again"
            ) from error
        self._inputs = [one.name for one in self._session.get_inputs()]
        self.gives_tokens = {"vector", "tokens"} == {one.name for one in self._session.get_outputs()}
        self._pooling = pooling
        self.together = path.name != AS_IS or b"DynamicQuantizeLinear" not in path.read_bytes()

    def run(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """`ids`: (count, length). Returns (count, width), not normalised."""
        if self._inputs == ["ids"]:
            result: npt.NDArray[np.float32] = self._session.run(["vector"], {"ids": ids})[0]
            return result
        feeds: dict[str, Any] = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        states = self._session.run(None, {name: feeds[name] for name in self._inputs if name in feeds})[0].astype(
            np.float32
        )
        if states.ndim == 2:  # pooled by the graph
            return np.asarray(states)
        return np.asarray(states[:, 0] if self._pooling == "cls" else states.mean(axis=1))

    def run_with_tokens(self, ids: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """As `run`, and the states (count, length, width) of the layer before the last. Only where `gives_tokens`."""
        vectors, states = self._session.run(["vector", "tokens"], {"ids": ids})
        return vectors, states
