"""The extractor `html`: web pages and saved snapshots, without their menus; CSS selectors as places."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.spec import Context, Register, hookimpl, setting

VERSION = 1
"""Rises whenever the same file would give another pack."""


@dataclass(frozen=True)
class HtmlSettings:
    """Limits, and what is left out."""

    max_bytes: int = setting(256 << 20, ge=1, description="A larger file is not read. Snapshots hold their pictures.")
    keep_everything: bool = setting(False, description="Menus, banners and lists of links count as text too.")


def make(settings: HtmlSettings, context: Context) -> object:
    """The extractor."""
    from pincite_plugins.extractors.html.extractor import HtmlExtractor

    return HtmlExtractor(settings.max_bytes, settings.keep_everything)


@hookimpl
def register_extractors(register: Register) -> None:
    """Gives `html`."""
    register(
        "html",
        make,
        settings=HtmlSettings,
        suffixes=(".html", ".htm", ".xhtml", ".xht"),
        content_types=("text/html", "application/xhtml+xml"),
        version=VERSION,
        preload=("pincite_plugins.extractors.html.extractor",),
    )
