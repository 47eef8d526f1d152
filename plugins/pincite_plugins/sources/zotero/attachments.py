"""Where the file of a Zotero attachment is."""

from __future__ import annotations

import ntpath
import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

IMPORTED_FILE, IMPORTED_URL, LINKED_FILE, LINKED_URL, EMBEDDED_IMAGE = range(5)


@dataclass(frozen=True, slots=True)
class Place:
    """Absolute path of a file, or the reason for which there is none; both where the path is known but of no use
    here."""

    path: str = ""
    missing: str = ""


def locate(data: Path, base: Path | None, key: str, link_mode: int, path: str) -> Place:
    """The file of an attachment with `key`, from its `path` as the database has it.

    ``storage:NAME`` is ``storage/KEY/NAME`` below the data directory, ``attachments:REL`` is below the base directory,
    anything else is absolute, on this machine or (``C:\\…``, ``\\\\server\\…``) a Windows one.
    """
    if link_mode == LINKED_URL:
        return Place(missing="a linked URL: nothing is stored in the library")
    if not path:
        return Place(missing="Zotero knows no file for this attachment")
    if path.startswith("storage:"):
        name = path.removeprefix("storage:")
        if not _inside(name):
            return Place(missing=f"the stored path {name!r} leads out of the attachment's folder")
        return Place(_as_on_disk(data / "storage" / key / name))
    if path.startswith("attachments:"):
        relative = path.removeprefix("attachments:").replace("\\", "/")
        if base is None:
            return Place(missing=f"no base_directory is set for {path}")
        return Place(_as_on_disk(base / relative.lstrip("/")))
    if os.name != "nt" and (ntpath.splitdrive(path)[0] or path.startswith("\\\\")):
        return Place(path, missing="a Windows path, which this machine does not have")
    if os.path.isabs(path):
        return Place(_as_on_disk(Path(path)))
    # Old relative paths of imported files had no prefix; they mean the attachment's own folder
    if link_mode in (IMPORTED_FILE, IMPORTED_URL) and _inside(path):
        return Place(_as_on_disk(data / "storage" / key / path))
    return Place(missing=f"the path {path!r} is not absolute")


def _inside(name: str) -> bool:
    pure = PurePosixPath(name)
    return bool(name) and not pure.is_absolute() and ".." not in pure.parts


def _as_on_disk(path: Path) -> str:
    """The path as it is spelled on the disk: a name may have been stored in another normal form (macOS decomposes
    accents)."""
    text = str(path)
    if text.isascii() or path.exists():
        return text
    for form in ("NFC", "NFD"):
        other = path.with_name(unicodedata.normalize(form, path.name))
        if other.exists():
            return str(other)
        other = Path(unicodedata.normalize(form, text))
        if other.exists():
            return str(other)
    return text
