"""The sentence that means most of what the query does, by the local model (specs/19-sentences.md)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.spec import Context, hookimpl


class Settings(BaseModel):
    """``[picker]`` with ``use = "dense"``.

    `tokens`: how many tokens of sentences the model reads for one answer (a limit of time that does not depend on the machine: the same
    answer shows the same sentences everywhere). `each`: how many sentences of a passage it reads, chosen by a first look.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    tokens: int = Field(default=500, ge=0)
    each: int = Field(default=2, ge=1)


def make(settings: Settings | None, context: Context) -> Any:
    """The picker, over the configured embedder."""
    from pincite_plugins.pickers.dense.picker import DensePicker

    if context.embedder is None:
        raise ValueError("the dense picker needs an embedder")
    return DensePicker(context.embedder, settings or Settings())


@hookimpl
def register_pickers(register: Any) -> None:
    """Registers `dense`."""
    register("dense", make, settings=Settings)
