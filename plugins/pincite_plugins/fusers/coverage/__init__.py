"""RRF in which the lists that go by words count as far as the library has the query's words (specs/18-fusion.md)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.spec import Context, hookimpl


class Settings(BaseModel):
    """``[fuser]`` with ``use = "coverage"``. `k` damps the weight of the first ranks. A list by words counts nothing where `none` or less
    of the query's words are found, and fully from `full` on."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    k: float = Field(default=60.0, gt=0)
    none: float = Field(default=0.6, ge=0, lt=1)
    full: float = Field(default=0.8, gt=0, le=1)


def make(settings: Settings | None, context: Context) -> Any:
    """The fuser."""
    from pincite_plugins.fusers.coverage.coverage import CoverageFusion

    settings = settings or Settings()
    return CoverageFusion(none=settings.none, full=settings.full, k=settings.k)


@hookimpl
def register_fusers(register: Any) -> None:
    """Registers `coverage`."""
    register("coverage", make, settings=Settings)
