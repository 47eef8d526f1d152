"""The mean of calibrated fractions (specs/18-fusion.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, hookimpl, setting


@dataclass(frozen=True)
class Settings:
    """``[fuser]`` with ``use = "convex"``. `weights`: ranker → its share; one that is not named has 1."""

    weights: dict[str, float] = setting(factory=dict)


def make(settings: Settings | None, context: Context) -> Any:
    """The fuser."""
    from pincite_plugins.fusers.convex.convex import ConvexFusion

    return ConvexFusion((settings or Settings()).weights)


@hookimpl
def register_fusers(register: Any) -> None:
    """Registers `convex`."""
    register("convex", make, settings=Settings)
