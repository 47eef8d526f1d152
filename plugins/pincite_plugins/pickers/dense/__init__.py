"""The sentence that means most of what the query does, by the local model (specs/19-sentences.md)."""

from __future__ import annotations

from typing import Any

from pincite.spec import Context, hookimpl, setting
from pincite.values.quick import dataclass


@dataclass(frozen=True)
class Settings:
    """``[picker]`` with ``use = "dense"``.

    What is read is limited by counts and not by the clock, so that the same answer shows the same sentences everywhere. `looks`: how many
    passages get a first look; the others are left to the next picker. `tokens`: how many tokens the model reads to pick the sentences of
    one answer. `each`: how many sentences of a passage it reads, the first look's best. `order`: how many tokens it reads to find the
    passage of a work that says it best; 0: their order stays.
    """

    looks: int = setting(8, ge=1)
    tokens: int = setting(200, ge=0)
    each: int = setting(6, ge=1)
    order: int = setting(250, ge=0)


def make(settings: Settings | None, context: Context) -> Any:
    """The picker, over the configured embedder."""
    from pincite_plugins.pickers.dense.picker import DensePicker

    if context.embedder is None:
        raise ValueError("the dense picker needs an embedder")
    return DensePicker(context.embedder, settings or Settings())


@hookimpl
def register_pickers(register: Any) -> None:
    """Registers `dense`."""
    register("dense", make, settings=Settings, by_meaning=True)
