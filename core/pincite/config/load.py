"""Reading the configuration: defaults, then the file, then ``PINCITE_*`` variables, then what the caller gives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field, is_dataclass, replace
from pathlib import Path
from typing import Any

from pincite.config.model import ENGINES, MANY, SINGLE, LibrarySettings, Settings
from pincite.config.sections import SectionError, defaults, keys, made
from pincite.errors import ConfigError, cannot_be
from pincite.paths import stands
from pincite.values.quick import dataclass

FILE = "pincite.toml"
PREFIX = "PINCITE_"
RESERVED = frozenset(
    {"PINCITE_HOME", "PINCITE_CONFIG", "PINCITE_TRACE", "PINCITE_CORPORA", "PINCITE_DEBUG", "PINCITE_MCP_TOKEN"}
)
"""Variables that are not keys of the configuration."""


@dataclass(frozen=True)
class Config:
    """The resolved configuration: `settings`, the data folder `home`, the file it was read from (which need not exist), and
    `origins`: dotted key → where its value came from."""

    settings: Settings
    home: Path
    file: Path
    origins: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def local_plugin(self) -> Path:
        """Where the user's own plugin file would be: beside the configuration."""
        return self.file.parent / "pincite_local.py"

    def section(self, kind: str, name: str) -> dict[str, Any]:
        """The keys that a plugin is given."""
        if kind in SINGLE:
            use = getattr(self.settings, kind)
            return dict(use.own) if use.use == name else {}
        if kind in MANY:
            return dict(getattr(self.settings, kind).get(name, {}))
        return {}


def load(
    file: Path | str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    given: Mapping[str, Any] | None = None,
) -> Config:
    """Reads and validates the configuration.

    `file`: ``--config``; else ``PINCITE_CONFIG``; else ``pincite.toml`` in the platform's configuration folder, if it exists.
    `given`: dotted key → value from the command line or the program. Raises `ConfigError` naming file, key and the nearest right key.
    """
    environ = os.environ if environ is None else environ
    path, named = _file(file, environ)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    if stands(path) and path.is_file():
        values = _read(path)
        for key in _leaves(values):
            origins[key] = str(path)
    elif named:
        raise ConfigError(f"{path}: no such configuration file; create it or leave --config away")
    warnings, known = [], keys(Settings)
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in RESERVED:
            continue
        key = variable[len(PREFIX) :].lower().replace("__", ".")
        if key.split(".")[0] not in known:
            near = nearest(key.split(".")[0], sorted(known))
            hint = f" (did you mean {PREFIX}{near.upper()}?)" if near else ""
            warnings.append(f"environment variable {variable} is no setting of pincite and is ignored{hint}")
            continue
        _put(values, key, _parse(environ[variable]), variable)
        origins[key] = f"environment {variable}"
    for key, value in (given or {}).items():
        if value is not None:
            _put(values, key, value, "the command line")
            origins[key] = "command line"
    settings = _validate(values, origins)
    return Config(settings, home(environ), path, origins, tuple(warnings))


def home(environ: Mapping[str, str] | None = None) -> Path:
    """The data folder: ``PINCITE_HOME``, else the platform's folder for application data."""
    environ = os.environ if environ is None else environ
    if environ.get("PINCITE_HOME"):
        return Path(environ["PINCITE_HOME"]).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("pincite", appauthor=False))


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The most alike of `names`, or None if none is."""
    import difflib

    found = difflib.get_close_matches(name, list(names), 1, 0.5)
    return found[0] if found else None


def validate_section(
    model: type | None, values: Mapping[str, Any], where: str, origins: Mapping[str, str] | None = None
) -> Any:
    """A plugin's section through the plugin's model. `where` is its dotted name, `origins` as in `Config`.

    Raises `ConfigError` that names the place, the key and the nearest right one.
    """
    origins = origins or {}
    if model is None:
        if values:
            key = next(iter(values))
            raise ConfigError(
                f"{_origin(f'{where}.{key}', origins)}{where}: takes no settings, but '{key}' is set; remove it"
            )
        return None
    _check_keys(model, values, f"{where}.", origins)
    try:
        return made(model, values)
    except SectionError as error:
        raise ConfigError(_describe(error, where, origins)) from None


def _file(file: Path | str | None, environ: Mapping[str, str]) -> tuple[Path, bool]:
    chosen = file or environ.get("PINCITE_CONFIG")
    if chosen:
        path = Path(chosen).expanduser().absolute()
        return (path / FILE if os.path.isdir(path) else path), True
    if environ.get("PINCITE_HOME"):
        beside = Path(environ["PINCITE_HOME"]).expanduser().absolute() / FILE
        if stands(beside):
            return beside, False
    import platformdirs

    return Path(platformdirs.user_config_dir("pincite", appauthor=False)) / FILE, False


def _read(path: Path) -> dict[str, Any]:
    import tomllib  # most have no file, and a search is quick

    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}; correct that line") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise cannot_be("read", path, error) from None


def _parse(text: str) -> Any:
    """A variable's text as a TOML value where it is one, else as a string."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _put(values: dict[str, Any], key: str, value: Any, where: str) -> None:
    *path, last = key.split(".")
    for part in path:
        nested = values.setdefault(part, {})
        if not isinstance(nested, dict):
            raise ConfigError(f"{where}: '{part}' is not a section, so '{key}' cannot be set")
        values = nested
    values[last] = value


def _leaves(values: Mapping[str, Any], prefix: str = "") -> list[str]:
    keys = []
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            keys += _leaves(value, f"{prefix}{key}.")
        else:
            keys.append(prefix + key)
    return keys


def _validate(values: dict[str, Any], origins: Mapping[str, str]) -> Settings:
    _check_all_keys(values, origins)
    try:
        settings: Settings = made(Settings, {key: _section(key, value) for key, value in values.items()})
    except SectionError as error:
        raise ConfigError(_describe(error, "", origins)) from None
    for name, rankers in settings.engines.items():
        if not rankers:
            raise ConfigError(f"{_origin('engines', origins)}engine '{name}' has no ranker; name one, or remove it")
    settings = replace(settings, engines={**ENGINES, **settings.engines})
    if settings.engine not in settings.engines:
        names = ", ".join(sorted(settings.engines))
        near = nearest(settings.engine, settings.engines)
        hint = f"did you mean '{near}'? " if near else ""
        raise ConfigError(
            f"{_origin('engine', origins)}no engine is called '{settings.engine}'; {hint}there is: {names}"
        )
    return settings


def _section(key: str, values: Any) -> Any:
    """A section that names one plugin, with that plugin's keys apart."""
    if key not in SINGLE or not isinstance(values, Mapping):
        return values
    default = defaults(Settings)[key]
    known = keys(type(default)) - {"own"}
    ours = {"use": default.use, **{name: value for name, value in values.items() if name in known}}
    return {**ours, "own": {name: value for name, value in values.items() if name not in known}}


def _check_all_keys(values: Mapping[str, Any], origins: Mapping[str, str]) -> None:
    _check_keys(Settings, values, "", origins)
    for key, default in defaults(Settings).items():
        section = values.get(key)
        if not isinstance(section, Mapping) or key in SINGLE:
            continue
        if key == "libraries":
            for name, one in section.items():
                _check_keys(LibrarySettings, one if isinstance(one, Mapping) else {}, f"libraries.{name}.", origins)
        elif is_dataclass(default):
            _check_keys(type(default), section, f"{key}.", origins)


def _check_keys(model: type, values: Mapping[str, Any], prefix: str, origins: Mapping[str, str]) -> None:
    known = keys(model)
    for key in values:
        if key not in known:
            raise ConfigError(_origin(prefix + key, origins) + _unknown_key(prefix + key, key, known))


def _unknown_key(dotted: str, key: str, known: Iterable[str]) -> str:
    known = sorted(known)
    near = nearest(key, known)
    if near:
        return f"unknown key '{dotted}'; did you mean '{near}'?"
    return f"unknown key '{dotted}'; there is: {', '.join(known) or 'none'}"


def _describe(error: SectionError, where: str, origins: Mapping[str, str]) -> str:
    dotted = ".".join(str(part) for part in ((where, *error.place) if where else error.place))
    shown = f", not {error.given!r}" if not isinstance(error.given, dict) else ""
    message = error.message.replace("{place}", dotted)
    return f"{_origin(dotted, origins)}'{dotted}': {message[:1].lower()}{message[1:]}{shown}"


def _origin(dotted: str, origins: Mapping[str, str]) -> str:
    for key, origin in origins.items():
        if key == dotted or key.startswith(dotted + ".") or dotted.startswith(key + "."):
            return f"{origin}: "
    parent = dotted.rpartition(".")[0]
    return _origin(parent, origins) if parent else ""
