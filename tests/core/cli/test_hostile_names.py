"""Names that would command a terminal, in every command that prints one (specs/13-exit-codes.md)."""

import re

import pytest
from typer.testing import CliRunner

from indexes import configure, opened
from pincite.cli.main import app

RED, TITLE = "\x1b[31m", "\x1b]0;owned\x07"
COMMANDS = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f]")
QUERY = ("search", "lamps of the harbour", "-e", "lexical")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "shelf").mkdir()
    (folder / "shelf" / f"{RED}lamps.md").write_text(
        f"---\ntitle: Lamps {RED}\nauthor: A{TITLE}na {RED}Ruiz\ndate: once {RED}\ntags: [{RED}]\n---\n\n"
        f"# Lamps{RED}\n\nThe lamps of the harbour {TITLE} burn all night long in the fog.\n",
        "utf-8",
    )
    (folder / "shelf" / f"{RED}empty.md").touch()
    (folder / "shelf" / f"{RED}lost.md").symlink_to(f"{RED}nowhere.md")
    config = configure(folder / "config", '[picker]\nuse = "lexical"\n')
    patch = pytest.MonkeyPatch()
    patch.setenv("PINCITE_HOME", str(folder / "home"))
    with opened(folder / "shelf", config) as library:
        library.index()
    yield str(folder / "shelf"), str(config)
    patch.undo()


@pytest.mark.parametrize(
    "command",
    [
        QUERY,
        (*QUERY, "--explain"),
        (*QUERY, "--format", "csv"),
        (*QUERY, "--format", "md"),
        ("locate", "burn all night long in the fog"),
        ("show", "1"),
        ("show", "1", "--all"),
        ("show", "1", "--matches"),
        ("explain", "1"),
        ("similar", "1"),
        ("open", "1", "--print"),
        ("cite", "1"),
        ("cite", "1", "--style", "plain"),
        ("status",),
        ("index",),
        ("show", f"{RED}nowhere"),
    ],
)
def test_nothing_of_the_library_commands_the_terminal(shelf, command):
    library, config = shelf
    where = [] if command[0] == "explain" else ["--library", library]
    CliRunner().invoke(app, [*QUERY, "--library", library, "--config", config])
    done = CliRunner().invoke(app, [*command, *where, "--config", config])
    assert done.output or str(done.exception)
    assert not COMMANDS.search(done.output)
