"""Nearest passages by meaning, over int8 codes in a memory-mapped file (specs/09-vectors.md)."""

from __future__ import annotations

from typing import Any

from pincite.spec import Context, hookimpl


def make(settings: Any, context: Context) -> Any:
    """The ranker, over the vectors of the configured embedder."""
    from pincite.calibration.files import calibration_for
    from pincite_plugins.rankers.vector.ranker import VectorRanker

    if context.folder is None or context.store is None or context.embedder is None:
        raise ValueError("the vector ranker needs an index folder, a store and an embedder")
    return VectorRanker(
        context.folder / "vector",
        context.store(),
        context.embedder,
        context.note,
        lambda facts: calibration_for(facts, context.home),
    )


@hookimpl
def register_rankers(register: Any) -> None:
    """Registers `vector`."""
    register("vector", make)
