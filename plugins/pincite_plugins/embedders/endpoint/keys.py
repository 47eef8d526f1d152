"""The key of a server: from the environment or the system's keyring; never shown, logged or kept."""

from __future__ import annotations

import os

from pincite.errors import ConfigError
from pincite_plugins.embedders.endpoint.urls import Address

OWN = {"api.openai.com": "OPENAI_API_KEY"}
"""Hosts whose own variable is taken where none is named. Only by the exact host: a key must not reach another."""


class Key:
    """Holds a key so that printing the holder does not print it."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Key(…)" if self._value else "Key()"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("a key is not to be written down")

    def headers(self) -> dict[str, str]:
        """What a request carries."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def without(self, text: str) -> str:
        """The text with the key blotted out: some servers repeat it in their errors."""
        if not self._value:
            return text
        text = text.replace(self._value, "…")
        return text.replace(self._value[:8], "…") if len(self._value) >= 16 else text


def find_key(address: Address, variable: str, service: str, allow_plain_http: bool) -> Key:
    """The key for an address. Raises `ConfigError` where a named one is missing, or would go unprotected to another machine."""
    named = (
        variable
        or OWN.get(address.host, "")
        or ("DASHSCOPE_API_KEY" if address.format == "dashscope" and _alibaba(address) else "")
    )
    value = _checked(os.environ.get(named, ""), f"variable {named}") if named else ""
    if not value and service:
        value = _checked(_from_keyring(service, address.host), f"keyring service {service}")
    if not value and (variable or service):
        where = (
            f"variable {variable} is not set"
            if variable
            else f"keyring has no key of service {service} for {address.host}"
        )
        raise ConfigError(f"[embedder] the {where}; set it, or take the setting out if {address.host} wants no key")
    if value and address.origin[0] == "http" and not address.loopback and not allow_plain_http:
        raise ConfigError(
            f"[embedder] url: the key would go unencrypted to {address.host};"
            f" use https://, or allow_plain_http = true in a network of yours"
        )
    return Key(value)


def _alibaba(address: Address) -> bool:
    return address.host.endswith(".aliyuncs.com")


def _checked(value: str, where: str) -> str:
    value = value.strip()
    if not all(33 <= ord(char) < 127 for char in value):
        raise ConfigError(
            f"[embedder] the key in {where} holds a space or a character that no header can carry; set it again"
        )
    return value


def _from_keyring(service: str, host: str) -> str:
    try:
        import keyring  # type: ignore[import-not-found]  # taken where it is installed
    except ImportError:
        raise ConfigError(
            "[embedder] keyring: the package keyring is not installed; pip install keyring, or use key_env"
        ) from None
    try:
        return keyring.get_password(service, host) or ""
    except Exception as error:  # backends raise their own kinds
        raise ConfigError(
            f"[embedder] keyring: the system's keyring cannot be read ({type(error).__name__}); use key_env"
        ) from None
