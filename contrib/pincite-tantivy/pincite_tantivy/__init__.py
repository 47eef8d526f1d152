"""Ranker `tantivy`: words, over tantivy's segments, for very large libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, Register, hookimpl, setting

PINCITE_CONTRACT = 1


@dataclass(frozen=True)
class Settings:
    """``[ranker.tantivy]``."""

    stems: bool = setting(True, description="Whether a word finds its other forms.")
    memory: int = setting(
        128, ge=16, le=4096, description="Megabytes that an indexing run gathers before it writes a segment."
    )


def make(settings: Settings | None, context: Context) -> Any:
    """The ranker, in its own folder of the index."""
    from pincite_tantivy.ranker import TantivyRanker

    if context.folder is None or context.store is None:
        raise ValueError("the tantivy ranker needs an index folder and a store")
    return TantivyRanker(context.folder / "tantivy", context.store(), settings or Settings(), context.note)


@hookimpl
def register_rankers(register: Register) -> None:
    """Registers `tantivy`."""
    register("tantivy", make, settings=Settings)
