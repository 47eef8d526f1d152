"""An EPUB → a pack.

The container is read here rather than by EbookLib: that inflates every entry, pictures included, before the first can be
looked at, and gives up on books with one bad entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pincite.errors import Unreadable
from pincite.markup.addresses import CfiAddresses
from pincite.markup.builder import PackBuilder
from pincite.markup.encoding import decode
from pincite.markup.files import refuse_no_text
from pincite.markup.outline import Outline
from pincite.markup.parse import Element, declared_encoding, local_name, parse_xhtml
from pincite.markup.reader import TreeReader
from pincite.markup.roles import with_roles
from pincite.values.pack import Pack, Page
from pincite_plugins.extractors.epub import VERSION
from pincite_plugins.extractors.epub.archive import Archive
from pincite_plugins.extractors.epub.contents import Contents, read_contents
from pincite_plugins.extractors.epub.package import Document, Package, read_package
from pincite_plugins.extractors.epub.protection import refuse_locked

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass(frozen=True, slots=True)
class EpubExtractor:
    """Reads books. `max_bytes` is the largest file that is read, `max_text_bytes` the most that is inflated of it."""

    max_bytes: int = 1 << 30
    max_text_bytes: int = 256 << 20
    name: str = "epub"
    version: int = VERSION

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The book's text in the order of its spine."""
        archive = Archive(path, self.max_bytes, self.max_text_bytes, password)
        try:
            package = read_package(archive)
            refuse_locked(archive, [document.entry for document in package.documents])
            return _Book(archive, package).pack()
        finally:
            archive.close()


class _Book:
    """A book being read."""

    def __init__(self, archive: Archive, package: Package) -> None:
        self.archive = archive
        self.package = package
        self.builder = PackBuilder()
        self.outline = Outline()
        self.pages: list[Page] = []
        self.faults: list[str] = [f"{name} is missing" for name in package.missing]

    def pack(self) -> Pack:
        """Reads every document."""
        contents = self._contents()
        for document in self.package.documents:
            self._document(document, contents)
        text = self.builder.text
        if not self.builder.blocks and self.faults:
            raise Unreadable("damaged", f"{self.archive.name}: none of its documents can be read: {self.faults[0]}")
        refuse_no_text(text, self.archive.name)
        metadata = dict(self.package.metadata)
        if self.faults:
            metadata["note"] = (
                f"{len(self.faults)} of the book's documents could not be read: {'; '.join(self.faults[:5])}"
            )
        return Pack(
            format="epub",
            text=text,
            blocks=tuple(with_roles(text, self.builder.blocks, self.outline.sections, metadata.get("title", ""))),
            sections=tuple(self.outline.sections),
            pages=tuple(self.pages),
            runs=tuple(self.builder.runs),
            metadata=metadata,
            extractor="epub",
            extractor_version=VERSION,
        )

    def _contents(self) -> Contents:
        try:
            return read_contents(self.archive, self.package.contents)
        except Unreadable as error:
            if error.verdict in ("too-large", "encrypted"):
                raise
            self.faults.append("the table of contents is damaged")
            return Contents()

    def _document(self, document: Document, contents: Contents) -> None:
        root = self._tree(document)
        if root is None:
            return
        titles = contents.titles.get(document.entry, {})
        if any(local_name(e) in _HEADINGS and e.xpath("string()").strip() for e in root.iter()):
            titles = {}
        elif "" in titles:
            self.outline.open(*titles[""])
        addresses = CfiAddresses(document.step)
        pages = contents.pages.get(document.entry, {})
        reader = TreeReader(
            self.builder,
            self.outline,
            addresses.text,
            addresses.image,
            pages=self.pages,
            page_ids={id_: label for id_, label in pages.items() if id_},
            titles={id_: title for id_, title in titles.items() if id_},
        )
        if "" in pages:
            self.pages.append(Page(len(self.pages) + 1, pages[""]))
        reader.read(root)

    def _tree(self, document: Document) -> Element | None:
        try:
            data = self.archive.read(document.entry)
        except Unreadable as error:
            if error.verdict in ("too-large", "encrypted"):
                raise
            self.faults.append(f"{document.entry} is damaged")
            return None
        text, _ = decode(data, declared_encoding(data))
        root = parse_xhtml(text)
        if root is None and text.strip():
            self.faults.append(f"{document.entry} holds no markup")
        return root
