"""The chunker `structural`: cuts a pack along its sections, paragraphs and sentences (specs/15-chunks.md)."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.spec import Context, Register, hookimpl, setting

VERSION = 1
"""Rises whenever the same pack would be cut otherwise."""


@dataclass(frozen=True)
class StructuralSettings:
    """Sizes in tokens of the embedder's own tokenizer."""

    minimum: int = setting(120, ge=1, description="A group of paragraphs or sections closes on reaching this.")
    maximum: int = setting(
        768, ge=16, description="No chunk is larger; the model's window, if smaller, takes its place."
    )
    overlap: int = setting(48, ge=0, description="Whole sentences up to this size are repeated where a text is cut.")


def make(settings: StructuralSettings, context: Context) -> object:
    """The chunker with these sizes."""
    from pincite_plugins.chunkers.structural.chunker import StructuralChunker

    return StructuralChunker(settings.minimum, settings.maximum, settings.overlap)


@hookimpl
def register_chunkers(register: Register) -> None:
    """Gives `structural`."""
    register("structural", make, settings=StructuralSettings, preload=("pincite_plugins.chunkers.structural.chunker",))
