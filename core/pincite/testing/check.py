"""Runs the kit of an installed plugin: `pincite plugins check`. The tests run in a process of their own, which may hang or die."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError, UsageError

KITS = {
    "source": "SourceKit",
    "extractor": "ExtractorKit",
    "chunker": "ChunkerKit",
    "embedder": "EmbedderKit",
    "store": "StoreKit",
    "ranker": "RankerKit",
    "fuser": "FuserKit",
    "reranker": "RerankerKit",
    "picker": "PickerKit",
    "provider": "ProviderKit",
    "planner": "PlannerKit",
}
"""Kind → kit. Commands and services have none."""


@dataclass(frozen=True)
class Outcome:
    """One test: its name, and what is wrong ("" where it passed)."""

    test: str
    fault: str


@dataclass(frozen=True)
class Checked:
    """What the kit found. `died`: how the process ended where it did not end by itself, and in which test; else ""."""

    plugin: str
    outcomes: tuple[Outcome, ...]
    died: str = ""

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The tests that failed."""
        return tuple(outcome for outcome in self.outcomes if outcome.fault)


def check(
    kind: str, name: str, *, settings: Mapping[str, Any], sample: Path | None, config: Path | None, timeout: float
) -> Checked:
    """Runs the kit of ``kind.name`` with these settings, for at most `timeout` seconds.

    `sample`: a library for a source, a file for an extractor; it is copied, never written to. Raises `UsageError` for a kind without a kit.
    """
    if kind not in KITS:
        raise UsageError(f"there is no contract kit for the kind '{kind}'; there is one for: {', '.join(KITS)}")
    task = {
        "kind": kind,
        "name": name,
        "settings": dict(settings),
        "sample": None if sample is None else str(sample.expanduser().absolute()),
        "config": None if config is None else str(config),
        "seconds": timeout,
    }
    with tempfile.TemporaryDirectory(prefix="pincite-check-", ignore_cleanup_errors=True) as folder:
        (Path(folder) / "task.json").write_text(json.dumps(task), "utf-8")
        return _run(f"{kind}.{name}", Path(folder), timeout)


def _run(plugin: str, folder: Path, timeout: float) -> Checked:
    environment = {**os.environ, "PINCITE_CHECK": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite.testing.check"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    died = ""
    try:
        said, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        died = f"took longer than {timeout:g} s and was stopped"
        _kill(process)
        said, _ = process.communicate()
    outcomes, under_way, ended = _read(folder / "report.jsonl")
    if not died and not ended:
        died = f"ended its process (exit code {process.returncode})"
    if died and under_way:
        died += f" in the test {under_way}"
    elif died and not outcomes:
        died += f": {' '.join(said.split())[-300:]}"
    return Checked(plugin, outcomes, died)


def _kill(process: subprocess.Popen[str]) -> None:
    if hasattr(os, "killpg"):
        import signal

        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _read(report: Path) -> tuple[tuple[Outcome, ...], str, bool]:
    """(outcomes, the test under way or "", whether it came to its end)."""
    outcomes: list[Outcome] = []
    under_way, ended = "", False
    for line in report.read_text("utf-8").splitlines() if report.is_file() else ():
        entry = json.loads(line)
        if "begun" in entry:
            under_way = entry["begun"]
        elif "test" in entry:
            outcomes.append(Outcome(entry["test"], entry["fault"]))
            under_way = ""
        else:
            ended = True
    return tuple(outcomes), under_way, ended


# ------------------------------------------------------------------------------------------------ in the process of its own


class _Reporter:
    """Writes down what each test found, as it finds it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._faults: dict[str, str] = {}

    def _tell(self, **entry: object) -> None:
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Pytest's hook."""
        self._tell(begun=nodeid.rpartition("::")[2])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Pytest's hook."""
        if report.failed:
            said = getattr(report.longrepr, "reprcrash", None)
            text = said.message if said is not None else str(report.longrepr)
            self._faults.setdefault(report.nodeid, " ".join(text.split())[:400])

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Pytest's hook."""
        self._tell(test=nodeid.rpartition("::")[2], fault=self._faults.get(nodeid, ""))

    def pytest_sessionfinish(self) -> None:
        """Pytest's hook."""
        self._tell(end=True)


_TEST = """
from pincite.testing.check import kit_of_task

TestPlugin = kit_of_task()
"""


def kit_of_task() -> type:
    """The kit, subclassed for the plugin that the task names."""
    import pincite.testing
    from pincite.config.load import load
    from pincite.plugin.making import plugins_of

    task = json.loads((Path(os.environ["PINCITE_CHECK"]) / "task.json").read_text("utf-8"))
    plugins = plugins_of(load(task["config"]))
    fact = plugins.find(task["kind"], task["name"]).facts.get("sample")

    def sample(self: Any, folder: Path) -> Path:
        if task["sample"] is None and fact is not None:
            return Path(fact(folder))
        given = Path(task["sample"])
        if given.is_dir():
            return Path(shutil.copytree(given, folder / given.name))
        return Path(shutil.copy(given, folder / given.name))

    members = {
        "name": task["name"],
        "settings": task["settings"],
        "plugins": plugins,
        "least": 1,
        "library": sample,
        "sample": sample,
        "home": lambda self, folder: _home(),
    }
    kit = getattr(pincite.testing, KITS[task["kind"]])
    return type("TestPlugin", (kit,), {name: value for name, value in members.items() if hasattr(kit, name)})


def _home() -> Path:
    from pincite.config.load import home

    return home()


def main() -> int:
    """The process of its own."""
    folder = Path(os.environ["PINCITE_CHECK"])
    try:
        import pytest
    except ModuleNotFoundError:
        raise PinciteError(
            "checking a plugin needs pytest, which is not installed; run: pip install 'pincite[test]'"
        ) from None
    (folder / "test_plugin.py").write_text(_TEST, "utf-8")
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--import-mode=importlib",
        f"--basetemp={folder / 'tmp'}",
        "--rootdir",
        str(folder),
    ]
    return int(pytest.main([*options, str(folder / "test_plugin.py")], plugins=[_Reporter(folder / "report.jsonl")]))


if __name__ == "__main__":
    sys.exit(main())
