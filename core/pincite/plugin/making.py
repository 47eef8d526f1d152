"""The plugins that a configuration allows, and making one for another, or for a command that works without a library."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from pincite.config.load import Config, validate_section
from pincite.plugin.guard import guard
from pincite.plugin.manager import Plugins
from pincite.plugin.use import using
from pincite.plugin.watch import WATCHDOG
from pincite.spec import Context


def plugins_of(config: Config) -> Plugins:
    """The plugins that a configuration allows."""
    trace = os.environ.get("PINCITE_TRACE", "") not in ("", "0")
    WATCHDOG.limit = config.settings.plugins.timeout
    return Plugins(blocked=config.settings.plugins.block, local=config.local_plugin, trace=trace)


def make_with(plugins: Plugins, kind: str, name: str, values: Mapping[str, Any], context: Context) -> Any:
    """A plugin by kind and name with these settings. Raises `UnknownName`, `ConfigError` or `PluginError`."""
    entry = plugins.find(kind, name)
    settings = validate_section(entry.settings, values, f"{kind} {name}")
    with using(entry.plugin):
        made = entry.factory(settings, context)
    return guard(kind, entry.label, made)


def context_without_library(config: Config, plugins: Plugins, note: Callable[[str], None]) -> Context:
    """Where a plugin works when no library is open: the data folder, and other plugins."""
    context = Context(
        home=config.home,
        make=lambda kind, name, values: make_with(plugins, kind, name, values, context),
        note=note,
        threads=config.settings.index.threads,
    )
    return context
