"""Maximal marginal relevance: the top, less alike (specs/18-fusion.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, hookimpl, setting


@dataclass(frozen=True)
class Settings:
    """``[reranker]`` with ``use = "mmr"``. `relevance`: the weight of the place in the ranking; the rest is that of being
    unlike what stands above."""

    relevance: float = setting(0.7, ge=0, le=1)


def make(settings: Settings | None, context: Context) -> Any:
    """The reranker, over the vectors that the store has."""
    from pincite_plugins.rerankers.mmr.mmr import MarginalRelevance

    return MarginalRelevance((settings or Settings()).relevance, context.store, context.embedder)


@hookimpl
def register_rerankers(register: Any) -> None:
    """Registers `mmr`."""
    register("mmr", make, settings=Settings)
