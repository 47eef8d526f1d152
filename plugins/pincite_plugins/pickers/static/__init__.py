"""The sentence nearest to the query by static vectors: no inference (specs/19-sentences.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, hookimpl


@dataclass(frozen=True)
class Settings:
    """``[picker]`` with ``use = "static"``. `model`: a static model by name (made by the embedder `static`), by default the vectors that
    the configured model's own tokens begin with."""

    model: str = ""


def make(settings: Settings | None, context: Context) -> Any:
    """The picker."""
    from pincite_plugins.pickers.static.picker import StaticPicker

    model = settings.model if settings else ""
    if model:
        if context.make is None:
            raise ValueError("the static picker needs the embedder of its model")
        embedder = context.make("embedder", "static", {"model": model})
        return StaticPicker(lambda: embedder, vectors=True)
    if context.embedder is None:
        raise ValueError("the static picker needs an embedder")
    return StaticPicker(context.embedder)


@hookimpl
def register_pickers(register: Any) -> None:
    """Registers `static`."""
    register("static", make, settings=Settings, by_meaning=True)
