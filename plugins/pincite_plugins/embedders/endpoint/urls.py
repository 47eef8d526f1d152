"""Where a server's embeddings are, and what it speaks, by parsing its address. Pure."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from pincite.errors import ConfigError

OLLAMA_PORT = 11434
_VERSION = re.compile(r"v\d+[a-z0-9]*", re.ASCII)
_DASHSCOPE = re.compile(r"dashscope(-[a-z0-9]+)*\.aliyuncs\.com", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """An endpoint: the whole `url` to post to, its `format`, its `origin` (scheme, host and port), and whether it is this machine."""

    url: str
    format: str
    origin: tuple[str, str, int]
    loopback: bool

    @property
    def host(self) -> str:
        """The host name."""
        return self.origin[1]

    @property
    def shown(self) -> str:
        """The address without its query string, which may hold something private."""
        return self.url.partition("?")[0]


def resolve(base: str, format: str = "auto") -> Address:
    """The endpoint of a base address. `format`: auto, openai, tei, ollama or dashscope. Raises `ConfigError` for no address."""
    split = _split(base)
    path = [part for part in split.path.split("/") if part]
    found = _recognise(split, path) if format == "auto" else format
    query = split.query
    url = urlunsplit((split.scheme, split.netloc, "/" + "/".join(_path(found, path)), query, ""))
    return Address(url, found, origin(url), is_this_machine(split.hostname or ""))


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port: what must be equal for a key to be sent."""
    split = urlsplit(url)
    scheme = split.scheme.lower()
    return scheme, (split.hostname or "").rstrip("."), split.port or (443 if scheme == "https" else 80)


def is_this_machine(host: str) -> bool:
    """Whether a host is a loopback address. No name is looked up."""
    host = host.rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split(base: str) -> SplitResult:
    try:
        split = urlsplit(base.strip())
        _ = split.port
    except ValueError as error:
        raise ConfigError(
            f"[embedder] url: {base!r} is no address ({error}); write http://HOST:PORT or https://HOST"
        ) from None
    if split.scheme.lower() not in ("http", "https") or not split.hostname:
        raise ConfigError(f"[embedder] url: {base!r} is no address; write http://HOST:PORT or https://HOST")
    if split.username is not None or split.password is not None:
        raise ConfigError(
            f"[embedder] url: a name or key stands in the address of {split.hostname}; take it out and name a variable with key_env"
        )
    return split


def _recognise(split: SplitResult, path: list[str]) -> str:
    host = (split.hostname or "").rstrip(".").lower()
    last = path[-1] if path else ""
    if _DASHSCOPE.fullmatch(host):
        return "dashscope"
    if path[-2:] in (["api", "embed"], ["api", "embeddings"]):
        return "ollama"
    if split.port == OLLAMA_PORT and (not path or last == "api"):
        return "ollama"
    return "tei" if last == "embed" else "openai"


def _path(format: str, path: list[str]) -> list[str]:
    if format == "ollama":
        return [*_without(path, ["api", "embed"], ["api", "embeddings"], ["api"]), "api", "embed"]
    if format == "tei":
        return [*_without(path, ["embed"], ["info"]), "embed"]
    if format == "dashscope":
        rest = _without(path, ["v1", "embeddings"], ["v1"])
        return [*_without(rest, ["compatible-mode"]), "compatible-mode", "v1", "embeddings"]
    if path and path[-1] == "embeddings":
        return path
    if any(_VERSION.fullmatch(part) for part in path):
        return [*path, "embeddings"]
    return [*path, "v1", "embeddings"]


def _without(path: list[str], *endings: list[str]) -> list[str]:
    """The path without the first of these endings that it has."""
    for ending in endings:
        if path[-len(ending) :] == ending:
            return path[: -len(ending)]
    return path
