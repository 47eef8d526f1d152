"""The keys of the configuration that core knows; sections of plugins are validated by the plugin's own model."""

from __future__ import annotations

from typing import Any, Literal

from pincite.config.sections import setting
from pincite.values.quick import dataclass

ENGINES: dict[str, tuple[str, ...]] = {"hybrid": ("fts5", "vector"), "lexical": ("fts5",), "semantic": ("vector",)}
"""The engines that are there whatever the configuration adds."""


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """``[libraries.NAME]``: a library by name. `source` overrides what is recognised from the path; `index` the index folder."""

    path: str
    source: str | None = None
    index: str | None = None


@dataclass(frozen=True, slots=True)
class PluginsSettings:
    """``[plugins]``: `block` names plugins (``source.zotero``) or distributions that are not loaded. `timeout`: seconds without a sign
    of life after which a call into a plugin is ended (0: never)."""

    block: tuple[str, ...] = ()
    timeout: float = setting(300.0, ge=0)


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """``[index]``: how indexing runs.

    `workers`: extraction processes (0: half the cores, at most 4). `timeout`: seconds for one file. `memory`: MiB that one worker
    may use. `threads`: for inference (0: as many as cores). `patience`: seconds that `pincite search` may index before it answers.
    `max_file`: MiB; a larger file is skipped and listed. `floor`: MiB of free memory without which no run begins. `settle`: seconds of
    quiet after a change before a watched library is indexed.
    """

    workers: int = setting(0, ge=0, le=64)
    timeout: float = setting(120.0, gt=0, le=86400)
    memory: int = setting(2048, ge=256)
    threads: int = setting(0, ge=0, le=256)
    patience: float = setting(55.0, ge=0)
    max_file: int = setting(1024, ge=1)
    floor: int = setting(384, ge=0)
    settle: float = setting(0.3, ge=0, le=3600)


@dataclass(frozen=True, slots=True)
class Use:
    """A section that names one plugin with ``use``; its other keys are that plugin's `own` settings."""

    use: str
    own: dict[str, Any] = setting(factory=dict)


@dataclass(frozen=True, slots=True)
class RerankerUse(Use):
    """``[reranker]``; an empty name means none. `items`: how many of the top it is given. `seconds`: after which the order stays."""

    items: int = setting(20, ge=2, le=1000)
    seconds: float = setting(5.0, gt=0)


@dataclass(frozen=True, slots=True)
class PreviewsSettings:
    """``[previews]``: how much a search reads of files that are not indexed yet. `seconds` (0: none is read); `files` at most."""

    seconds: float = setting(4.0, ge=0, le=600)
    files: int = setting(10, ge=0, le=100)


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration.

    `engine` names one of `engines`, each a list of rankers. `margin` (0 to 1): a ranker's evidence below this share of its best
    fraction is not shown. `limit`: hits of a search. `passwords`: file path or name → password of an encrypted file.
    `viewer`: the command that opens a place, with {path}, {page} and {link} in it; "" takes one that is installed.
    """

    engine: str = "hybrid"
    library: str | None = None
    limit: int = setting(10, ge=1, le=10_000)
    margin: float = setting(0.5, ge=0, le=1)
    engines: dict[str, tuple[str, ...]] = setting(factory=lambda: dict(ENGINES))
    libraries: dict[str, LibrarySettings] = setting(factory=dict)
    plugins: PluginsSettings = PluginsSettings()
    index: IndexSettings = IndexSettings()
    store: Use = Use("sqlite")
    chunker: Use = Use("structural")
    embedder: Use = Use("onnx")
    fuser: Use = Use("zscore")
    picker: Use = Use("dense")
    reranker: RerankerUse = RerankerUse("")
    previews: PreviewsSettings = PreviewsSettings()
    source: dict[str, dict[str, Any]] = setting(factory=dict)
    extractor: dict[str, dict[str, Any]] = setting(factory=dict)
    ranker: dict[str, dict[str, Any]] = setting(factory=dict)
    passwords: dict[str, str] = setting(factory=dict)
    viewer: str = ""


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
