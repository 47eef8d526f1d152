"""From a path, or a name in the configuration, to the library that it means."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.config.load import Config, load
from pincite.errors import UsageError
from pincite.library import Library
from pincite.plugin.making import plugins_of
from pincite.plugin.manager import Plugins


def open(
    library: str | os.PathLike[str] | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    note: Callable[[str], None] = lambda line: None,
    **settings: Any,
) -> Library:
    """Opens a library by path or by its name in the configuration; None is the configured default.

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
    if name in libraries:
        chosen = libraries[name]
        folder = Path(chosen.index).expanduser().absolute() if chosen.index else None
        return Library(_absolute(chosen.path), config, plugins, source=chosen.source, folder=folder, note=note)
    path = _absolute(name)
    if not os.path.lexists(path):
        named = f"; libraries by name: {', '.join(sorted(libraries))}" if libraries else ""
        raise UsageError(f"{name}: no such file or folder, and no library of that name{named}")
    return Library(path, config, plugins, note=note)


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))
