"""Who may ask over HTTP (specs/29-mcp.md, "Transports")."""

import json
import subprocess

import httpx2
import pytest

from mcp_clients import TOKEN, arguments, command, environment
from pincite.errors import UsageError
from pincite_plugins.services.mcp.http import token_of

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def post(url, body=None, **headers):
    sent = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(url, content=json.dumps(HELLO) if body is None else body, headers=sent, timeout=30).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Authorization": f"bearer {TOKEN}"}, 200),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1"}, 403),
    ],
)
def test_it_answers_who_has_the_token_and_comes_from_here(http, headers, status):
    assert post(http, **headers) == status


def test_its_own_origin_and_localhost_are_here(http):
    port = http.split(":")[2].split("/")[0]
    assert post(http, Origin=f"http://127.0.0.1:{port}") == 200
    assert post(http, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") == 200


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[1]", b"[" * 50_000])
def test_a_body_that_is_no_message_is_refused(http, body):
    assert post(http, body=body) == 400


def test_a_body_that_is_too_long_is_refused(http):
    assert post(http, body=b" " * (4 * 1024 * 1024 + 1)) == 413


def test_a_port_that_is_taken_is_one_line(place, http):
    port = http.split(":")[2].split("/")[0]
    done = subprocess.run(
        command(*arguments(place, "--http", "--port", port)), env=environment(place.home), capture_output=True, text=True, timeout=60
    )  # fmt: skip
    assert done.returncode == 2
    assert f"port {port} of 127.0.0.1" in done.stderr
    assert "--port" in done.stderr
    assert done.stdout == ""


def test_a_token_is_made_once_and_kept_for_its_owner(tmp_path):
    made = token_of(tmp_path / "home")
    assert len(made) >= 24
    assert token_of(tmp_path / "home") == made
    assert (tmp_path / "home" / "mcp-token").stat().st_mode & 0o077 == 0


def test_a_token_of_ones_own_must_be_long(tmp_path, monkeypatch):
    monkeypatch.setenv("PINCITE_MCP_TOKEN", "secret")
    with pytest.raises(UsageError, match="too short"):
        token_of(tmp_path)
