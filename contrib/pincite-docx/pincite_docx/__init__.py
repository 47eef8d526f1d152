"""Extractor `docx`: Word (.docx) and OpenDocument (.odt) texts, read from their XML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.spec import Context, Register, hookimpl, setting

PINCITE_CONTRACT = 1
VERSION = 2
"""Rises whenever the same file would give another pack."""


@dataclass(frozen=True)
class Settings:
    """``[extractor.docx]``: limits."""

    max_bytes: int = setting(256 << 20, ge=1, description="A larger file is not read.")
    max_text_bytes: int = setting(
        128 << 20, ge=1, description="A file with more text and marks, unpacked, is not read."
    )


def make(settings: Settings, context: Context) -> Any:
    """The extractor."""
    from pincite_docx.extractor import DocxExtractor

    return DocxExtractor(settings)


@hookimpl
def register_extractors(register: Register) -> None:
    """Registers `docx`."""
    register(
        "docx",
        make,
        settings=Settings,
        version=VERSION,
        suffixes=(".docx", ".docm", ".odt"),
        content_types=(
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.oasis.opendocument.text",
        ),
    )
