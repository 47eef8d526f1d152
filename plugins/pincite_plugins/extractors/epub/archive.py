"""The ZIP container of a book, read without trust: nothing is written to disk, nothing is inflated past its limit."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pincite.errors import Unreadable

MOST_ENTRIES = 50_000
"""Entries of an archive; the largest books have a few thousand."""


class Archive:
    """An open book. `budget` is how many bytes may still be inflated."""

    def __init__(self, path: Path, max_bytes: int, max_text_bytes: int, password: str | None = None) -> None:
        self.name = path.name
        self._limit = self.budget = max_text_bytes
        self._password = password.encode() if password else None
        self._zip = _opened(path, max_bytes)
        entries = self._zip.infolist()
        if len(entries) > MOST_ENTRIES:
            self._zip.close()
            raise Unreadable(
                "too-large", f"{self.name} has {len(entries):,} entries, more than the {MOST_ENTRIES:,} allowed"
            )
        self._entries = {entry.filename: entry for entry in entries if not entry.is_dir()}
        self._folded = {name.lower(): name for name in reversed(self._entries)}

    def close(self) -> None:
        """Closes the file."""
        self._zip.close()

    def names(self) -> list[str]:
        """The entries, in the order of the archive."""
        return list(self._entries)

    def resolve(self, base: str, reference: str) -> str:
        """The entry that a reference in the document `base` names, or "". A path that leads out of the archive names
        none."""
        parts = urlsplit(reference.strip())
        if parts.scheme or parts.netloc or not parts.path:
            return ""
        folder = posixpath.dirname(base)
        for path in dict.fromkeys((unquote(parts.path), parts.path)):
            full = posixpath.normpath(posixpath.join(folder, path.replace("\\", "/"))).lstrip("/")
            for candidate in (full, posixpath.normpath(path).lstrip("/")):
                if candidate in self._entries:
                    return candidate
                if candidate.lower() in self._folded:
                    return self._folded[candidate.lower()]
        return ""

    def read(self, name: str) -> bytes:
        """An entry's bytes. Raises `Unreadable`: too-large, encrypted, damaged; KeyError where there is no such
        entry."""
        entry = self._entries[name]
        if entry.file_size > self.budget:
            raise self._too_large(name)
        try:
            with self._zip.open(entry, pwd=self._password) as file:
                data = file.read(self.budget + 1)
        except RuntimeError as error:  # zipfile's way of asking for a password
            if entry.flag_bits & 1:
                hint = "the password given is wrong" if self._password else "give its password in the configuration"
                raise Unreadable("encrypted", f"{self.name} is encrypted: {hint}") from None
            raise Unreadable("damaged", f"{self.name}: {name} cannot be read: {error}") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise Unreadable("damaged", f"{self.name}: {name} is damaged: {error or type(error).__name__}") from None
        if len(data) > self.budget:
            raise self._too_large(name)
        self.budget -= len(data)
        return data

    def _too_large(self, name: str) -> Unreadable:
        return Unreadable("too-large", f"{self.name}: {name} inflates past the {self._limit:,} bytes allowed")


def _opened(path: Path, max_bytes: int) -> zipfile.ZipFile:
    try:
        size = path.stat().st_size
        if size == 0:
            raise Unreadable("empty", f"{path.name} has no bytes")
        if size > max_bytes:
            raise Unreadable("too-large", f"{path.name} has {size:,} bytes, more than the {max_bytes:,} allowed")
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise Unreadable("missing", f"{path.name} is not there", passing=True) from None
    except PermissionError:
        raise Unreadable("missing", f"{path.name} may not be read: permission denied", passing=True) from None
    except zipfile.BadZipFile:
        with path.open("rb") as file:
            begins = file.read(2) == b"PK"
        if begins:
            raise Unreadable("damaged", f"{path.name} is cut short or damaged: it has no ZIP directory") from None
        raise Unreadable("not-a-document", f"{path.name} is no EPUB: it is not a ZIP archive") from None
    except (OSError, ValueError, NotImplementedError) as error:
        raise Unreadable("damaged", f"{path.name} cannot be opened: {error}") from None
