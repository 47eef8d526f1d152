"""The library is a small TOML file, ``NAME.zotero-api``, so that the connection is one that you have named (README.md)."""

from __future__ import annotations

import ipaddress
import os
import tomllib
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite.errors import PinciteError, UsageError

WEB = "https://api.zotero.org"


class Account(BaseModel):
    """What the file says."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    library: int = Field(ge=0)
    type: Literal["user", "group"] = "user"
    url: str = WEB
    key_env: str = ""

    @property
    def base(self) -> str:
        """The address of the library."""
        return f"{self.url.rstrip('/')}/{self.type}s/{self.library}"

    @property
    def here(self) -> bool:
        """Whether the server is this machine. No name is looked up."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def read_account(path: Path) -> Account:
    """The file's account. Raises `UsageError` where it says something else."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file; give a .zotero-api file with `library = …`")
    try:
        account = Account(**tomllib.loads(path.read_text("utf-8")))
        parts = urlsplit(account.url)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not valid TOML: {error}; correct that line") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; give yourself the right to read it") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(f"{path}: '{where}': {first['msg'].lower()}; see the README of pincite-zotero-api") from None
    except ValueError as error:
        raise UsageError(f"{path}: 'url': {error}; write it as {WEB}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
        raise UsageError(
            f"{path}: 'url': no address of a server, without a name, key or query in it; write it as {WEB}"
        )
    if account.key_env and parts.scheme == "http" and not account.here:
        raise UsageError(f"{path}: 'url': over http:// to another machine anyone can read the key; write https://")
    return account


def key_of(account: Account, path: Path) -> str:
    """The key, or "" where none is named."""
    key = os.environ.get(account.key_env, "").strip() if account.key_env else ""
    if account.key_env and not key:
        raise PinciteError(f"{path}: the variable {account.key_env} is not set; put your Zotero API key there")
    return key
