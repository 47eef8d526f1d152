"""RRF in which the lists that go by words count as far as the library has the query's words (specs/18-fusion.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, hookimpl, setting


@dataclass(frozen=True)
class Settings:
    """``[fuser]`` with ``use = "coverage"``. `k` damps the weight of the first ranks. A list by words counts nothing where `none` or less
    of the query's words are found, and fully from `full` on."""

    k: float = setting(60.0, gt=0)
    none: float = setting(0.6, ge=0, lt=1)
    full: float = setting(0.8, gt=0, le=1)


def make(settings: Settings | None, context: Context) -> Any:
    """The fuser."""
    from pincite_plugins.fusers.coverage.coverage import CoverageFusion

    settings = settings or Settings()
    return CoverageFusion(none=settings.none, full=settings.full, k=settings.k)


@hookimpl
def register_fusers(register: Any) -> None:
    """Registers `coverage`."""
    register("coverage", make, settings=Settings)
