"""What a kit takes for left open (specs/01-contract.md)."""

import tempfile
import threading

import pytest

from pincite.testing.kit import Kit


class Fixed(Kit):
    kind, name = "fuser", "fixed"


@pytest.fixture
def kit(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("pincite.testing.kit.PASSING", 10.0)
    return Fixed()


def test_what_another_thread_has_open_for_a_moment_is_not_held_against_the_plugin(kit, tmp_path):
    with kit.gives_back():
        file = (tmp_path / "model").open("w")
        threading.Timer(0.3, file.close).start()


def test_what_stays_open_is(kit, tmp_path, monkeypatch):
    monkeypatch.setattr("pincite.testing.kit.PASSING", 0.1)
    with pytest.raises(pytest.fail.Exception, match="leaves 1 files or connections open"), kit.gives_back():
        file = (tmp_path / "model").open("w")
    file.close()
