"""The extractor `text`: plain text in any encoding, form feeds as page breaks."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pincite.spec import Context, Register, hookimpl

VERSION = 1
"""Rises whenever the same file would give another pack."""


class TextSettings(BaseModel):
    """Limits."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_bytes: int = Field(64 << 20, ge=1, description="A larger file is not read.")


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
