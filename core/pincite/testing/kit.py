"""What all kits share: making the plugin as pincite makes it, naming it in every message, and a limit of time for each call."""

from __future__ import annotations

import gc
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import psutil
import pytest

from pincite import spec
from pincite.config.load import validate_section
from pincite.plugin.guard import Guarded, guard
from pincite.plugin.manager import Plugins
from pincite.plugin.registry import Registered

UNICODE_FOLDER = "Bücher und 図書 ‎ كتب 📚"
"""Where kits work: a plugin must not mind the name of a folder."""

PASSING = 2.0
"""Seconds after which what is open is taken to stay so: other threads of the process open files for a moment, too."""


class Kit:
    """The base of all kits.

    `name`: the registered name of the plugin under test. `settings`: the keys of its section, where the tests want other than the
    defaults. `seconds`: how long one call may take. `plugins`: where plugins are found; None is what is installed.
    """

    kind: ClassVar[str] = ""
    name: ClassVar[str] = ""
    settings: ClassVar[Mapping[str, Any]] = {}
    seconds: ClassVar[float] = 60.0
    plugins: ClassVar[Plugins | None] = None

    @pytest.fixture(autouse=True)
    def _temporary(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Temporary files go where the kit can count them."""
        folder = tmp_path / "temporary"
        folder.mkdir()
        for variable in ("TMPDIR", "TEMP", "TMP"):
            monkeypatch.setenv(variable, str(folder))
        monkeypatch.setattr(tempfile, "tempdir", str(folder))

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """An empty folder with a name in many scripts."""
        made = tmp_path / UNICODE_FOLDER
        made.mkdir()
        return made

    # ------------------------------------------------------------------------------------------ the plugin

    @property
    def plugin(self) -> str:
        """How messages name it."""
        return f"{self.kind}.{self.name}"

    def entry(self) -> Registered:
        """What the plugin registered. Override nothing here: a plugin that is not found by its name is of no use."""
        return (self.plugins or Plugins()).find(self.kind, self.name)

    def goes_by_words(self) -> bool:
        """Whether a text's own words find it: what a ranker or picker is registered with (the fact ``finds``), else the kit's `finds`."""
        return bool(self.entry().facts.get("finds", getattr(self, "finds", True)))

    def unguarded(self, context: spec.Context) -> Any:
        """The plugin's own object, made by its factory from its settings."""
        entry = self.entry()
        return entry.factory(validate_section(entry.settings, self.settings, self.plugin), context)

    def made(self, context: spec.Context) -> Any:
        """The same, looked at and called as pincite does: every call has a limit of time, every error the plugin's name."""
        made = self.unguarded(context)
        guard(self.kind, self.plugin, made)
        return Guarded(made, self.plugin, {}, self.seconds)

    def context(self, folder: Path, **given: Any) -> spec.Context:
        """A context whose data folder is inside `folder`."""
        home = folder / "home"
        home.mkdir(exist_ok=True)
        return spec.Context(home=home, **given)

    # ------------------------------------------------------------------------------------------ judging

    def must(self, condition: object, message: str) -> None:
        """Fails with the plugin's name where the condition does not hold."""
        __tracebackhide__ = True
        if not condition:
            pytest.fail(f"{self.plugin}: {message}", pytrace=False)

    @contextmanager
    def raises(self, *kinds: type[BaseException], message: str) -> Iterator[None]:
        """The block must raise one of `kinds`, in one line."""
        __tracebackhide__ = True
        try:
            yield
        except kinds as error:
            self.must(
                "\n" not in str(error).strip() and str(error).strip(), f"{message}, in one line, not {str(error)!r}"
            )
        except BaseException as error:
            pytest.fail(f"{self.plugin}: {message}; it raised {type(error).__name__}: {error}", pytrace=False)
        else:
            pytest.fail(f"{self.plugin}: {message}; it raised nothing", pytrace=False)

    @contextmanager
    def gives_back(self) -> Iterator[None]:
        """The block must leave no more files open, and no temporary files, than there were."""
        __tracebackhide__ = True
        before = _open_things()
        yield
        gc.collect()
        after, end = _open_things(), time.monotonic() + PASSING
        while after > before and time.monotonic() < end:
            time.sleep(0.02)
            after = _open_things()
        self.must(after <= before, f"leaves {after - before} files or connections open")
        left = sorted(path.name for path in Path(tempfile.gettempdir()).rglob("*"))
        self.must(not left, f"leaves temporary files: {', '.join(left[:5])}")

    @contextmanager
    def untouched(self, path: Path) -> Iterator[None]:
        """The block must not change, add or remove anything under `path`."""
        __tracebackhide__ = True
        before = snapshot(path)
        yield
        after = snapshot(path)
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        self.must(not changed, f"changes what it reads: {', '.join(changed[:5])}")

    # ------------------------------------------------------------------------------------------ every plugin

    def test_is_registered_with_settings_that_refuse_a_key_they_do_not_know(self) -> None:
        entry = self.entry()
        self.must(entry.name == self.name, f"is registered as {entry.name}")
        if entry.settings is not None:
            from pincite.errors import ConfigError

            with self.raises(ConfigError, message="an unknown key of its section must be refused"):
                validate_section(entry.settings, {"no_such_key_of_any_plugin": 1}, self.plugin)


def snapshot(path: Path) -> dict[str, tuple[int, int, str]]:
    """Every file under a path: size, time of change, hash."""
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    out = {}
    for file in files:
        stat = file.lstat()
        digest = hashlib.blake2b(file.read_bytes()).hexdigest() if file.is_file() else ""
        out[os.fspath(file)] = (stat.st_size if digest else 0, stat.st_mtime_ns if digest else 0, digest)
    return out


def _open_things() -> int:
    process = psutil.Process()
    return int(process.num_handles() if os.name == "nt" else process.num_fds())
