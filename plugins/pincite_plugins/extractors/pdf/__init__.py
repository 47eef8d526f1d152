"""PDF → pack, by PyMuPDF (specs/04-packs.md, specs/07-verdicts.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, Register, hookimpl, setting

PINCITE_CONTRACT = 1
VERSION = 1
"""Rises whenever the same file gives another pack."""


@dataclass(frozen=True)
class Settings:
    """`[extractor.pdf]` of the configuration."""

    passwords: tuple[str, ...] = setting((), description="Tried in turn on every encrypted file.")
    max_pages: int = setting(10_000, ge=1, description="A file with more pages is refused as too large.")
    max_bytes: int = setting(2_000_000_000, ge=1, description="A larger file is refused as too large.")
    max_characters: int = setting(100_000_000, ge=1, description="Text beyond this is refused as too large.")
    ocr: bool = setting(False, description="Read garbled pages and pictures of pages by Tesseract, if it is there.")
    ocr_languages: tuple[str, ...] = setting(("eng",), min_length=1, description="Tesseract's names of languages.")
    ocr_dpi: int = setting(300, ge=70, le=1200, description="Dots an inch at which a page is drawn for it.")
    ocr_seconds: float = setting(60, gt=0, description="Time that it may take of one file; the rest is not read.")


@hookimpl
def register_extractors(register: Register) -> None:
    """Registers "pdf"."""
    register(
        "pdf",
        _pdf,
        settings=Settings,
        suffixes=(".pdf",),
        content_types=("application/pdf",),
        version=_version,
        preload=("pincite_plugins.extractors.pdf.extractor",),
    )


def _version(settings: Settings) -> int | None:
    """Known without the extractor where no OCR is asked for; else it depends on what is installed, and the extractor says it."""
    return None if settings.ocr else VERSION


def _pdf(settings: Settings, context: Context) -> Any:
    from pincite_plugins.extractors.pdf.extractor import PdfExtractor

    extractor = PdfExtractor(settings)
    if extractor.no_ocr:
        context.note(extractor.no_ocr)
    return extractor
