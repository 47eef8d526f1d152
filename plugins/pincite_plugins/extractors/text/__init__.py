"""The extractor `text`: plain text in any encoding, form feeds as page breaks."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.spec import Context, Register, hookimpl, setting

VERSION = 1
"""Rises whenever the same file would give another pack."""


@dataclass(frozen=True)
class TextSettings:
    """Limits."""

    max_bytes: int = setting(64 << 20, ge=1, description="A larger file is not read.")


def make(settings: TextSettings, context: Context) -> object:
    """The extractor."""
    from pincite_plugins.extractors.text.extractor import TextExtractor

    return TextExtractor(settings.max_bytes)


@hookimpl
def register_extractors(register: Register) -> None:
    """Gives `text`."""
    register(
        "text",
        make,
        settings=TextSettings,
        suffixes=(".txt", ".text"),
        content_types=("text/plain",),
        version=VERSION,
        preload=("pincite_plugins.extractors.text.extractor",),
    )
