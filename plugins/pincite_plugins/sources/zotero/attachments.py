"""Where the file of a Zotero attachment is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pincite.metadata.files import missing_windows, on_disk

IMPORTED_FILE, IMPORTED_URL, LINKED_FILE, LINKED_URL, EMBEDDED_IMAGE = range(5)


@dataclass(frozen=True, slots=True)
class Place:
    """Absolute path of a file, or the reason for which there is none; both where the path is known but of no use
    here."""

    path: str = ""
    missing: str = ""


def locate(data: str, base: str | None, key: str, link_mode: int, path: str) -> Place:
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
        return Place(_on_disk(os.path.join(data, "storage", key, name)))
    if path.startswith("attachments:"):
        relative = path.removeprefix("attachments:").replace("\\", "/")
        if base is None:
            return Place(missing=f"no base_directory is set for {path}")
        return Place(_on_disk(os.path.join(base, relative.lstrip("/"))))
    if reason := missing_windows(path):
        return Place(missing=reason)
    if os.path.isabs(path):
        return Place(_on_disk(path))
    # Old relative paths of imported files had no prefix; they mean the attachment's own folder
    if link_mode in (IMPORTED_FILE, IMPORTED_URL) and _inside(path):
        return Place(_on_disk(os.path.join(data, "storage", key, path)))
    return Place(missing=f"the path {path!r} is not absolute")


def _inside(name: str) -> bool:
    return bool(name) and not name.startswith(("/", "\\")) and ".." not in name.replace("\\", "/").split("/")


def _on_disk(path: str) -> str:
    return path if path.isascii() else str(on_disk(Path(path)))
