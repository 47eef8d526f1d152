"""What the index knows of each file: its state, verdict, and what it was read and cut with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from pincite.values.quick import dataclass
from pincite.values.search import Draft


class FileState(StrEnum):
    """`waiting` files are counted as skipped until a run reaches them, so that indexed + skipped + failed = files, always."""

    WAITING = "waiting"
    INDEXED = "indexed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One attachment in the ledger.

    `size` in bytes, `mtime_ns` and `hash` (BLAKE2b-128, hexadecimal) are those of the content last looked at. `verdict` is a class of
    specs/07-verdicts.md ("" where all is well), `reason` one line. `cutter` names chunker, version, window and tokenizer. `pages` counts
    pages by health; `letters` counts letters in what is indexed. `made_with` marks the extractor's settings; `found` holds fields of
    `Item` as the file gives them, which fill those that the source left empty.
    """

    attachment: str
    item: int
    path: str = ""
    state: FileState = FileState.WAITING
    verdict: str = ""
    reason: str = ""
    attempts: int = 0
    passing: bool = False
    size: int = -1
    mtime_ns: int = -1
    hash: str = ""
    extractor: str = ""
    extractor_version: int = 0
    cutter: str = ""
    pages: Mapping[str, int] = field(default_factory=dict)
    letters: int = 0
    made_with: str = ""
    found: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A chunk on its way into the store: the draft, its text as cut, the text to embed (None: no vector), and where it stands."""

    draft: Draft
    text: str
    embed: str | None = None
    page_label: str | None = None
    anchor: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts that add up: indexed + skipped + failed = files; `waiting` of the skipped are still to come."""

    items: int = 0
    files: int = 0
    indexed: int = 0
    skipped: int = 0
    failed: int = 0
    waiting: int = 0
    notes: int = 0
    annotations: int = 0
    chunks: int = 0
