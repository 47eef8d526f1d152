"""The embedder `static`: the mean of token vectors from a table, without inference (specs/09-vectors.md)."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.spec import Context, Register, hookimpl, setting


@dataclass(frozen=True)
class StaticSettings:
    """Which table, and where its files are if not where its card says."""

    model: str = setting(
        "wordllama", description="Name of a model card whose embedder is static, or the path of one (NAME.toml)."
    )
    folder: str = setting(
        "", description="A folder that holds the model's files (model2vec's layout), instead of the card's origins."
    )
    hub: bool = setting(
        False, description="Whether the card's hub repository may be downloaded from (HF_ENDPOINT is respected)."
    )


def make(settings: StaticSettings, context: Context) -> object:
    """The embedder of the configured table. Light: the files are read on first use."""
    from pincite_plugins.embedders.static.embedder import StaticEmbedder

    return StaticEmbedder(settings, context)


@hookimpl
def register_embedders(register: Register) -> None:
    """Gives `static`."""
    register("static", make, settings=StaticSettings)
