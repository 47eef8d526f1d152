"""Opens a file within bounds, or says by its verdict class why not (specs/07-verdicts.md)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pymupdf

from pincite.errors import Unreadable

_HEAD = 1024
"""The header may stand anywhere in the first 1,024 bytes (ISO 32000-1, Annex H, note 13)."""


def silence() -> None:
    """MuPDF reports to the caller by exceptions; nothing of it is to appear on the person's terminal."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)


def open_document(path: Path, passwords: Iterable[str], max_bytes: int, max_pages: int) -> pymupdf.Document:
    """The document, decrypted, with at least one page. Raises `Unreadable`."""
    size = _size(path)
    if size == 0:
        raise Unreadable("empty", f"{path}: the file has no bytes")
    if size > max_bytes:
        raise Unreadable(
            "too-large", f"{path}: {size:,} bytes, over the limit of {max_bytes:,} (extractor.pdf max_bytes)"
        )
    with path.open("rb") as file:
        head = file.read(_HEAD)
    silence()
    try:
        document = pymupdf.open(str(path), filetype="pdf")
    except MemoryError as error:
        raise Unreadable("out-of-memory", f"{path}: not enough memory to open", passing=True) from error
    except Exception as error:
        if b"%PDF-" not in head:
            raise Unreadable("not-a-document", f"{path}: not a PDF file") from error
        raise Unreadable("damaged", f"{path}: {_line(error)}") from error
    try:
        if document.needs_pass and not any(document.authenticate(word) for word in ("", *passwords)):
            raise Unreadable("encrypted", f"{path}: needs a password; give it under [passwords]")
        pages = _pages(path, document)
    except BaseException:
        document.close()
        raise
    if not pages:
        document.close()
        raise Unreadable("damaged", f"{path}: no pages can be found in it")
    if pages > max_pages:
        document.close()
        raise Unreadable(
            "too-large", f"{path}: {pages:,} pages, over the limit of {max_pages:,} (extractor.pdf max_pages)"
        )
    return document


def _pages(path: Path, document: pymupdf.Document) -> int:
    try:
        return int(document.page_count)
    except Exception as error:
        raise Unreadable("damaged", f"{path}: {_line(error)}") from error


def _size(path: Path) -> int:
    try:
        if not path.is_file():
            raise Unreadable("missing", f"{path}: no such file", passing=True)
        return path.stat().st_size
    except OSError as error:
        raise Unreadable("missing", f"{path}: {error.strerror}", passing=True) from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
