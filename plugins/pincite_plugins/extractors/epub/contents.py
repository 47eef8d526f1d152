"""The table of contents of a book, and its list of printed pages: from a navigation document (EPUB 3) or an NCX (EPUB 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.markup import names
from pincite.markup.parse import Element, local_name
from pincite_plugins.extractors.epub.archive import Archive
from pincite_plugins.extractors.epub.package import tree

DEEPEST = 9
"""Levels of a table of contents that are told apart."""


@dataclass(slots=True)
class Contents:
    """For each document, by the id of the element that an entry leads to ("" for the document itself): title and level;
    and the label of the page that begins there."""

    titles: dict[str, dict[str, tuple[str, int]]] = field(default_factory=dict)
    pages: dict[str, dict[str, str]] = field(default_factory=dict)


def read_contents(archive: Archive, entry: str) -> Contents:
    """Reads a table of contents; an unreadable one is empty."""
    found = Contents()
    root = tree(archive, entry) if entry else None
    if root is None:
        return found
    if local_name(root) == "ncx":
        _ncx(archive, entry, root, found)
    else:
        _navigation(archive, entry, root, found)
    return found


def _put(archive: Archive, base: str, href: str, found: Contents, title: str, level: int | None) -> None:
    document = archive.resolve(base, href)
    fragment = href.partition("#")[2]
    if not document or not title:
        return
    if level is None:
        found.pages.setdefault(document, {}).setdefault(fragment, title)
    else:
        found.titles.setdefault(document, {}).setdefault(fragment, (title, min(level, DEEPEST)))


def _ncx(archive: Archive, base: str, root: Element, found: Contents) -> None:
    for point in root.iter():
        name = local_name(point)
        if name not in ("navpoint", "pagetarget"):
            continue
        href = title = ""
        for child in point:
            if local_name(child) == "navlabel":
                title = " ".join(child.xpath("string()").split())
            elif local_name(child) == "content":
                href = child.get("src") or ""
        level = None
        if name == "navpoint":
            level = 1 + sum(1 for above in point.iterancestors() if local_name(above) == "navpoint")
        _put(archive, base, href, found, title, level)


def _navigation(archive: Archive, base: str, root: Element, found: Contents) -> None:
    for nav in root.iter():
        if local_name(nav) != "nav":
            continue
        said = names.semantics(nav)
        if not said & {"toc", "doc-toc", "page-list", "doc-pagelist"}:
            continue
        paged = bool(said & {"page-list", "doc-pagelist"})
        for link, level in _links(nav):
            title = " ".join(link.xpath("string()").split())
            _put(archive, base, link.get("href") or "", found, title, None if paged else level)


def _links(nav: Element) -> Iterator[tuple[Element, int]]:
    for link in nav.iter():
        if local_name(link) == "a":
            depth = 0
            for above in link.iterancestors():
                if above is nav:
                    break
                depth += local_name(above) == "ol"
            yield link, max(depth, 1)
