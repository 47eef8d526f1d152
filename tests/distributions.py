"""Distributions installed for a test: a folder on the path that has a module and the metadata of its entry points."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path


def install(project: Path, site: Path) -> None:
    """What `pip install PROJECT` leaves of a pure-Python project: its modules, and its metadata with entry points."""
    data = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    site.mkdir(exist_ok=True)
    for module in project.glob("*.py"):
        (site / module.name).write_bytes(module.read_bytes())
    info = site / f"{data['name'].replace('-', '_')}-{data['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {data['name']}\nVersion: {data['version']}\n")
    lines = [
        f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in points.items())
        for group, points in data["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def run(
    *command: str, site: Path, cwd: Path, home: Path, timeout: float = 300, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A Python command with these distributions installed and a data folder of its own."""
    paths = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONPATH": paths, "PINCITE_HOME": str(home), "COLUMNS": "200", **environment}
    for variable in ("PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS"):
        env.pop(variable, None)
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=cwd, env=env, timeout=timeout, check=False
    )


def pincite(*arguments: str, **given) -> subprocess.CompletedProcess[str]:
    """A command of pincite, likewise."""
    return run("-m", "pincite.cli.main", *arguments, **given)
