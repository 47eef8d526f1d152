"""Source `bibtex`: a bibliography in BibTeX, BibLaTeX, RIS, CSL-JSON, NBIB or Web of Science format, with the files
that it names (specs/16-sources.md)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.spec import Context, Register, hookimpl, setting

if TYPE_CHECKING:
    from pincite_plugins.sources.bibtex.source import BibliographySource

PINCITE_CONTRACT = 1

SUFFIXES = (".bib", ".bibtex", ".biblatex", ".ris", ".nbib", ".json", ".ciw", ".rdf")
REFUSED = (".xml", ".enl", ".enw")
"""Refused as .rdf is, with what to export instead."""

_EXPORT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:TY  - |PMID- |FN (?:Clarivate|Thomson|ISI))")
"""How an export begins that PubMed, Web of Science and others call .txt."""


@dataclass(frozen=True)
class BibtexSettings:
    """Section ``[source.bibtex]``."""

    file_directory: Path | None = setting(
        None,
        description="where relative paths of files begin; JabRef's own directories and the file's folder come after it",
    )


def recognises(path: Path) -> float:
    """0.9 for a file with the suffix of a bibliography, and for a text that begins as an export does."""
    path = path.expanduser()
    suffix = path.suffix.lower()
    named = suffix in SUFFIXES + REFUSED or (suffix == ".txt" and _exported(path))
    return 0.9 if named and not os.path.isdir(path) else 0.0


def _exported(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return _EXPORT.match(file.read(200)) is not None
    except OSError:
        return False


def open_bibtex(settings: BibtexSettings, context: Context) -> BibliographySource:
    """The source for `context.library`. Raises `UsageError` where there is no such file, or it is of another kind."""
    if context.library is None:
        raise UsageError("source bibtex: no library is given; give a .bib, .ris, .nbib or CSL .json file")
    path = context.library.expanduser()
    if os.path.isdir(path):
        raise UsageError(f"{path}: a folder; give the .bib, .ris, .nbib or CSL .json file itself")
    if not os.path.isfile(path):
        raise UsageError(f"{path}: no such file")
    from pincite_plugins.sources.bibtex.source import BibliographySource

    directory = settings.file_directory.expanduser() if settings.file_directory else None
    return BibliographySource(path, directory)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `bibtex`."""
    register("bibtex", open_bibtex, settings=BibtexSettings, recognises=recognises)
