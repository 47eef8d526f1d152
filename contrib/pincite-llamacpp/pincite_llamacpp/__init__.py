"""The embedder `llamacpp`: passages embedded in process with a GGUF file that gives the local model's vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, Register, hookimpl, setting


@dataclass(frozen=True)
class LlamaCppSettings:
    """Which file, and which model its vectors must be of."""

    file: str = setting("", description="The GGUF file.")
    model: str = setting("multilingual-e5-small", description="The model that the vectors must be of.")
    local: dict[str, Any] = setting(
        factory=lambda: {"use": "onnx"},
        description="The embedder that it must agree with: `use`, and its own keys.",
    )
    threads: int = setting(
        0, ge=0, description="Threads of inference; 0: as configured for pincite, or as llama.cpp chooses."
    )
    layers: int = setting(0, ge=-1, description="Layers on a graphics processor; -1: all.")


def make(settings: LlamaCppSettings, context: Context) -> object:
    """The embedder. Light: the file is read when the first passage comes."""
    from pincite_llamacpp.embedder import LlamaCppEmbedder

    return LlamaCppEmbedder(settings, context)


@hookimpl
def register_embedders(register: Register) -> None:
    """Gives `llamacpp`."""
    register("llamacpp", make, settings=LlamaCppSettings)
