"""The embedder `onnx`: runs the model of a card with onnxruntime, the default model included (specs/08-model-cards.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincite.spec import Context, Register, hookimpl, setting


@dataclass(frozen=True)
class OnnxSettings:
    """Which model, where its files are if not where its card says, and how much of the machine it may take."""

    model: str = setting("multilingual-e5-small", description="Name of a model card, or the path of one (NAME.toml).")
    folder: str = setting("", description="A folder that holds the model's files, instead of the card's origins.")
    hub: bool = setting(
        False, description="Whether the card's hub repository may be downloaded from (HF_ENDPOINT is respected)."
    )
    precision: Literal["int8", "q4"] = setting(
        "int8",
        description="Arithmetic of the layers: int8 is fast; q4 keeps the 4-bit weights of the default model as they are.",
    )
    threads: int = setting(
        0, ge=0, description="Texts computed at once, each on one core; 0: as many as there are physical cores."
    )
    batch_tokens: int = setting(
        512, ge=1, le=65536, description="Most tokens in one call (length × count), which bounds memory."
    )


def make(settings: OnnxSettings, context: Context) -> object:
    """The embedder of the configured model. Light: files are sought and the engine is made on first use."""
    from pincite_plugins.embedders.onnx.embedder import OnnxEmbedder

    return OnnxEmbedder(settings, context)


@hookimpl
def register_embedders(register: Register) -> None:
    """Gives `onnx`."""
    register("onnx", make, settings=OnnxSettings)
