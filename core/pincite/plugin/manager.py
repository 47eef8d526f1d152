"""The plugin manager: entry points and the local file, loaded when they are needed and not before.

An entry point named ``KIND.NAME`` is imported when that name, or every name of its kind, is asked for; any other entry point and the
local file are imported at the first question of any kind. A plugin that fails to load is kept in `failures` under its name, and
the rest works.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from pincite import spec
from pincite.errors import PluginError, UnknownName
from pincite.plugin.installed import Installed, installed
from pincite.plugin.registry import Registered, Registry, unknown
from pincite.plugin.use import using
from pincite.values.quick import dataclass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pincite"
LOCAL = "pincite_local"


@dataclass(frozen=True)
class Failure:
    """A plugin that could not be loaded, and why."""

    plugin: str
    reason: str


class Plugins:
    """All plugins of this process.

    `blocked` holds entry-point names (``source.zotero``) or distribution names that are not loaded. `local` is the path of
    ``pincite_local.py``, which need not exist. `found` replaces the installed entry points, `contract` the module of hook specifications
    (tests). `warnings`: plugin and what it uses that is deprecated.
    """

    def __init__(
        self,
        *,
        blocked: Iterable[str] = (),
        local: Path | None = None,
        trace: bool = False,
        found: Iterable[Installed | EntryPoint] | None = None,
        contract: Any = spec,
    ) -> None:
        self.blocked = frozenset(blocked)
        self.failures: list[Failure] = []
        self.warnings: list[Failure] = []
        self._manager = pluggy.PluginManager(spec.PROJECT)
        self._manager.add_hookspecs(contract)
        self._registry = Registry()
        self._local = local
        self._found = found
        self._waiting: dict[str, list[Installed | EntryPoint]] | None = None
        self._loaded: list[str] = []
        self._kept_out: set[str] = set()
        self._points: dict[str, Installed | EntryPoint] = {}
        if trace:
            self._manager.trace.root.setwriter(lambda text: sys.stderr.write(text))
            self._manager.enable_tracing()

    # ------------------------------------------------------------------------------------------ questions

    def names(self, kind: str) -> list[str]:
        """Every name of a kind, sorted, without importing the entry points that say theirs."""
        self._load_general()
        waiting = (name.partition(".")[2] for name in self._entries() if name.startswith(kind + "."))
        return sorted({*waiting, *self._registry.names(kind)})

    def find(self, kind: str, name: str) -> Registered:
        """The plugin registered under a name. Raises `UnknownName`, `DuplicateName`, or `PluginError` where it failed to load."""
        self._load_general()
        self._load(f"{kind}.{name}")
        entry = self._registry.get(kind, name)
        if entry is None:
            self._raise_failure(f"{kind}.{name}")
            self._load_kind(kind)
            entry = self._registry.get(kind, name)
        if entry is None:
            blocked = f"{kind}.{name}" in self._kept_out
            raise UnknownName(
                "; ".join([str(unknown(kind, name, self._registry.names(kind), blocked)), *self.failed_of_any_kind()])
            )
        return entry

    def failed_of_any_kind(self) -> list[str]:
        """A line for each plugin that failed to load and might have given anything, the local file above all."""
        self._load_general()
        failed = [one for one in self.failures if _of_any_kind(one.plugin)]
        return [f"{one.plugin} could not be loaded: {one.reason}" for one in failed]

    def all(self, kind: str) -> list[Registered]:
        """Every plugin of a kind, by name; those that failed to load are in `failures`."""
        self._load_general()
        self._load_kind(kind)
        entries = (self._registry.get(kind, name) for name in self._registry.names(kind))
        return [entry for entry in entries if entry is not None]

    def load_everything(self) -> None:
        """Imports every plugin: for `pincite plugins`."""
        self._load_general()
        for name in list(self._entries()):
            self._load(name)

    def loaded(self) -> list[str]:
        """The names of the plugins imported so far, in that order."""
        return list(self._loaded)

    def distribution(self, plugin: str) -> str:
        """The distribution that brought a plugin, with its version ("pincite 0.1.0"), or "" for a local file."""
        point = self._points.get(plugin)
        found = None if point is None else point.dist
        return f"{found.name} {found.version}" if found is not None else ""

    # ------------------------------------------------------------------------------------------ loading

    def _entries(self) -> dict[str, list[Installed | EntryPoint]]:
        if self._waiting is None:
            found = installed(GROUP) if self._found is None else self._found
            self._waiting = {}
            for point in found:
                if point.name in self.blocked or (
                    self.blocked and point.dist is not None and point.dist.name in self.blocked
                ):
                    self._kept_out.add(point.name)
                    continue
                points = self._waiting.setdefault(point.name, [])
                if all(point.value != other.value for other in points):
                    points.append(point)
        return self._waiting

    def _load_general(self) -> None:
        for name in filter(_of_any_kind, list(self._entries())):
            self._load(name)
        if self._local is not None:
            local, self._local = self._local, None
            if LOCAL not in self.blocked and local.is_file():
                self._import(LOCAL, lambda: _import_file(local))

    def _load_kind(self, kind: str) -> None:
        for name in [name for name in self._entries() if name.startswith(kind + ".")]:
            self._load(name)

    def _load(self, name: str) -> None:
        points = self._entries().pop(name, [])
        for number, point in enumerate(points):
            plugin = name if number == 0 else f"{name} ({point.value})"
            self._points[plugin] = point
            self._import(plugin, point.load)

    def _import(self, plugin: str, load: Callable[[], Any]) -> None:
        try:
            with using(plugin):
                module = load()
            wants = getattr(module, "PINCITE_CONTRACT", spec.CONTRACT)
            if not isinstance(wants, int) or wants > spec.CONTRACT:
                raise PluginError(plugin, f"needs contract {wants}, this pincite has {spec.CONTRACT}; upgrade pincite")
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self._manager.register(module, name=plugin)
            # a hook that goes with the next version of the contract says so (`hookspec(warn_on_impl=…)`)
            self.warnings += [Failure(plugin, " ".join(str(one.message).split())) for one in caught]
            self._manager.check_pending()
            self._register(plugin, module)
        except Exception as error:  # whatever a stranger's module does, the rest must go on
            if self._manager.has_plugin(plugin):
                self._manager.unregister(name=plugin)
            reason = str(error) if isinstance(error, PluginError) else f"{type(error).__name__}: {error}"
            reason = reason.removeprefix(f"plugin {plugin}: ")
            self.failures.append(Failure(plugin, " ".join(reason.split())))
            return
        self._loaded.append(plugin)

    def _register(self, plugin: str, module: Any) -> None:
        others = [one for one in self._manager.get_plugins() if one is not module]
        implemented = {hook.name for hook in self._manager.get_hookcallers(module) or ()}
        for kind in spec.KINDS:
            if f"register_{kind}s" in implemented:
                hook = self._manager.subset_hook_caller(f"register_{kind}s", remove_plugins=others)
                with using(plugin):
                    hook(register=self._callback(kind, plugin))

    def _callback(self, kind: str, plugin: str) -> spec.Register:
        def register(name: str, factory: Callable[..., Any], *, settings: type | None = None, **facts: Any) -> None:
            if not isinstance(name, str) or not name or not callable(factory):
                raise PluginError(plugin, f"registers a {kind} without a name or without a callable factory")
            self._registry.add(Registered(kind, name, plugin, factory, settings, facts))

        return register

    def _raise_failure(self, plugin: str) -> None:
        for failure in self.failures:
            if failure.plugin == plugin:
                raise PluginError(plugin, f"could not be loaded: {failure.reason}")


def _of_any_kind(plugin: str) -> bool:
    """Whether its name says nothing of what it registers."""
    return plugin.partition(".")[0] not in spec.KINDS


def _import_file(path: Path) -> ModuleType:
    found = importlib.util.spec_from_file_location(LOCAL, path)
    if found is None or found.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(found)
    sys.modules[LOCAL] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(LOCAL, None)
        raise
    return module
