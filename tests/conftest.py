"""What every test shares: a data folder of its own, the corpora where they are, and the default model converted once a run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    """No test sees the user's configuration or data."""
    for variable in [name for name in os.environ if name.startswith("PINCITE_") and name != "PINCITE_CORPORA"]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "pincite-home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of ``PINCITE_CORPORA``."""
    folder = os.environ.get("PINCITE_CORPORA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("PINCITE_CORPORA is not set to a folder")
    return Path(folder)


@pytest.fixture(scope="session")
def shared_tmp(tmp_path_factory) -> Path:
    """A temporary folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def models_home(shared_tmp) -> Path:
    """A data folder that holds the converted default model; made once for all processes of this run."""
    home = shared_tmp / "models-home"
    home.mkdir(exist_ok=True)
    return home


@pytest.fixture
def model_home(models_home, tmp_path, monkeypatch) -> Path:
    """This test's own data folder, with the converted models in it."""
    home = tmp_path / "pincite-home"
    home.mkdir(exist_ok=True)
    (models_home / "models").mkdir(exist_ok=True)
    (home / "models").symlink_to(models_home / "models", target_is_directory=True)
    return home
