"""Source `folder`: a folder of documents, or a single one (specs/16-sources.md)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.spec import Context, Register, hookimpl, setting

if TYPE_CHECKING:
    from pincite_plugins.sources.folder.source import FolderSource

PINCITE_CONTRACT = 1

SUFFIXES = (".pdf", ".epub", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text")


@dataclass(frozen=True)
class FolderSettings:
    """Section ``[source.folder]``."""

    suffixes: tuple[str, ...] = setting(SUFFIXES, description="which files are documents, by the end of their names")
    bibliography: str = setting(
        "auto",
        description='the .bib file that describes the documents, relative to the folder; "auto" takes the only one at '
        'the top of the folder, "" none',
    )


def recognises(path: Path) -> float:
    """0.2 for any folder, 0.5 for a file with the suffix of a document."""
    path = path.expanduser()
    if os.path.isdir(path):
        return 0.2
    return 0.5 if os.path.isfile(path) and path.suffix.lower() in SUFFIXES else 0.0


def open_folder(settings: FolderSettings, context: Context) -> FolderSource:
    """The source for `context.library`. Raises `UsageError` where there is no such folder or file."""
    if context.library is None:
        raise UsageError("source folder: no library is given; give a folder of documents")
    path = context.library.expanduser()
    if not os.path.exists(path):
        raise UsageError(f"{path}: no such file or folder")
    from pincite_plugins.sources.folder.source import FolderSource

    suffixes = tuple(f".{suffix.lstrip('.').lower()}" for suffix in settings.suffixes)
    return FolderSource(path, suffixes, settings.bibliography, context.note)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `folder`."""
    register("folder", open_folder, settings=FolderSettings, recognises=recognises)
