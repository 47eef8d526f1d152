"""Numbers point into the library that was searched last, however it was named (specs/23-commands.md)."""

import shutil

import pytest
from typer.testing import CliRunner

from indexes import configure
from pincite.cli.main import app

NAMED = """
[libraries.lamps]
path = "../lamps"
index = "../index of its own"
[libraries.twin]
path = "{0}/lamps"
index = "{0}/twin"
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    (tmp_path / "lamps").mkdir()
    (tmp_path / "lamps" / "lamp.md").write_text("# Lamp\n\nThe lamp of the harbour burns oil all night.\n", "utf-8")
    (tmp_path / "lamps" / "bell.md").write_text("# Bell\n\nThe bell of the harbour rings in the fog.\n", "utf-8")
    config = configure(tmp_path / "config", NAMED.format(tmp_path) + '[picker]\nuse = "lexical"\n')

    def run(*arguments, named=True):
        done = CliRunner().invoke(app, [*map(str, arguments), *(["--config", str(config)] if named else [])])
        done.said = " ".join((done.output + str(done.exception or "")).split())
        return done

    return run


@pytest.mark.parametrize(
    "command",
    [("show", "1"), ("open", "1", "--print"), ("cite", "1"), ("explain", "1"), ("similar", "1"), ("show", "lamp.md#0")],
)
def test_a_library_with_an_index_of_its_own_is_found_again(run, tmp_path, command):
    run("search", "lamp of the harbour", "--library", "lamps")
    done = run(*command, named=False)
    assert done.exit_code == 0, done.said
    assert not (tmp_path / "home" / "indexes").exists()


def test_a_path_is_the_library_that_the_configuration_has_there(run, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "lamps")
    assert run("index", "--library", tmp_path / "link").exit_code == 0
    assert (tmp_path / "index of its own").is_dir()
    assert run("search", "bell", "--library", "twin").exit_code == 0  # two names of one place are two libraries
    assert "Bell" in run("show", "1").said
    assert (tmp_path / "twin").is_dir()


def test_a_hit_is_not_looked_for_in_another_library_where_its_own_is_gone(run, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(tmp_path / "lamps", other)
    run("search", "lamp of the harbour", "--library", other)
    shutil.rmtree(other)
    done = run("show", "1")
    assert done.exit_code != 0
    assert f"{other}: no such file or folder" in done.said


def test_the_status_of_a_library_that_is_away_says_what_read_it(run, tmp_path):
    run("index", "--library", "lamps")
    shutil.rmtree(tmp_path / "lamps")
    assert "lamps (folder)" in run("status", "--library", "lamps").said
