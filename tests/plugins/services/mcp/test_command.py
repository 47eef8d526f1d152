"""``pincite mcp`` as a person calls it (specs/29-mcp.md, "Transports")."""

import json
import os
import re
import subprocess
import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters

from mcp_clients import TOKEN, command, environment, said
from pincite.errors import UsageError
from pincite.plugin.guard import guard
from pincite.plugin.manager import Plugins
from pincite_plugins.services.mcp import McpSettings
from pincite_plugins.services.mcp.command import mcp


@pytest.fixture
def paste(capsys, monkeypatch):
    """The entry that the command prints, called here; and what it says beside."""
    monkeypatch.setenv("PINCITE_MCP_TOKEN", TOKEN)

    def run(*config, **given):
        mcp(config=list(map(str, config)), **given)
        said = capsys.readouterr()
        return json.loads(said.out), said.err

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
def test_lines_to_paste_start_this_very_program(paste, place, client):
    found, said = paste(client, place.config, library=str(place.library))
    (entry,) = found["mcpServers"].values()
    assert os.path.isabs(entry["command"])
    assert entry["args"][-5:] == ["mcp", "--library", str(place.library), "--config", str(place.config)]
    assert entry["env"]["PINCITE_HOME"] == os.environ["PINCITE_HOME"]
    assert "paste this into" in said


def test_what_is_pasted_works(paste, place, monkeypatch):
    """The entry alone, in an environment that has nothing else."""
    monkeypatch.setenv("PINCITE_HOME", str(place.home))
    monkeypatch.delenv("PINCITE_MCP_TOKEN")
    entry, _ = paste("generic", place.config, library=str(place.library))

    async def run():
        server = StdioServerParameters(command=entry["command"], args=entry["args"], env=entry["env"])
        async with Client(server) as client:
            return said(await client.call_tool("best_match", {"query": "night heat", "limit": 1}))

    assert anyio.run(run)["hits"]


def test_lines_of_a_server_over_http_carry_its_address_and_token(paste):
    found, _ = paste("cursor", http=True, port=9123)
    entry = found["mcpServers"]["pincite"]
    assert entry["url"] == "http://127.0.0.1:9123/mcp"
    assert entry["headers"] == {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("config", "given", "line"),
    [
        (["emacs"], {}, "neither claude, cursor or generic, nor a configuration file"),
        (["claude", "cursor"], {}, "--config takes one client"),
        (["claude"], {"http": True, "port": 0}, "--port 0 is another port each time"),
        (["claude"], {}, "which library?"),
    ],
)
def test_what_cannot_be_meant_is_one_line(paste, config, given, line):
    with pytest.raises(UsageError, match=re.escape(line)):
        paste(*config, **given)


def test_a_library_that_is_not_there_is_one_line_on_standard_error(tmp_path):
    done = subprocess.run(
        command("mcp", "--library", "/no/such/library"), env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("pincite: /no/such/library: no such file or folder")
    assert done.stdout == ""
