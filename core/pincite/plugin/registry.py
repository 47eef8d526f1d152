"""What the plugins have registered: one entry for each name of each kind."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from pincite.errors import DuplicateName, UnknownName
from pincite.values.quick import dataclass


@dataclass(frozen=True)
class Registered:
    """One name of one kind: its factory, the model of its settings, and what else the plugin said of it."""

    kind: str
    name: str
    plugin: str
    factory: Callable[..., Any]
    settings: type | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """How it is named in messages: "source.shoebox", with the plugin that registered it where that has another name."""
        name = f"{self.kind}.{self.name}"
        return name if self.plugin == name else f"{self.plugin} ({name})"


class Registry:
    """Keeps what is registered and answers by kind and name."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], list[Registered]] = {}

    def add(self, entry: Registered) -> None:
        """Takes an entry in; one that is there already from the same plugin is replaced."""
        entries = self._entries.setdefault((entry.kind, entry.name), [])
        entries[:] = [one for one in entries if one.plugin != entry.plugin] + [entry]

    def names(self, kind: str) -> list[str]:
        """The names registered so far, sorted."""
        return sorted(name for one, name in self._entries if one == kind)

    def get(self, kind: str, name: str) -> Registered | None:
        """The entry of a name, or None. Raises `DuplicateName` where two plugins gave it."""
        entries = self._entries.get((kind, name), [])
        if len(entries) > 1:
            owners = ", ".join(sorted(entry.plugin for entry in entries))
            raise DuplicateName(
                entries[-1].plugin,
                f"{kind} '{name}' is registered by several plugins ({owners}); block all but one with [plugins] block = [...]",
            )
        return entries[0] if entries else None


def unknown(kind: str, name: str, there_is: Iterable[str], blocked: bool = False) -> UnknownName:
    """The error for a name that nobody registered, or that is `blocked`."""
    names = sorted(there_is)
    if blocked:
        return UnknownName(
            f"{kind} '{name}' is kept out by [plugins] block; take it from there, or use another: {', '.join(names) or 'none'}"
        )
    near = difflib.get_close_matches(name, names, 1)
    listed = ", ".join(names) if names else "none"
    hint = f"did you mean '{near[0]}'? There is" if near else "there is"
    return UnknownName(f"no {kind} is called '{name}'; {hint}: {listed}")
