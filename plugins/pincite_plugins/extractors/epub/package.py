"""The package document of a book: its metadata, and its documents in reading order (EPUB 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.errors import Unreadable
from pincite.markup.encoding import decode
from pincite.markup.meta import tidied
from pincite.markup.parse import Element, declared_encoding, local_name, parse_xml
from pincite.metadata.identifiers import clean_doi, clean_isbn
from pincite_plugins.extractors.epub.archive import Archive

_DOCUMENTS = frozenset(
    (
        "application/xhtml+xml",
        "text/html",
        "text/xml",
        "application/xml",
        "application/x-dtbook+xml",
        "text/x-oeb1-document",
    )
)
_DC = {
    "language": "language",
    "publisher": "publisher",
    "description": "description",
    "source": "source",
    "rights": "rights",
}


@dataclass(frozen=True, slots=True)
class Document:
    """One document of the spine: its entry in the archive, and the CFI step that leads to it ("/6/4")."""

    entry: str
    step: str


@dataclass(frozen=True, slots=True)
class Package:
    """`missing` are what the spine names and the archive does not hold. `contents` is the entry of the table of
    contents (a navigation document or an NCX), or ""."""

    entry: str
    documents: tuple[Document, ...]
    missing: tuple[str, ...]
    metadata: dict[str, str]
    contents: str


def tree(archive: Archive, entry: str) -> Element | None:
    """An entry as XML, mended where it must be."""
    data = archive.read(entry)
    text, _ = decode(data, declared_encoding(data))
    root = parse_xml(text)
    return parse_xml(text, recover=True) if root is None else root


def read_package(archive: Archive) -> Package:
    """Finds and reads the package document. Raises `Unreadable` (damaged, not-a-document) where there is none."""
    entry = _package_entry(archive)
    root = tree(archive, entry)
    if root is None:
        raise Unreadable("damaged", f"{archive.name}: its package document {entry} cannot be read")
    manifest: dict[str, tuple[str, str, str]] = {}
    contents = ncx = ""
    for item in _below(root, "manifest", "item"):
        href = archive.resolve(entry, item.get("href") or "")
        kind = (item.get("media-type") or "").strip().lower()
        manifest[item.get("id") or ""] = (href, kind, item.get("href") or "")
        if "nav" in (item.get("properties") or "").split():
            contents = href
        elif kind == "application/x-dtbncx+xml":
            ncx = href
    documents, missing = _spine(root, manifest)
    if not documents and not missing:
        documents = _unordered(archive, manifest)
        if not documents:
            raise Unreadable("damaged", f"{archive.name}: its package document {entry} names no text")
    return Package(entry, tuple(documents), tuple(missing), _metadata(root), contents or ncx)


def _package_entry(archive: Archive) -> str:
    container = archive.resolve("", "META-INF/container.xml")
    if container:
        root = tree(archive, container)
        for element in root.iter() if root is not None else ():
            if local_name(element) == "rootfile":
                entry = archive.resolve("", element.get("full-path") or "")
                if entry:
                    return entry
    for name in archive.names():
        if name.lower().endswith(".opf") and not name.startswith("__MACOSX/"):
            return name
    raise Unreadable("not-a-document", f"{archive.name} is a ZIP archive without a package document (.opf), so no EPUB")


def _below(root: Element, parent: str, child: str) -> list[Element]:
    """The elements called `child` in each element called `parent`."""
    return [e for e in root.iter() if local_name(e) == child and local_name(e.getparent()) == parent]


def _spine(root: Element, manifest: dict[str, tuple[str, str, str]]) -> tuple[list[Document], list[str]]:
    documents: list[Document] = []
    missing: list[str] = []
    step = 0
    for element in root:
        if not isinstance(element.tag, str):
            continue
        step += 2
        if local_name(element) != "spine":
            continue
        at = 0
        for reference in element:
            if not isinstance(reference.tag, str):
                continue
            at += 2
            name = reference.get("idref") or ""
            href, kind, written = manifest.get(name, ("", "", name))
            if not href:
                missing.append(written or "(unnamed)")
            elif kind in _DOCUMENTS or href.lower().endswith((".xhtml", ".html", ".htm")):
                documents.append(Document(href, f"/{step}/{at}"))
    return documents, missing


def _unordered(archive: Archive, manifest: dict[str, tuple[str, str, str]]) -> list[Document]:
    """A book without a spine: its documents in the order of the manifest; no CFI leads to them, so the steps are
    made."""
    found = [href for href, kind, _ in manifest.values() if href and kind in _DOCUMENTS]
    if not found:
        found = [name for name in archive.names() if name.lower().endswith((".xhtml", ".html", ".htm"))]
    return [Document(href, f"/6/{2 * at}") for at, href in enumerate(dict.fromkeys(found), 1)]


def _metadata(root: Element) -> dict[str, str]:
    """Dublin Core elements of the package; of several creators the authors."""
    found: dict[str, str] = {}
    titles: list[str] = []
    authors: list[str] = []
    others: list[str] = []
    subjects: list[str] = []
    refined = _refinements(root)
    for element in root.iter():
        if "}" not in str(element.tag) or "purl.org/dc" not in str(element.tag):
            continue
        name, text = local_name(element), " ".join((element.xpath("string()") or "").split())
        if not text:
            continue
        about = refined.get(element.get("id") or "", {})
        if name == "title":
            titles.insert(0 if about.get("title-type") == "main" else len(titles), text)
        elif name == "creator":
            role = about.get("role") or next((v for k, v in element.items() if k.endswith("role")), "aut")
            (authors if role == "aut" else others).append(text)
        elif name == "subject":
            subjects.append(text)
        elif name == "date":
            if "date" not in found or any(v == "publication" for v in element.values()):
                found["date"] = text
        elif name in ("identifier", "source", "relation"):
            _identifier(found, text)
        elif name in _DC:
            found.setdefault(_DC[name], text)
    if titles:
        found["title"] = titles[0]
    found["author"] = "; ".join(dict.fromkeys(authors or others))
    found["keywords"] = "; ".join(dict.fromkeys(subjects))
    found.pop("source", None)
    return tidied(found)


def _identifier(found: dict[str, str], text: str) -> None:
    if doi := clean_doi(text):
        found.setdefault("doi", doi)
    elif isbn := clean_isbn(text):
        found.setdefault("isbn", isbn)


def _refinements(root: Element) -> dict[str, dict[str, str]]:
    """id → property → value, of EPUB 3 meta elements that refine another."""
    out: dict[str, dict[str, str]] = {}
    for element in root.iter():
        if local_name(element) == "meta" and (target := element.get("refines")):
            out.setdefault(target.lstrip("#"), {})[element.get("property") or ""] = (element.text or "").strip()
    return out
