"""Keys (specs/22-endpoints.md): from the environment or the keyring, to the right host only, and never shown."""

from __future__ import annotations

import pickle

import pytest

from pincite.errors import ConfigError
from pincite_plugins.embedders.endpoint.keys import Key, find_key
from pincite_plugins.embedders.endpoint.urls import resolve

SECRET = "sk-abcdefghijklmnop0123456789"


def test_a_key_is_not_shown_and_not_written_down():
    key = Key(SECRET)
    assert SECRET not in f"{key} {key!r} {[key]} {vars(type(key))}"
    with pytest.raises(TypeError, match="not to be written down"):
        pickle.dumps(key)


def test_a_key_is_blotted_out_of_what_a_server_says():
    said = Key(SECRET).without(f"Incorrect API key provided: {SECRET[:8]}****6789, or {SECRET}")
    assert SECRET[:8] not in said


def test_a_key_comes_from_the_variable_that_is_named(monkeypatch):
    monkeypatch.setenv("MY_KEY", f" {SECRET}\n")
    key = find_key(resolve("https://example.org"), "MY_KEY", "", False)
    assert key.headers() == {"Authorization": f"Bearer {SECRET}"}


def test_a_named_variable_must_be_set(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ConfigError, match="MY_KEY is not set"):
        find_key(resolve("https://example.org"), "MY_KEY", "", False)


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "ключ"])
def test_what_no_header_can_carry_is_refused_without_repeating_it(value, monkeypatch):
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(ConfigError, match="MY_KEY") as caught:
        find_key(resolve("https://example.org"), "MY_KEY", "", False)
    assert value not in str(caught.value)


def test_a_known_host_has_its_own_variable_and_no_other_host_gets_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert find_key(resolve("https://api.openai.com"), "", "", False)
    for url in (
        "https://api.openai.com.example.org",
        "http://localhost:8080",
        "https://proxy.example.org/api.openai.com",
    ):
        assert not find_key(resolve(url), "", "", False)


@pytest.mark.parametrize("url", ["http://example.org", "http://192.168.1.20:8080", "http://localhost.example.org"])
def test_a_key_over_plain_http_to_another_machine_is_refused_unless_allowed(url, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    with pytest.raises(ConfigError, match="unencrypted") as caught:
        find_key(resolve(url), "MY_KEY", "", False)
    assert SECRET not in str(caught.value)
    assert find_key(resolve(url), "MY_KEY", "", True)


@pytest.mark.parametrize("url", ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])
def test_a_key_over_plain_http_to_this_machine_is_fine(url, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    assert find_key(resolve(url), "MY_KEY", "", False)
