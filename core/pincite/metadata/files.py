"""Files of items as attachments: content types by name, links that open them."""

from __future__ import annotations

import ntpath
import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from pincite.values.library import Attachment

CONTENT_TYPES = {
    ".pdf": "application/pdf",
    ".epub": "application/epub+zip",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
}


def attachment_of(id: str, path: str, *, title: str = "", language: str = "", modified: str = "") -> Attachment:
    """A file as an attachment. `path` is absolute. A PDF's link has the page in it (RFC 8118, section 3)."""
    content_type = CONTENT_TYPES.get(os.path.splitext(path)[1].lower(), "")
    link = Path(path).as_uri()
    return Attachment(
        id=id,
        path=path,
        content_type=content_type,
        title=title,
        language=language,
        link=f"{link}#page={{page}}" if content_type == "application/pdf" else link,
        modified=modified,
    )


def named_attachment(id: str, named: str, folders: Sequence[Path], title: str = "") -> Attachment:
    """A file as a bibliography names it, looked for in `folders` (see `locate`)."""
    if missing := missing_windows(named):
        return Attachment(id=id, title=title, missing=missing)
    return attachment_of(id, str(locate(named, folders)), title=title)


def missing_windows(path: str) -> str:
    """Why a Windows path cannot be read here; "" where it can, and for any other path."""
    if os.name == "nt" or not (ntpath.splitdrive(path)[0] or path.startswith("\\\\")):
        return ""
    return f"{path} is a Windows path, which this machine does not have"


def locate(path: str, folders: Sequence[Path]) -> Path:
    """The absolute path that a named path means: the first of `folders` (the file directories, then the folder of the
    bibliography) where it exists; where it exists in none, its place in the last."""
    if os.name != "nt":
        drive = ntpath.splitdrive(path)[0]
        if not drive:
            path = path.replace("\\", "/")
    pure = Path(path).expanduser() if path.startswith("~/") else Path(path)
    if pure.is_absolute():
        return on_disk(pure)
    # Mendeley leaves the first slash out: ":home/ana/paper.pdf:pdf"
    if re.match(r"(?:home|Users|Volumes|mnt|media)/", path) and Path("/" + path).exists():
        return Path("/" + path)
    for folder in folders:
        candidate = on_disk(folder / path)
        if candidate.exists():
            return candidate
    return folders[-1] / path if folders else pure.absolute()


def on_disk(path: Path) -> Path:
    """The path as it is spelled on the disk, where its name is there in another normal form."""
    if str(path).isascii() or path.exists():
        return path
    for form in ("NFC", "NFD"):
        other = Path(unicodedata.normalize(form, str(path)))
        if other.exists():
            return other
    return path
