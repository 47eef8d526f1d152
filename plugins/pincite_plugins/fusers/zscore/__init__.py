"""The sum of how far an item stands out in each list, moved towards that of works alike (specs/18-fusion.md)."""

from __future__ import annotations

from typing import Any

from pincite.spec import Context, hookimpl, setting
from pincite.values.quick import dataclass


@dataclass(frozen=True)
class Settings:
    """``[fuser]`` with ``use = "zscore"``. A list by words counts nothing where `none` or less of the query's words are found, and fully
    from `full` on. `neighbours`: how much the scores of works that are alike count in each other's; 0 leaves them."""

    none: float = setting(0.6, ge=0, lt=1)
    full: float = setting(0.8, gt=0, le=1)
    neighbours: float = setting(0.2, ge=0, le=1)


def make(settings: Settings | None, context: Context) -> Any:
    """The fuser, with the likeness of works by the vectors that the store has."""
    from pincite_plugins.fusers.zscore.neighbours import Likeness
    from pincite_plugins.fusers.zscore.zscore import StandingFusion

    settings = settings or Settings()
    alike = Likeness(context.store, context.embedder) if context.store and context.embedder else None
    return StandingFusion(settings.none, settings.full, neighbours=settings.neighbours, alike=alike)


@hookimpl
def register_fusers(register: Any) -> None:
    """Registers `zscore`."""
    register("zscore", make, settings=Settings)
