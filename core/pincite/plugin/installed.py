"""The entry points of a group, as `importlib.metadata` gives them, where nothing but folders is to be looked through.

`importlib.metadata` loads the standard library's mail and zip packages to read them, which took a search as a whole process a tenth of its
time. Who is installed as a zip file, or by an importer that keeps distributions elsewhere, is found by it all the same.
Format: https://packaging.python.org/specifications/entry-points/
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

from pincite.values.quick import dataclass

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint


@dataclass(frozen=True, slots=True)
class Installed:
    """An entry point. `folder`: the ``*.dist-info`` that names it. Name, value, `dist` and `load` are those of
    `importlib.metadata.EntryPoint`."""

    name: str
    value: str
    folder: str

    @property
    def dist(self) -> Distribution:
        """The distribution that brought it."""
        from importlib.metadata import Distribution

        return Distribution.at(self.folder)

    def load(self) -> Any:
        """The module that it names, or what it names of the module."""
        module, _, attributes = self.value.partition("[")[0].replace(" ", "").partition(":")
        return reduce(getattr, filter(None, attributes.split(".")), import_module(module))


def installed(group: str) -> list[Installed] | list[EntryPoint]:
    """Every entry point of a group, in the order of `sys.path`; of two distributions of one name the first."""
    if not _folders_alone():
        from importlib.metadata import entry_points

        return list(entry_points(group=group))
    header = f"[{group}]".encode()
    return [
        Installed(name, value, folder)
        for folder in _distributions()
        if header in (text := _read(os.path.join(folder, "entry_points.txt")))
        for name, value in _section(text.decode(errors="replace"), group)
    ]


def _folders_alone() -> bool:
    finders = (finder for finder in sys.meta_path if finder is not PathFinder)
    return not any(hasattr(finder, "find_distributions") for finder in finders) and not any(
        path.endswith(".egg") or os.path.isfile(path) for path in _paths()
    )


def _paths() -> Iterator[str]:
    """Where modules are looked for, as text: a script may put another kind of path there, or none for the folder it stands in."""
    return (os.fspath(path) or "." for path in sys.path)


def _distributions() -> Iterator[str]:
    """The folders of metadata of all that is installed."""
    seen: set[str] = set()
    for path in _paths():
        try:
            inside = os.listdir(path)
        except OSError:
            continue
        for folder in inside:
            if folder.lower().endswith((".dist-info", ".egg-info")):
                stem = os.path.splitext(folder)[0]
                name = re.sub(r"[-_.]+", "_", stem.partition("-")[0].lower())
                if name not in seen:
                    seen.add(name)
                    yield os.path.join(path, folder)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""  # it has no entry points


def _section(text: str, group: str) -> Iterator[tuple[str, str]]:
    """Name and value of each line of the group's section."""
    within = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            within = line[1:-1]
        elif line and not line.startswith("#") and within == group:
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()
