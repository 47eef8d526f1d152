"""The extractor `markdown`: CommonMark with tables, footnotes, mathematics, front matter and wiki links."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.spec import Context, Register, hookimpl, setting

VERSION = 1
"""Rises whenever the same file would give another pack."""


@dataclass(frozen=True)
class MarkdownSettings:
    """Limits."""

    max_bytes: int = setting(64 << 20, ge=1, description="A larger file is not read.")


def make(settings: MarkdownSettings, context: Context) -> object:
    """The extractor."""
    from pincite_plugins.extractors.markdown.extractor import MarkdownExtractor

    return MarkdownExtractor(settings.max_bytes)


@hookimpl
def register_extractors(register: Register) -> None:
    """Gives `markdown`."""
    register(
        "markdown",
        make,
        settings=MarkdownSettings,
        suffixes=(".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd"),
        content_types=("text/markdown", "text/x-markdown"),
        version=VERSION,
        preload=("pincite_plugins.extractors.markdown.extractor",),
    )
