"""A web page → a pack."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import Unreadable
from pincite.markup.addresses import CssAddresses
from pincite.markup.boilerplate import boilerplate
from pincite.markup.builder import PackBuilder
from pincite.markup.encoding import decode
from pincite.markup.files import read_bytes, refuse_binary, refuse_no_text, refuse_noise
from pincite.markup.meta import head_metadata
from pincite.markup.outline import Outline
from pincite.markup.parse import Element, declared_encoding, local_name, parse_html, parse_xml
from pincite.markup.reader import TreeReader
from pincite.markup.roles import with_roles
from pincite.values.pack import Flow, Pack
from pincite_plugins.extractors.html import VERSION

_XHTML = re.compile(r"^\s*(?:<\?xml\b|<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML|<html[^>]+xmlns=)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HtmlExtractor:
    """Reads HTML and XHTML. `max_bytes` is the largest file that is read."""

    max_bytes: int = 256 << 20
    keep_everything: bool = False
    name: str = "html"
    version: int = VERSION

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The page's text with its structure; menus and the like are excluded."""
        data = read_bytes(path, self.max_bytes)
        refuse_binary(data, path.name)
        source, encoding = decode(data, declared_encoding(data))
        refuse_noise(source, path.name)
        if "<" not in source:
            raise Unreadable("not-a-document", f"{path.name} holds no HTML element")
        pack = self.pack_of(source, path.name)
        pack.metadata["encoding"] = encoding
        return pack

    def pack_of(self, source: str, name: str) -> Pack:
        """The pack of a decoded page. Raises `Unreadable` where there is no text."""
        root = _tree(source)
        if root is None:
            raise Unreadable("not-a-document", f"{name} holds no HTML element")
        metadata = head_metadata(root)
        builder = PackBuilder()
        outline = Outline()
        addresses = CssAddresses(root)
        excluded = frozenset() if self.keep_everything else boilerplate(root)
        reader = TreeReader(builder, outline, addresses.text, addresses.image, excluded)
        reader.read(root)
        text = builder.text
        refuse_no_text(text, name)
        if all(block.flow is Flow.EXCLUDED for block in builder.blocks):
            raise Unreadable("no-text", f"{name} holds nothing but menus and notices")
        if "title" not in metadata and outline.sections:
            metadata["title"] = outline.sections[0].title
        return Pack(
            format="html",
            text=text,
            blocks=tuple(with_roles(text, builder.blocks, outline.sections, metadata.get("title", ""))),
            sections=tuple(outline.sections),
            pages=tuple(reader.pages),
            runs=tuple(builder.runs),
            metadata=metadata,
            extractor="html",
            extractor_version=VERSION,
        )


def _tree(source: str) -> Element | None:
    """XHTML as XML where it is well-formed, so that an element closed in itself is closed; anything else as HTML."""
    if _XHTML.match(source[:2000]):
        root = parse_xml(source)
        if root is not None and local_name(root) == "html":
            return root
    return parse_html(re.sub(r"^\s*<\?xml[^>]*\?>", "", source, count=1))
