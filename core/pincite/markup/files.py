"""Reads a file for an extractor, with every fault as an `Unreadable` of its class (specs/07-verdicts.md)."""

from __future__ import annotations

import re
from pathlib import Path

from pincite.errors import Unreadable

# Formats that no extractor of text should guess at, by how they begin.
_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"{\\rtf", "an RTF document"),
)


def read_bytes(path: Path, limit: int) -> bytes:
    """The file's bytes, at most `limit`. Raises `Unreadable`: missing, too-large, empty, damaged."""
    try:
        size = path.stat().st_size
        if size > limit:
            raise Unreadable("too-large", f"{path.name} has {size:,} bytes, more than the {limit:,} allowed")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise Unreadable("missing", f"{path.name} is not there", passing=True) from None
    except IsADirectoryError:
        raise Unreadable("not-a-document", f"{path.name} is a folder") from None
    except PermissionError:
        raise Unreadable("missing", f"{path.name} may not be read: permission denied", passing=True) from None
    except OSError as error:
        raise Unreadable("damaged", f"{path.name} cannot be read: {error.strerror}", passing=True) from None
    if len(data) > limit:
        raise Unreadable("too-large", f"{path.name} has more than the {limit:,} bytes allowed")
    if not data:
        raise Unreadable("empty", f"{path.name} has no bytes")
    return data


def refuse_binary(data: bytes, name: str) -> None:
    """Raises `Unreadable("not-a-document")` for bytes that begin as another format does."""
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise Unreadable("not-a-document", f"{name} is {what}, not a text")


_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")


def refuse_noise(text: str, name: str) -> None:
    """Raises `Unreadable` for decoded text that is none: over a twentieth of control characters (not-a-document), or
    nothing but white space (empty)."""
    sample = text[:200_000]
    if len(_CONTROL.findall(sample)) > 0.05 * len(sample):
        raise Unreadable("not-a-document", f"{name} holds binary data, not text")
    if not text.strip():
        raise Unreadable("empty", f"{name} holds nothing but white space")


def refuse_no_text(text: str, name: str) -> None:
    """Raises `Unreadable("no-text")` where there is not one letter or digit."""
    if not any(map(str.isalnum, text)):
        raise Unreadable("no-text", f"{name} holds no words")
