"""Reciprocal Rank Fusion (specs/18-fusion.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, hookimpl, setting


@dataclass(frozen=True)
class Settings:
    """``[fuser]`` with ``use = "rrf"``. `k` damps the weight of the first ranks."""

    k: float = setting(60.0, gt=0)


def make(settings: Settings | None, context: Context) -> Any:
    """The fuser."""
    from pincite_plugins.fusers.rrf.rrf import ReciprocalRankFusion

    return ReciprocalRankFusion((settings or Settings()).k)


@hookimpl
def register_fusers(register: Any) -> None:
    """Registers `rrf`."""
    register("rrf", make, settings=Settings)
