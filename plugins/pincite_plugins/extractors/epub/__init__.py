"""The extractor `epub`: books in reading order, with canonical fragment identifiers as places."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.spec import Context, Register, hookimpl, setting

VERSION = 1
"""Rises whenever the same file would give another pack."""


@dataclass(frozen=True)
class EpubSettings:
    """Limits."""

    max_bytes: int = setting(1 << 30, ge=1, description="A larger file is not read.")
    max_text_bytes: int = setting(
        256 << 20, ge=1, description="No more than this is inflated of a book, pictures aside."
    )


def make(settings: EpubSettings, context: Context) -> object:
    """The extractor."""
    from pincite_plugins.extractors.epub.extractor import EpubExtractor

    return EpubExtractor(settings.max_bytes, settings.max_text_bytes)


@hookimpl
def register_extractors(register: Register) -> None:
    """Gives `epub`."""
    register(
        "epub",
        make,
        settings=EpubSettings,
        suffixes=(".epub",),
        content_types=("application/epub+zip",),
        version=VERSION,
        preload=("pincite_plugins.extractors.epub.extractor",),
    )
