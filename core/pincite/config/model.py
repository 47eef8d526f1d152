"""The keys of the configuration that core knows; sections of plugins are validated by the plugin's own model."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

_STRICT = ConfigDict(extra="forbid", frozen=True, validate_default=True, defer_build=True)
# Sections are checked as parts of `Settings`: none needs a validator of its own, which would take a command longer to start. So their
# defaults are given as a section of the file would be.
_DEFAULTS: Any = {}


class LibrarySettings(BaseModel):
    """``[libraries.NAME]``: a library by name. `source` overrides what is recognised from the path; `index` the index folder."""

    model_config = _STRICT
    path: str
    source: str | None = None
    index: str | None = None


class PluginsSettings(BaseModel):
    """``[plugins]``: `block` names plugins (``source.zotero``) or distributions that are not loaded. `timeout`: seconds without a sign
    of life after which a call into a plugin is ended (0: never)."""

    model_config = _STRICT
    block: tuple[str, ...] = ()
    timeout: float = Field(default=300.0, ge=0)


class IndexSettings(BaseModel):
    """``[index]``: how indexing runs.

    `workers`: extraction processes (0: half the cores, at most 4). `timeout`: seconds for one file. `memory`: MiB that one worker
    may use. `threads`: for inference (0: as many as cores). `patience`: seconds that `pincite search` may index before it answers.
    `max_file`: MiB; a larger file is skipped and listed. `floor`: MiB of free memory without which no run begins. `settle`: seconds of
    quiet after a change before a watched library is indexed.
    """

    model_config = _STRICT
    workers: int = Field(default=0, ge=0, le=64)
    timeout: float = Field(default=120.0, gt=0, le=86400)
    memory: int = Field(default=2048, ge=256)
    threads: int = Field(default=0, ge=0, le=256)
    patience: float = Field(default=55.0, ge=0)
    max_file: int = Field(default=1024, ge=1)
    floor: int = Field(default=384, ge=0)
    settle: float = Field(default=0.3, ge=0, le=3600)


class Use(BaseModel):
    """A section that names one plugin with ``use``; its other keys are that plugin's own settings."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)
    use: str

    def own(self) -> dict[str, Any]:
        """The keys that belong to the plugin."""
        return dict(self.model_extra or {})


class EmbedderSettings(Use):
    """``[embedder]``."""

    use: str = "onnx"


class StoreSettings(Use):
    """``[store]``."""

    use: str = "sqlite"


class ChunkerSettings(Use):
    """``[chunker]``."""

    use: str = "structural"


class FuserSettings(Use):
    """``[fuser]``."""

    use: str = "zscore"


class PickerSettings(Use):
    """``[picker]``."""

    use: str = "dense"


class RerankerSettings(Use):
    """``[reranker]``; an empty name means none. `items`: how many of the top it is given. `seconds`: after which the order stays."""

    use: str = ""
    items: int = Field(default=20, ge=2, le=1000)
    seconds: float = Field(default=5.0, gt=0)


class PreviewsSettings(BaseModel):
    """``[previews]``: how much a search reads of files that are not indexed yet. `seconds` (0: none is read); `files` at most."""

    model_config = _STRICT
    seconds: float = Field(default=4.0, ge=0, le=600)
    files: int = Field(default=10, ge=0, le=100)


class Settings(BaseModel):
    """The whole configuration.

    `engine` names one of `engines`, each a list of rankers. `margin` (0 to 1): a ranker's evidence below this share of its best
    fraction is not shown. `limit`: hits of a search. `passwords`: file path or name → password of an encrypted file.
    `viewer`: the command that opens a place, with {path}, {page} and {link} in it; "" takes one that is installed.
    """

    model_config = _STRICT
    engine: str = "hybrid"
    library: str | None = None
    limit: int = Field(default=10, ge=1, le=10_000)
    margin: float = Field(default=0.5, ge=0, le=1)
    engines: dict[str, tuple[str, ...]] = Field(
        default_factory=lambda: {"hybrid": ("fts5", "vector"), "lexical": ("fts5",), "semantic": ("vector",)}
    )
    libraries: dict[str, LibrarySettings] = Field(default_factory=dict)
    plugins: PluginsSettings = _DEFAULTS
    index: IndexSettings = _DEFAULTS
    store: StoreSettings = _DEFAULTS
    chunker: ChunkerSettings = _DEFAULTS
    embedder: EmbedderSettings = _DEFAULTS
    fuser: FuserSettings = _DEFAULTS
    picker: PickerSettings = _DEFAULTS
    reranker: RerankerSettings = _DEFAULTS
    previews: PreviewsSettings = _DEFAULTS
    source: dict[str, dict[str, Any]] = Field(default_factory=dict)
    extractor: dict[str, dict[str, Any]] = Field(default_factory=dict)
    ranker: dict[str, dict[str, Any]] = Field(default_factory=dict)
    passwords: dict[str, str] = Field(default_factory=dict)
    viewer: str = ""

    @field_validator("engines")
    @classmethod
    def _each_engine_has_rankers(cls, engines: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        defaults = {"hybrid": ("fts5", "vector"), "lexical": ("fts5",), "semantic": ("vector",)}
        for name, rankers in engines.items():
            if not rankers:
                raise ValueError(f"engine '{name}' has no ranker")
        return {**defaults, **engines}


SINGLE: tuple[Literal["store", "chunker", "embedder", "fuser", "picker", "reranker"], ...] = (
    "store",
    "chunker",
    "embedder",
    "fuser",
    "picker",
    "reranker",
)
"""Kinds of which one plugin is in use, chosen by ``use``."""

MANY = ("source", "extractor", "ranker")
"""Kinds of which several are in use, each with a section ``[KIND.NAME]``."""
