"""Goes through a folder and gives its documents, with a stat each and nothing opened."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite.values.library import Problem

# Files that systems and programs put beside the documents; hidden ones (".DS_Store", ".zotero-ft-cache") are left
# out anyway
_STRAY = frozenset(("thumbs.db", "desktop.ini", "__macosx", "node_modules"))


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the folder. `id` is its POSIX path from the folder, in NFC; `path` is absolute and as on the
    disk."""

    id: str
    path: Path
    modified: int
    size: int


def stray(name: str) -> bool:
    """Whether a file or folder of that name is none of the person's documents."""
    lower = name.lower()
    # Windows' mark of a download becomes a file of its own on other systems: "paper.pdf:Zone.Identifier"
    return name.startswith((".", "~$")) or lower in _STRAY or lower.endswith((":zone.identifier", ".zone.identifier"))


def walk(top: Path, suffixes: tuple[str, ...]) -> Iterator[Document | Problem]:
    """Every document below `top`, links followed, each folder once; and what could not be looked at."""
    seen: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            stat = folder.stat()
            if (stat.st_dev, stat.st_ino) in seen:  # a link back to where we have been
                continue
            seen.add((stat.st_dev, stat.st_ino))
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Problem(printable(folder), f"the folder cannot be read ({error.strerror})")
            continue
        below: list[Path] = []
        for entry in entries:
            if stray(entry.name):
                continue
            path = folder / entry.name
            try:
                if entry.is_dir():
                    below.append(path)
                elif entry.name.lower().endswith(suffixes):
                    yield document(top, path)
            except OSError as error:
                yield Problem(printable(path), f"cannot be looked at ({error.strerror})")
        waiting.extend(reversed(below))


def document(top: Path, path: Path) -> Document | Problem:
    """The document at `path`. Raises OSError where it cannot be looked at (a link that leads nowhere)."""
    stat = path.stat()
    relative = path.relative_to(top).as_posix() if path != top else path.name
    try:
        relative.encode()
    except UnicodeEncodeError:
        return Problem(printable(path), "the name is not valid UTF-8; rename the file to have it indexed")
    return Document(unicodedata.normalize("NFC", relative), path, stat.st_mtime_ns, stat.st_size)


def printable(path: Path) -> str:
    """A path as text that can be printed and stored, whatever bytes are in it."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
