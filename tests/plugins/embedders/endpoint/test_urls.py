"""Addresses (specs/22-endpoints.md): every case of conformance/endpoint_urls.toml, and what is no address."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import ConfigError
from pincite_plugins.embedders.endpoint.urls import is_this_machine, resolve

CASES = tomllib.loads((Path(__file__).parents[3] / "conformance" / "endpoint_urls.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_address_leads_to_its_endpoint(case):
    found = resolve(case["url"], case.get("format", "auto"))
    assert (found.url, found.format) == (case["endpoint"], case["speaks"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_endpoint_is_its_own_address(case):
    found = resolve(case["url"], case.get("format", "auto"))
    assert resolve(found.url, found.format) == found


@pytest.mark.parametrize(
    "url", ["", "localhost:8080", "ftp://host", "http://", "http://host:port", "http://[::1", "//host", "8080"]
)
def test_no_address_is_an_error_that_says_how_one_looks(url):
    with pytest.raises(ConfigError, match="http://HOST"):
        resolve(url)


@pytest.mark.parametrize("url", ["https://me:hunter2@example.org", "https://sk-12345678@example.org/v1"])
def test_a_key_in_an_address_is_refused_without_repeating_it(url):
    with pytest.raises(ConfigError, match="key_env") as caught:
        resolve(url)
    assert "hunter2" not in str(caught.value)
    assert "sk-1" not in str(caught.value)


def test_what_is_shown_has_no_query_string():
    assert resolve("https://example.org/v1?token=abc").shown == "https://example.org/v1/embeddings"


@pytest.mark.parametrize(("host", "own"), [("localhost", True), ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True),
    ("box.localhost", True), ("192.168.1.2", False), ("localhost.example.org", False), ("127.0.0.1.example.org", False)])  # fmt: skip
def test_this_machine_is_told_from_others(host, own):
    assert is_this_machine(host) is own


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_a_config_error(text):
    try:
        found = resolve(text)
    except ConfigError:
        return
    assert found.url.startswith(("http://", "https://"))
    assert found.host
