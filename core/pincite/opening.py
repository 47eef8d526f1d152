"""From a path, or a name in the configuration, to the library that it means."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.config.load import Config, load
from pincite.errors import UsageError
from pincite.library import Library
from pincite.paths import stands
from pincite.plugin.making import plugins_of
from pincite.plugin.manager import Plugins


def open(
    library: str | os.PathLike[str] | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    note: Callable[[str], None] = lambda line: None,
    **settings: Any,
) -> Library:
    """Opens a library by its name in the configuration or by path, which is the library of the configuration that has it; None is the
    configured default.

    `config` is a configuration file in place of the user's. `settings` are keys of the configuration, ``__`` for a dot
    (``embedder__model="bge-small-en"``). `note` takes lines for the person. Raises `UsageError` or `ConfigError`.
    """
    resolved = load(
        Path(config) if config is not None else None,
        given={key.replace("__", "."): value for key, value in settings.items()},
    )
    return open_with(resolved, None if library is None else os.fspath(library), note)


def open_with(
    config: Config, library: str | None, note: Callable[[str], None] = lambda line: None, plugins: Plugins | None = None
) -> Library:
    """The same with a configuration that is already resolved."""
    plugins = plugins or plugins_of(config)
    name = library or config.settings.library
    libraries = config.settings.libraries
    if name is None:
        if len(libraries) != 1:
            raise UsageError(
                "which library? Give --library PATH or NAME"
                + (
                    f"; names: {', '.join(sorted(libraries))}"
                    if libraries
                    else ", or set `library` in the configuration"
                )
            )
        name = next(iter(libraries))
    paths = {one: _meant(config, f"libraries.{one}.path", known.path) for one, known in libraries.items()}
    path = _meant(config, "" if library else "library", name)
    if name not in libraries:
        here = _real(path)
        name = next((one for one in libraries if _real(paths[one]) == here), name)
    if name in libraries:
        chosen, path = libraries[name], paths[name]
        folder = _meant(config, f"libraries.{name}.index", chosen.index) if chosen.index else None
        return Library(path, config, plugins, source=chosen.source, folder=folder, name=name, note=note)
    if not stands(path):
        named = f"; libraries by name: {', '.join(sorted(libraries))}" if libraries else ""
        raise UsageError(f"{name}: no such file or folder, and no library of that name{named}")
    return Library(path, config, plugins, note=note)


def _meant(config: Config, key: str, path: str) -> Path:
    """An absolute path; one that stands in the configuration file under `key` begins beside that file."""
    beside = config.file.parent if config.origins.get(key) == str(config.file) else ""
    return Path(os.path.abspath(os.path.join(beside, os.path.expanduser(path))))


def _real(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # no file has a NUL in its name
        return str(path)
