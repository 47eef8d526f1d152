"""Whether a book is locked: rights management, by the files that it leaves in the container."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.errors import Unreadable
from pincite.markup.parse import local_name
from pincite_plugins.extractors.epub.archive import Archive
from pincite_plugins.extractors.epub.package import tree

# Obfuscated fonts are no lock (EPUB OCF 3.3, section 4.4; Adobe's older way).
_FONTS = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
_SCHEMES = (
    ("META-INF/rights.xml", "Adobe ADEPT"),
    ("META-INF/license.lcpl", "Readium LCP"),
    ("META-INF/sinf.xml", "Apple FairPlay"),
)


def refuse_locked(archive: Archive, documents: Iterable[str]) -> None:
    """Raises `Unreadable("encrypted")` where one of the documents is encrypted."""
    entry = archive.resolve("", "META-INF/encryption.xml")
    root = tree(archive, entry) if entry else None
    if root is None:
        return
    locked: set[str] = set()
    for data in root.iter():
        if local_name(data) != "encrypteddata":
            continue
        method = next((e.get("Algorithm") or "" for e in data if local_name(e) == "encryptionmethod"), "")
        if method not in _FONTS:
            locked.update(
                archive.resolve("", e.get("URI") or "") for e in data.iter() if local_name(e) == "cipherreference"
            )
    if locked & set(documents):
        scheme = next((name for file, name in _SCHEMES if archive.resolve("", file)), "a rights management system")
        raise Unreadable("encrypted", f"{archive.name} is locked by {scheme}; only the shop's own reader can open it")
