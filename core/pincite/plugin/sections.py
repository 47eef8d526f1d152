"""Whether the configuration is one that the plugins take, asked before long work instead of in the midst of it."""

from __future__ import annotations

from pincite.config.load import Config, validate_section
from pincite.config.model import MANY, SINGLE
from pincite.plugin.manager import Plugins


def check_sections(config: Config, plugins: Plugins) -> None:
    """Raises `UnknownName` or `ConfigError` at the first plugin that nobody gives, or key that a plugin does not take."""
    settings = config.settings
    for kind in SINGLE:
        use = getattr(settings, kind)
        if use.use:
            validate_section(plugins.find(kind, use.use).settings, use.own, kind, config.origins)
    for several in MANY:
        for name, section in getattr(settings, several).items():
            validate_section(plugins.find(several, name).settings, section, f"{several}.{name}", config.origins)
    for name in dict.fromkeys(name for names in settings.engines.values() for name in names):
        plugins.find("ranker", name)
