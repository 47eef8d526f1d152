"""The seam: what a factory makes is looked at once, and each of its methods is called under the plugin's name.

What comes back is checked where that costs next to nothing and a wrong answer would go unnoticed: a vector that is not finite or of
another width, evidence out of order, a passage that was filtered out, a sentence that is none (`pincite.plugin.checks`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite import spec
from pincite.errors import PluginError
from pincite.plugin.checks import CHECKED, Wrapper
from pincite.plugin.use import called_by_name, using

PROTOCOLS: dict[str, type] = {
    "source": spec.Source,
    "extractor": spec.Extractor,
    "chunker": spec.Chunker,
    "embedder": spec.Embedder,
    "store": spec.Store,
    "ranker": spec.Ranker,
    "fuser": spec.Fuser,
    "reranker": spec.Reranker,
    "picker": spec.Picker,
    "provider": spec.Provider,
    "planner": spec.Planner,
    "service": spec.Service,
}
"""Kind → protocol. A command is a function or a Typer application."""

UNHURRIED = frozenset({"serve"})
"""Methods that run until they are stopped."""


def methods_of(kind: str) -> list[str]:
    """The methods that a plugin of this kind must have."""
    return [name for name, part in vars(PROTOCOLS[kind]).items() if callable(part) and not name.startswith("_")]


def guard(kind: str, plugin: str, made: Any) -> Any:
    """What a factory made, behind the seam. Raises `PluginError` where it is not what its kind needs."""
    protocol = PROTOCOLS.get(kind)
    if protocol is None:
        return made
    for name in methods_of(kind):
        if not callable(getattr(made, name, None)):
            raise PluginError(
                plugin,
                f"its factory gave {_kind_of(made)}, which has no {name}(); see {protocol.__name__} in specs/01-contract.md",
            )
    return Guarded(made, plugin, CHECKED.get(kind, {}))


class Guarded:
    """A plugin's object with each method called through `using`. Any other attribute is the object's own.

    `limit`: seconds for each call, None as configured.
    """

    def __init__(self, made: Any, plugin: str, checked: Mapping[str, Wrapper], limit: float | None = None) -> None:
        self._made = made
        self._plugin = plugin
        self._checked = checked
        self._limit = limit

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(self._made, name)
        except AttributeError:
            raise AttributeError(f"plugin {self._plugin}: has no '{name}'") from None
        except Exception:
            with using(self._plugin):
                value = getattr(self._made, name)
        if name.startswith("_") or not callable(value) or isinstance(value, type):
            return value
        wrap = self._checked.get(name)
        limit = 0.0 if name in UNHURRIED else self._limit
        called = called_by_name(self._plugin, value if wrap is None else wrap(self._plugin, value), limit)
        self.__dict__[name] = called
        return called

    def __repr__(self) -> str:
        return f"<{self._plugin}: {self._made!r}>"


def _kind_of(made: Any) -> str:
    return "nothing" if made is None else f"a {type(made).__name__}"
