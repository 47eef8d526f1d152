"""``pincite mcp`` as a person calls it (specs/29-mcp.md, "Transports")."""

import json
import os
import subprocess
import sys

import pytest

from mcp_clients import TOKEN, command, environment
from pincite.plugin.guard import guard
from pincite.plugin.manager import Plugins
from pincite_plugins.services.mcp import McpSettings

pytestmark = pytest.mark.xdist_group("mcp")


@pytest.fixture
def pincite(place, tmp_path):
    def run(*given):
        return subprocess.run(
            command("mcp", *given), env=environment(tmp_path), capture_output=True, text=True, timeout=60
        )

    return run


def test_it_is_a_service_of_the_contract():
    entry = Plugins().find("service", "mcp")
    service = guard("service", entry.label, entry.factory(McpSettings(), None))
    assert service.name == "mcp"
    assert callable(service.serve)


def test_without_the_extra_it_says_what_to_install(place, tmp_path):
    code = (
        f"import sys; sys.modules['mcp'] = None; sys.argv = ['pincite', 'mcp', '--library', {str(place.library)!r}]; "
    )
    code += "from pincite.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr == "pincite: mcp: not installed; pip install 'pincite[mcp]'\n"
    assert done.stdout == ""


@pytest.mark.parametrize("client", ["claude", "cursor"])
def test_lines_to_paste_start_this_very_program(pincite, place, tmp_path, client):
    done = pincite("--library", place.library, "--config", client, "--config", place.config)
    assert done.returncode == 0, done.stderr
    (entry,) = json.loads(done.stdout)["mcpServers"].values()
    assert os.path.isabs(entry["command"])
    assert entry["args"][-5:] == ["mcp", "--library", str(place.library), "--config", str(place.config)]
    assert entry["env"]["PINCITE_HOME"] == str(tmp_path)
    assert "paste this into" in done.stderr


def test_generic_lines_are_the_entry_alone(pincite, place):
    entry = json.loads(pincite("--library", place.library, "--no-index", "--config", "generic").stdout)
    assert entry["args"][-4:] == ["mcp", "--library", str(place.library), "--no-index"]


def test_lines_of_a_server_over_http_carry_its_address_and_token(pincite):
    done = pincite("--http", "--port", "9123", "--config", "cursor")
    entry = json.loads(done.stdout)["mcpServers"]["pincite"]
    assert entry["url"] == "http://127.0.0.1:9123/mcp"
    assert entry["headers"] == {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (["--config", "emacs"], "neither claude, cursor or generic, nor a configuration file"),
        (["--config", "claude", "--config", "cursor"], "--config takes one client"),
        (["--library", "/no/such/library"], "/no/such/library: no such file or folder"),
        (["--http", "--port", "0", "--config", "claude"], "--port 0 is another port each time"),
        ([], "which library?"),
    ],
)
def test_what_cannot_be_meant_is_one_line(pincite, given, line):
    done = pincite(*given)
    assert done.returncode == 2
    assert line in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
