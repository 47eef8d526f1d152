"""The parts of an archive, as XML, within one limit for all of them."""

from __future__ import annotations

import zipfile
from typing import Any

from pincite.errors import Unreadable

DC = "{http://purl.org/dc/elements/1.1/}"
_STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
)  # fmt: skip
"""What "Strict Open XML" calls the namespaces of Word."""


class Parts:
    """What is in the archive. `limit`: bytes that are unpacked of it, all in all."""

    def __init__(self, archive: zipfile.ZipFile, limit: int) -> None:
        self.archive = archive
        self.names = set(archive.namelist())
        self._limit = self._left = limit

    def encrypted(self) -> bool:
        """Whether a password is needed: by the archive itself, or as the manifest of OpenDocument has it."""
        manifest = "META-INF/manifest.xml"
        return any(one.flag_bits & 1 for one in self.archive.infolist()) or (
            manifest in self.names and b"encryption-data" in self._bytes(manifest)
        )

    def xml(self, name: str) -> Any:
        """The root of a part."""
        from lxml import etree

        data = self._bytes(name)
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError:  # recovery has its limits
            root = None
        if root is None:
            raise Unreadable("damaged", f"{name} is not XML; save the file again")
        return root

    def metadata(self, name: str, tags: dict[str, str]) -> dict[str, str]:
        """The values of a part: tag → key, the later tag of a key before the earlier one."""
        if name not in self.names:
            return {}
        root = self.xml(name)
        return {
            key: words
            for tag, key in tags.items()
            for element in root.iter(tag)
            if (words := " ".join("".join(element.itertext()).split()))
        }

    def _bytes(self, name: str) -> bytes:
        with self.archive.open(name) as part:
            data = part.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise Unreadable("too-large", f"{name} unpacks to more than the {self._limit:,} bytes allowed")
        return data
