"""What every test shares: a data folder of its own, the corpora where they are, and the default model converted once a run."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pincite.plugin.watch import WATCHDOG

# how long an example takes is the machine's affair
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _nobodys_home(shared_tmp):
    """No fixture that many tests share sees the user's configuration or data; servers on this machine are asked without a proxy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(shared_tmp / "home"))
        patch.setenv("XDG_CONFIG_HOME", str(shared_tmp / "config"))
        for variable in ("NO_PROXY", "no_proxy"):
            patch.setenv(variable, "127.0.0.1,localhost")
        yield


@pytest.fixture(autouse=True)
def _as_it_was():
    """No test sees what an earlier one did to the process: commands that are run within it set variables, leave the collector of
    garbage off and say what ends a call that hangs."""
    environment, path, folder = dict(os.environ), list(sys.path), os.getcwd()
    collects, limit, end = gc.isenabled(), WATCHDOG.limit, WATCHDOG.end
    yield
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    os.environ.update({name: value for name, value in environment.items() if os.environ.get(name) != value})
    sys.path[:] = path
    os.chdir(folder)
    (gc.enable if collects else gc.disable)()
    WATCHDOG.limit, WATCHDOG.end = limit, end


@pytest.fixture(autouse=True)
def _own_home(_as_it_was, tmp_path, monkeypatch):
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
